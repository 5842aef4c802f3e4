#!/usr/bin/env python3
"""Another Bazel workspace links this one as docs/install.md says, with the Bazel at hand, offline.

  workspace_test.py            builds and runs a program on libfxtref, analyses all others
  workspace_test.py --build    builds and runs all, and //:install
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))

TOP = os.path.dirname(HERE)

with open(os.path.join(TOP, "docs/install.md"), encoding="utf-8") as page:
    STANZA = re.search(r"```starlark\n(local_repository.*?)```", page.read(), re.S)[1]
WORKSPACE = STANZA.replace("third_party/fxtref", TOP) + """
load("@fxtref//:deps.bzl", "fxtref_debian_bazel")
fxtref_debian_bazel()
"""
BUILD = """\
load("@rules_cc//cc:defs.bzl", "cc_binary")
cc_binary(name = "records", srcs = ["records.c"], deps = ["@fxtref//:fxt"])
cc_binary(name = "traced", srcs = ["traced.c"], deps = ["@fxtref//:trace"])
cc_binary(
    name = "recording",
    srcs = ["recording.c"],
    deps = ["@fxtref//:trace_controller", "@fxtref//:trace_manager"],
)
"""


def main():
    with tempfile.TemporaryDirectory() as room:
        app = shutil.copytree(os.path.join(HERE, "app"), os.path.join(room, "app"))
        for name, text in ("WORKSPACE", WORKSPACE), ("BUILD.bazel", BUILD):
            with open(os.path.join(app, name), "w", encoding="utf-8") as file:
                file.write(text)

        def bazel(*arguments):
            return subprocess.run(["bazel", f"--output_base={room}/base", "--max_idle_secs=60",
                                   *arguments],
                                  cwd=app, check=True, text=True, stdout=subprocess.PIPE).stdout

        build = "--build" in sys.argv
        bazel("build", "--nobuild", "//...", "@fxtref//:install")
        bazel("build", "--jobs=2", "//..." if build else "//:records")
        records = subprocess.run(["bazel-bin/records"], cwd=app, check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        assert records == "fxtref 0.2.0: 56 bytes, hello at 1000\n", records
        if build:
            subprocess.run(["bazel-bin/traced", "out.fxt"], cwd=app, check=True)
            assert os.path.getsize(os.path.join(app, "out.fxt")) > 1000
            subprocess.run(["bazel-bin/recording", "s"], cwd=app, check=True)
            installed = bazel("run", "@fxtref//:install", "--", "--prefix", "installed")
            assert "installed" in installed, installed
            assert os.path.exists(os.path.join(app, "installed/lib/pkgconfig/fxtref.pc"))
        bazel("shutdown")
        # Bazel leaves what it made read-only.
        subprocess.run(["chmod", "-R", "u+w", f"{room}/base"], check=True)


if __name__ == "__main__":
    main()
