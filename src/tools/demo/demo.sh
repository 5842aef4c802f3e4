#!/bin/bash
# bazel run //:demo: records a program of four processes, checks the archive, converts it, and shows
# it in the browser. Nothing has to be installed, started or be root.
set -euo pipefail

usage() {
    cat <<'END'
usage: demo [-o FILE] [-n FILES] [-s SECONDS] [DIRECTORY]
Records a program that compresses the files of DIRECTORY (/usr/share/doc) in memory by several
processes. FILE (demo.fxt) is the archive; the JSON lies beside it.
END
}

out=demo.fxt
work=()
while getopts o:n:s:h option; do
    case $option in
    o) out=$OPTARG ;;
    n | s) work+=("-$option" "$OPTARG") ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -le 1 ] || { usage >&2; exit 2; }

# Programs lie beside this one's; paths mean those of whoever called `bazel run`.
here=$PWD
trace=$here/src/tools/trace/trace
fxt=$here/src/tools/fxt/fxt
pipeline=$here/src/tools/demo/pipeline
cd -- "${BUILD_WORKING_DIRECTORY:-$here}"
json=${out%.fxt}.json

say() {
    echo
    echo "\$ ${*/#$here*\//}"
}

run() {
    say "$@"
    "$@"
}

run "$trace" record --buffering-mode=streaming --categories=demo --output-file="$out" \
    -- "$pipeline" ${work[@]+"${work[@]}"} "$@"
run "$fxt" check "$out"
run "$fxt" stat "$out"
run "$fxt" json "$out" -o "$json"
run "$fxt" view "$out" || [ $? -eq 3 ] # without a browser, it has said where the page is
