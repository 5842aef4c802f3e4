#!/bin/bash
# The generated seeds are what make_seeds makes.
set -eu
"$1" "$TEST_TMPDIR"
for made in "$TEST_TMPDIR"/*.{fxt,packet}; do
    cmp "$made" "fuzz/seeds/${made##*/}"
done
