"""How this project compiles C: one macro per kind of target, one list of options.

Rules:
  * Public headers are included as <fxt/read.h>, internal ones from the top of the repository as
    "src/wire/layout.h".
  * Libraries are strict C11 and hide every symbol that is not marked for export. Binaries and
    tests are compiled with _GNU_SOURCE; a library asks for it with gnu = True.
  * assert() is alive in every compilation mode.
  * A test tagged "nightly" is left out of the default run, one that is also tagged "long" of CI's.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("@rules_shell//shell:sh_test.bzl", "sh_test")

FXT_VERSION = "0.2.0"  # as in <fxt/version.h>
FXT_SOVERSION = "0.2"  # of the shared libraries: the major number, before 1.0 the minor number, too

# Correct too when this repository is a dependency of another workspace.
_ROOT = Label("//src:build_defs.bzl").workspace_root

# -I and not the attribute `includes`: that is -isystem, which mutes warnings in our own headers.
COPTS = [
    "-I" + (_ROOT + "/" if _ROOT else "") + "src/include",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Wvla",
    "-g",
    "-UNDEBUG",
] + ([] if _ROOT else ["-Werror"])  # a dependent's compiler may warn of more

_C_COPTS = ["-Wstrict-prototypes"]

# Criterion's assertion macros convert implicitly where they expand.
_CRITERION_COPTS = ["-Wno-conversion"]

def _copts(std, gnu, more):
    for_c = [] if std.startswith("c++") else _C_COPTS
    return COPTS + for_c + ["-std=" + std] + (["-D_GNU_SOURCE"] if gnu else []) + more

def fxt_cc_library(name, srcs = [], hdrs = [], deps = [], visibility = None, std = "c11", gnu = False, copts = [], **kwargs):
    """A static library. Symbols are hidden unless the code marks them for export.

    Args:
      name: target name; a room's library has the name of its directory.
      srcs: sources and private headers.
      hdrs: headers that dependents may include.
      deps: libraries.
      visibility: visible_to("<room>") from //src:rooms.bzl.
      std: language standard, "c11" or for C++ sources "c++17".
      gnu: define _GNU_SOURCE.
      copts: more compiler options.
      **kwargs: passed on to cc_library.
    """
    cc_library(
        name = name,
        srcs = srcs,
        hdrs = hdrs,
        copts = _copts(std, gnu, ["-fvisibility=hidden"] + copts),
        linkstatic = True,
        visibility = visibility,
        deps = deps,
        **kwargs
    )

def c_sources():
    """The *.c of the directory that are no tests."""
    return native.glob(
        ["*.c"],
        exclude = ["*_test.c"],
    )

def fxt_proved_sources(visibility = []):
    """What the prover, and the mutants of the corpus, read of a room: all of it as `sources`, and each file as a label of its own.

    Args:
      visibility: of both, beside these two.
    """
    visibility = ["//conformance/mutants:__pkg__", "//proofs:__pkg__"] + visibility
    files = native.glob(
        ["*.c", "*.h", "*.inc"],
        allow_empty = True,
        exclude = ["*_test.*"],
    )
    native.filegroup(
        name = "sources",
        srcs = files,
        visibility = visibility,
    )
    native.exports_files(files, visibility)

def fxt_cc_binary(name, srcs, deps = [], visibility = None, std = "c11", gnu = True, copts = [], **kwargs):
    """A program.

    Args:
      name: target name.
      srcs: sources and private headers.
      deps: libraries.
      visibility: who may depend on it.
      std: language standard, "c11" or for C++ sources "c++17".
      gnu: define _GNU_SOURCE.
      copts: more compiler options.
      **kwargs: passed on to cc_binary.
    """
    cc_binary(
        name = name,
        srcs = srcs,
        copts = _copts(std, gnu, copts),
        visibility = visibility,
        deps = deps,
        **kwargs
    )

# Bazel ends a test after 5, 15 or 60 minutes, a size later than by default: a test that is slow
# because the machine is busy has not failed.
_PATIENCE = {
    "small": "moderate",
    "medium": "long",
    "large": "eternal",
}

def _check_tags(name, tags):
    """Each test is in one of the two runs of .bazelrc: tagged "nightly", or not."""
    if "manual" in tags:
        fail("%s would be in no run: tag it \"nightly\"" % name)
    if "long" in tags and "nightly" not in tags:
        fail("%s is long, so it must be nightly" % name)

def fxt_test(name, srcs, deps = [], data = [], size = "small", tags = [], std = "c11", gnu = True, copts = [], linkopts = [], **kwargs):
    """A unit test on Criterion. A program without a single test fails.

    Args:
      name: target name, ending in _test.
      srcs: sources, without main().
      deps: libraries under test.
      data: files that the test reads, by their path from the top of the repository.
      size: how much of the machine it takes: small, medium or large; see _PATIENCE.
      tags: Bazel tags. "criterion" is added: see .bazelrc for what leaves such tests out.
      std: language standard, "c11" or for C++ sources "c++17".
      gnu: define _GNU_SOURCE.
      copts: more compiler options.
      linkopts: more linker options.
      **kwargs: passed on to cc_test.
    """
    fxt_plain_test(
        name = name,
        srcs = srcs,
        deps = deps + ["//src:test_main"],
        data = data,
        size = size,
        tags = tags + ["criterion"],
        std = std,
        gnu = gnu,
        copts = _CRITERION_COPTS + copts,

        # Nothing refers to the section that lists the tests.
        linkopts = ["-Wl,--no-gc-sections"] + linkopts,
        **kwargs
    )

def fxt_tests(lib):
    """An fxt_test of each *_test.c of the directory.

    Args:
      lib: the library under test.
    """
    for test in native.glob(["*_test.c"]):
        fxt_test(
            name = test[:-len(".c")],
            srcs = [test],
            deps = [lib],
        )

def fxt_plain_test(name, srcs, deps = [], data = [], size = "small", tags = [], std = "c11", gnu = True, copts = [], linkopts = [], **kwargs):
    """A test with a main() of its own, which says all by its exit code. Runs under every sanitizer.

    Args: as those of fxt_test.
    """
    _check_tags(name, tags)
    kwargs.setdefault("timeout", _PATIENCE[size])
    kwargs.setdefault("visibility", ["//:__pkg__"])  # of its suites
    cc_test(
        name = name,
        size = size,
        srcs = srcs,
        copts = _copts(std, gnu, copts),
        data = data,
        linkopts = linkopts,
        linkstatic = True,
        tags = tags,
        deps = deps,
        **kwargs
    )

def fxt_sh_test(name, srcs, args = [], deps = [], data = [], size = "small", tags = [], **kwargs):
    """A test that is one executable script, in any language that has a #! line.

    Args:
      name: target name, ending in _test.
      srcs: the script.
      args: its arguments; $(location ...) works for what is in data.
      deps: sh_library targets.
      data: files and programs that it uses.
      size: how much of the machine it takes: small, medium or large; see _PATIENCE.
      tags: Bazel tags.
      **kwargs: passed on to sh_test.
    """
    _check_tags(name, tags)
    kwargs.setdefault("timeout", _PATIENCE[size])
    kwargs.setdefault("visibility", ["//:__pkg__"])  # of its suites
    sh_test(
        name = name,
        size = size,
        srcs = srcs,
        args = args,
        data = data,
        tags = tags,
        deps = deps,
        **kwargs
    )
