#!/bin/bash
# Three planted mistakes, drawn by $FXT_DRAW, are found. One that the seeds find is tried once, and is also
# found without them.
set -eu
refused() { # MESSAGE WORD...: standard output is full
    code=0
    fuzz/evaluate "${@:2}" 2>err >/dev/full || code=$?
    [ $code = 2 ] && [ "$(cat err)" = "fuzz/evaluate: $1" ]
}
refused "cannot write to standard output: No space left on device" --list
refused "--list takes no names; see fuzz/evaluate --help" --list x
fuzz/evaluate --runs=2 --seconds=60 "blob payload one word longer" | grep -q "s | by the seeds |$"
fuzz/evaluate --runs=1 --seconds=60 --drawn=3
fuzz/evaluate --runs=1 --seconds=60 --from-nothing "blob payload one word longer" | tee out
if grep -q "by the seeds" out; then
    echo "--from-nothing began with the seeds" >&2
    exit 1
fi
