# Completion of fxt for bash. Written by packaging/completions.py.
_fxt() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options
    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $word == = ]] && word=
    case $before in
    --edition | -e) mapfile -t COMPREPLY < <(compgen -W "2020 current" -- "$word"); return ;;
    --severity | -s) mapfile -t COMPREPLY < <(compgen -W "malformed nonconforming suspicious" -- "$word"); return ;;
    --rule | -r) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --max-findings) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --output | -o) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --max-record) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --ignore | -i) mapfile -t COMPREPLY < <(compgen -W "times ids providers" -- "$word"); return ;;
    --by | -b) mapfile -t COMPREPLY < <(compgen -W "name category thread process provider" -- "$word"); return ;;
    --sort | -s) mapfile -t COMPREPLY < <(compgen -W "total count self min p50 p90 p99 max name" -- "$word"); return ;;
    --top | -n) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$word"); return ;;
    --time | -t) mapfile -t COMPREPLY < <(compgen -W "start clock" -- "$word"); return ;;
    --save | -s) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --from | -f) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --to | -t) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --open) mapfile -t COMPREPLY < <(compgen -W "keep close drop" -- "$word"); return ;;
    --process | -p) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --thread | -t) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --provider) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --category | -c) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --name | -n) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --kind | -k) mapfile -t COMPREPLY < <(compgen -W "instant counter duration async flow log blob scheduling profiler unknown" -- "$word"); return ;;
    --align | -a) mapfile -t COMPREPLY < <(compgen -W "none start wall offset=TIME,..." -- "$word"); return ;;
    --ids) mapfile -t COMPREPLY < <(compgen -W "separate same" -- "$word"); return ;;
    --large | -l) mapfile -t COMPREPLY < <(compgen -W "keep drop blobs" -- "$word"); return ;;
    --format | -f) mapfile -t COMPREPLY < <(compgen -W "jsonl csv" -- "$word"); return ;;
    esac
    case ${COMP_WORDS[1]} in
    check) options="--edition= --severity= --rule= --canonical --summary --max-findings= --json --quiet --output= --max-record= --raw --allow-empty --help --version" ;;
    diff) options="--lines --ignore= --quiet --max-findings= --output= --max-record= --raw --allow-empty --help --version" ;;
    stat) options="--json --output= --max-record= --raw --allow-empty --help --version" ;;
    report) options="--by= --sort= --top= --json --csv --folded --flamegraph --diff --color= --output= --max-record= --raw --allow-empty --help --version" ;;
    html) options="--output= --max-record= --raw --allow-empty --help --version" ;;
    dump) options="--json --events --asm --time= --output= --max-record= --raw --allow-empty --help --version" ;;
    sql) options="--json --csv --save= --output= --max-record= --raw --allow-empty --help --version" ;;
    cut) options="--from= --to= --open= --max-findings= --output= --max-record= --raw --allow-empty --help --version" ;;
    filter) options="--process= --thread= --provider= --category= --name= --kind= --invert --stacks --max-findings= --output= --max-record= --raw --allow-empty --help --version" ;;
    merge) options="--align= --ids= --max-findings= --output= --max-record= --raw --allow-empty --help --version" ;;
    fmt) options="--large= --max-findings= --output= --max-record= --raw --allow-empty --help --version" ;;
    salvage) options="--output= --raw --help --version" ;;
    json) options="--output= --max-findings= --max-record= --raw --allow-empty --help --version" ;;
    export) options="--format= --output= --max-record= --raw --allow-empty --help --version" ;;
    asm) options="--output= --raw --help --version" ;;
    esac
    ((COMP_CWORD == 1)) && options="check diff stat report html dump sql cut filter merge fmt salvage json export asm --help --version"
    if [[ $word == -* ]] || ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    else
        compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -F _fxt fxt
