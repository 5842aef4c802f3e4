#!/bin/bash
# fuzz/dict is what make_dict.py makes of spec/layout.tbl, and AFL++ and libFuzzer can read it: one
# entry a line, of at most 128 bytes.
set -eu
python3 fuzz/make_dict.py spec/layout.tbl | diff fuzz/dict - ||
    { echo "fuzz/make_dict.py spec/layout.tbl > fuzz/dict makes it anew" >&2; exit 1; }
! grep -vE '^(#.*|[a-z0-9_]+="(\\x[0-9a-f]{2}){1,128}")$' fuzz/dict
# A word of each type of record.
for type in 0 1 2 3 4 5 6 7 8 9 a f; do
    grep -qE "^[a-z0-9_]+=\"\\\\x.$type" fuzz/dict || { echo "no record of type $type" >&2; exit 1; }
done
