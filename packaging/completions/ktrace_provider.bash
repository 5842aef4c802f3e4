# Completion of ktrace_provider for bash. Written by packaging/completions.py.
_ktrace_provider() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options
    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $word == = ]] && word=
    case $before in
    --replay) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --output | -o) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --categories) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --duration) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    --name) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    esac
    case ${COMP_WORDS[1]} in
    *) options="--replay= --output= --categories= --duration= --name= --help --version" ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    else
        compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -F _ktrace_provider ktrace_provider
