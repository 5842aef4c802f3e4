#!/bin/bash
# Three planted mistakes, which the date selects, are found. One that the seeds find is also found without
# them.
set -eu
fuzz/evaluate --runs=1 --seconds=60 --date=3
fuzz/evaluate --runs=1 --seconds=60 --from-nothing "blob payload one word longer" | tee out
if grep -q "by the seeds" out; then
    echo "--from-nothing began with the seeds" >&2
    exit 1
fi
