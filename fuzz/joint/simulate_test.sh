#!/bin/bash
# simulate_test.sh PROGRAM COUNT: so many seeds, from one that $FXT_DRAW selects.
exec "$1" --from $((${FXT_DRAW:-0} % 1000000 * 10000 + 1)) --count "$2"
