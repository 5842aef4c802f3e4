# Completion of trace-manager for bash. Written by packaging/completions.py.
_trace-manager() {
    local at=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} piece before begin what=(-W "")
    [[ $word == [:=] ]] || piece=$word
    while ((at > 1)) && [[ ${COMP_WORDS[at]} == [:=] || ${COMP_WORDS[at - 1]} == [:=] ]]; do
        word=${COMP_WORDS[--at]}$word
    done
    before=${COMP_WORDS[at - 1]}
    [[ $word == --*=* ]] && before=${word%%=*}= word=${word#*=}
    begin=$word
    [[ $word == -* ]] && what=(-W "--config= --directory= --stop-timeout= --help --version")
    case $before in
    --config | --config=) what=(-f) ;;
    --directory | --directory=) what=(-d) ;;
    --stop-timeout | --stop-timeout=) what=(-W "") ;;
    esac
    [[ ${what[0]} == -[df] ]] && compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "${what[@]}" -- "$begin")
    COMPREPLY=("${COMPREPLY[@]#"${word%"$piece"}"}")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -F _trace-manager trace-manager
