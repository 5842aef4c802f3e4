# Completion of fxt for bash. Written by packaging/completions.py.
_fxt() {
    local at=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} piece before begin what=(-W "")
    [[ $word == [:=] ]] || piece=$word
    while ((at > 1)) && [[ ${COMP_WORDS[at]} == [:=] || ${COMP_WORDS[at - 1]} == [:=] ]]; do
        word=${COMP_WORDS[--at]}$word
    done
    before=${COMP_WORDS[at - 1]}
    [[ $word == --*=* ]] && before=${word%%=*}= word=${word#*=}
    begin=$word
    case $COMP_CWORD:${COMP_WORDS[1]} in
    1:*) what=(-W "check diff stat report html dump sql cut filter merge fmt salvage json export asm help --help --version") ;;
    2:help | 2:-h | 2:--help) what=(-W "check diff stat report html dump sql cut filter merge fmt salvage json export asm") ;;
    *:check)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--edition= --severity= --rule= --canonical --summary --max-findings= --json --quiet --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -e | --edition | --edition=) what=(-W "2020 current") ;;
        -s | --severity | --severity=) what=(-W "malformed nonconforming suspicious") ;;
        -r | --rule | --rule= | --max-findings | --max-findings= | --max-record | --max-record=) what=(-W "") ;;
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:diff)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--lines --ignore= --quiet --max-findings= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -i | --ignore | --ignore=) what=(-W "times ids providers") ;;
        --max-findings | --max-findings= | --max-record | --max-record=) what=(-W "") ;;
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:stat)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--json --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        --max-record | --max-record=) what=(-W "") ;;
        esac ;;
    *:report)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--by= --sort= --top= --json --csv --folded --flamegraph --diff --color= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -b | --by | --by=) what=(-W "name category thread process provider") ;;
        -s | --sort | --sort=) what=(-W "total count self min p50 p90 p99 max name") ;;
        -n | --top | --top= | --max-record | --max-record=) what=(-W "") ;;
        --color | --color=) what=(-W "auto always never") ;;
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:html)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        --max-record | --max-record=) what=(-W "") ;;
        esac ;;
    *:dump)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--json --events --asm --time= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -t | --time | --time=) what=(-W "start clock") ;;
        -o | --output | --output=) what=(-f) ;;
        --max-record | --max-record=) what=(-W "") ;;
        esac ;;
    *:sql)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--json --csv --save= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -s | --save | --save= | -o | --output | --output=) what=(-f) ;;
        --max-record | --max-record=) what=(-W "") ;;
        esac ;;
    *:cut)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--from= --to= --open= --max-findings= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -f | --from | --from= | -t | --to | --to= | --max-findings | --max-findings= | --max-record | --max-record=) what=(-W "") ;;
        --open | --open=) what=(-W "keep close drop") ;;
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:filter)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--process= --thread= --provider= --category= --name= --kind= --invert --stacks --max-findings= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -p | --process | --process= | -t | --thread | --thread= | --provider | --provider= | -c | --category | --category= | -n | --name | --name= | --max-findings | --max-findings= | --max-record | --max-record=) what=(-W "") ;;
        -k | --kind | --kind=) what=(-W "instant counter duration async flow log blob scheduling profiler unknown") ;;
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:merge)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--align= --ids= --max-findings= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -a | --align | --align=) what=(-W "none start wall offset=") ;;
        --ids | --ids=) what=(-W "separate same") ;;
        --max-findings | --max-findings= | --max-record | --max-record=) what=(-W "") ;;
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:fmt)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--large= --max-findings= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -l | --large | --large=) what=(-W "keep drop blobs") ;;
        --max-findings | --max-findings= | --max-record | --max-record=) what=(-W "") ;;
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:salvage)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--output= --raw --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:json)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--output= --max-findings= --max-record= --raw --allow-empty --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        --max-findings | --max-findings= | --max-record | --max-record=) what=(-W "") ;;
        esac ;;
    *:export)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--format= --output= --max-record= --raw --allow-empty --help --version")
        case $before in
        -f | --format | --format=) what=(-W "jsonl csv") ;;
        -o | --output | --output=) what=(-d) ;;
        --max-record | --max-record=) what=(-W "") ;;
        esac ;;
    *:asm)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--output= --raw --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    esac
    [[ ${what[0]} == -[df] ]] && compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "${what[@]}" -- "$begin")
    COMPREPLY=("${COMPREPLY[@]#"${word%"$piece"}"}")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -F _fxt fxt
