# Completion of ktrace_provider for bash. Written by packaging/completions.py.
_ktrace_provider() {
    local at=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} piece before begin what=(-W "")
    [[ $word == [:=] ]] || piece=$word
    while ((at > 1)) && [[ ${COMP_WORDS[at]} == [:=] || ${COMP_WORDS[at - 1]} == [:=] ]]; do
        word=${COMP_WORDS[--at]}$word
    done
    before=${COMP_WORDS[at - 1]}
    [[ $word == --*=* ]] && before=${word%%=*}= word=${word#*=}
    begin=$word
    [[ $word == -* ]] && what=(-W "--replay= --output= --categories= --duration= --name= --help --version")
    case $before in
    --replay | --replay= | -o | --output | --output=) what=(-f) ;;
    --categories | --categories=) begin=${word##*,} what=(-P "${word%"${word##*,}"}" -W "kernel:sched kernel:syscall kernel:irq kernel:freq kernel:meta") ;;
    --duration | --duration= | --name | --name=) what=(-W "") ;;
    esac
    [[ ${what[0]} == -[df] ]] && compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "${what[@]}" -- "$begin")
    COMPREPLY=("${COMPREPLY[@]#"${word%"$piece"}"}")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -F _ktrace_provider ktrace_provider
