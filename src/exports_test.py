#!/usr/bin/python3
"""The symbols of libfxtref.so are the functions of the public headers: no more, no fewer.

  exports_test.py LIBFXTREF.SO HEADER...
"""

import re
import subprocess
import sys


def declared(headers):
    names = set()
    for header in headers:
        text = re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.S)
        text = re.sub(r"^#define.*(?:\\\n.*)*$", "", text, flags=re.M)
        names |= set(re.findall(r"^static inline [^;{]*?\b(fxt_\w+)\(", text, re.M))
        names |= set(re.findall(r"FXT_API[^;{]*?\b(fxt_\w+)\s*\(", text))
        names |= {"fxt_read_" + name for name in re.findall(r"^FXT_DECODER\((\w+)\)", text, re.M)}
        names |= {"fxt_write_" + name
                  for name in re.findall(r"^FXT_ENCODER(?:_WITH_ARGS)?\((\w+)\)", text, re.M)}
    return names


def exported(library):
    lines = subprocess.run(["nm", "--dynamic", "--defined-only", library], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    names = {line.split()[-1].partition("@@")[0] for line in lines}
    # What begins with an underscore is the linker's, or a sanitizer's; the version is one, too.
    return {name for name in names if not name.startswith(("_", "FXTREF_"))}


def needed(library):
    text = subprocess.run(["readelf", "--dynamic", library], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"\((NEEDED|SONAME)\).*\[(.*)\]", text)


def main():
    library, headers = sys.argv[1], sys.argv[2:]
    promised, found = declared(headers), exported(library)
    failures = [f"{name}: declared, not exported" for name in sorted(promised - found)]
    failures += [f"{name}: exported, not declared" for name in sorted(found - promised)]
    for kind, name in needed(library):
        if kind == "NEEDED" and not re.match(r"lib(c|asan|ubsan|tsan|gcc_s)\.so", name):
            failures.append(f"needs {name}: the library has no dependency")
        if kind == "SONAME" and name != "libfxtref.so.0.2":
            failures.append(f"SONAME is {name}")
    if len(promised) < 60:
        failures.append(f"only {len(promised)} functions found in the headers")
    print("\n".join(failures) or f"{len(found)} symbols, as declared")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
