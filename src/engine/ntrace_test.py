#!/usr/bin/python3
"""With NTRACE the macros leave nothing: no symbol, no call, no literal.

  ntrace_test.py ARCHIVE...     each of one object that uses every macro under NTRACE
"""
import subprocess
import sys


def main():
    failures = []
    for archive in sys.argv[1:]:
        symbols = subprocess.run(["nm", archive], check=True, stdout=subprocess.PIPE,
                                 text=True).stdout
        named = [line.split()[-1] for line in symbols.splitlines() if len(line.split()) >= 2]
        if not any(name.startswith("trace_nothing") for name in named):
            failures.append(f"{archive}: not the object that was meant")
        for name in named:
            if "trace_" in name and not name.startswith("trace_nothing") and \
                    "trace_everything" not in name:
                failures.append(f"{archive}: symbol {name}")
        with open(archive, "rb") as f:
            content = f.read()
        for literal in (b"+example\0", b"+c\0", b"blob event\0"):
            if literal in content:
                failures.append(f"{archive}: literal {literal}")
    print("\n".join(failures) or "nothing is left")
    sys.exit(1 if failures or len(sys.argv) < 3 else 0)


if __name__ == "__main__":
    main()
