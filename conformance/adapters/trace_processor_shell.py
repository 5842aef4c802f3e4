#!/usr/bin/env python3
"""Perfetto's trace_processor_shell at level exit: it complains by failing, or by its statistics.
Written from its documentation; not run for this file."""
import subprocess
import sys
import tempfile

QUERY = "select count(*) as complaints from stats where name like 'fuchsia%' and value > 0;\n"

with tempfile.NamedTemporaryFile("w", suffix=".sql") as query:
    query.write(QUERY)
    query.flush()
    done = subprocess.run(["trace_processor_shell", "-q", query.name, sys.argv[1]],
                          stdout=subprocess.PIPE)
if done.returncode < 0:
    sys.exit(128 - done.returncode)  # a signal, as a shell reports it
sys.exit(done.returncode or done.stdout.split()[-1:] != [b"0"])
