# Completion of trace for bash. Written by packaging/completions.py.
_trace() {
    local at=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} piece before begin what=(-W "")
    [[ $word == [:=] ]] || piece=$word
    while ((at > 1)) && [[ ${COMP_WORDS[at]} == [:=] || ${COMP_WORDS[at - 1]} == [:=] ]]; do
        word=${COMP_WORDS[--at]}$word
    done
    before=${COMP_WORDS[at - 1]}
    [[ $word == --*=* ]] && before=${word%%=*}= word=${word#*=}
    begin=$word
    case $COMP_CWORD:${COMP_WORDS[1]} in
    1:*) what=(-W "record start stop snapshot status list-providers list-categories convert help --help --version") ;;
    2:help | 2:-h | 2:--help) what=(-W "record start stop snapshot status list-providers list-categories convert") ;;
    *:record)
        what=(-c)
        [[ $word == -* ]] && what=(-W "--output-file= --format= --compress --large= --no-verify --fail-on-drop --verbose --quiet --report --categories= --provider-categories= --buffer-size= --provider-buffer-size= --buffering-mode= --stream --defer-transfer --duration= --trigger= --timeout= --allow-empty --config= --append-args= --detach --decouple --spawn --return-child-result --help --version")
        case $before in
        -o | --output-file | --output-file= | --config | --config=) what=(-f) ;;
        --format | --format=) what=(-W "fxt json html") ;;
        --compress= | --detach= | --decouple= | --spawn= | --return-child-result=) what=(-W "true false") ;;
        -l | --large | --large=) what=(-W "keep drop blobs") ;;
        -c | --categories | --categories=) begin=${word##*,} what=(-P "${word%"${word##*,}"}" -W "$(trace list-categories 2>/dev/null | sed -n 's|^  \([[:alnum:]_:./-]*\)\(: .*\)\?$|\1|p')") ;;
        --provider-categories | --provider-categories= | -b | --buffer-size | --buffer-size= | --provider-buffer-size | --provider-buffer-size= | -d | --duration | --duration= | -t | --trigger | --trigger= | --timeout | --timeout= | --append-args | --append-args=) what=(-W "") ;;
        -m | --buffering-mode | --buffering-mode=) what=(-W "oneshot circular streaming") ;;
        esac
        for ((at = 2; at < COMP_CWORD; at++)); do
            case ${COMP_WORDS[at]} in
            --) ((at++)); break ;;
            [:=]) ((at++)) ;;
            -o | --output-file | --format | -l | --large | -c | --categories | --provider-categories | -b | --buffer-size | --provider-buffer-size | -m | --buffering-mode | -d | --duration | -t | --trigger | --timeout | --config | --append-args) [[ ${COMP_WORDS[at + 1]} == = ]] || ((at++)) ;;
            -*) ;;
            *) break ;;
            esac
        done
        ((at < COMP_CWORD)) && declare -F _command_offset >/dev/null && _command_offset "$at" && return
        ((at < COMP_CWORD)) && what=(-f) ;;
    *:start)
        [[ $word == -* ]] && what=(-W "--output-file= --format= --compress --large= --no-verify --fail-on-drop --verbose --quiet --categories= --provider-categories= --buffer-size= --provider-buffer-size= --buffering-mode= --stream --defer-transfer --duration= --trigger= --timeout= --allow-empty --config= --background --help --version")
        case $before in
        -o | --output-file | --output-file= | --config | --config=) what=(-f) ;;
        --format | --format=) what=(-W "fxt json html") ;;
        --compress=) what=(-W "true false") ;;
        -l | --large | --large=) what=(-W "keep drop blobs") ;;
        -c | --categories | --categories=) begin=${word##*,} what=(-P "${word%"${word##*,}"}" -W "$(trace list-categories 2>/dev/null | sed -n 's|^  \([[:alnum:]_:./-]*\)\(: .*\)\?$|\1|p')") ;;
        --provider-categories | --provider-categories= | -b | --buffer-size | --buffer-size= | --provider-buffer-size | --provider-buffer-size= | -d | --duration | --duration= | -t | --trigger | --trigger= | --timeout | --timeout=) what=(-W "") ;;
        -m | --buffering-mode | --buffering-mode=) what=(-W "oneshot circular streaming") ;;
        esac ;;
    *:stop)
        [[ $word == -* ]] && what=(-W "--help --version")
        case $before in
        esac ;;
    *:snapshot)
        [[ $word == -* ]] && what=(-W "--output-file= --format= --compress --large= --no-verify --fail-on-drop --verbose --quiet --report --help --version")
        case $before in
        -o | --output-file | --output-file=) what=(-f) ;;
        --format | --format=) what=(-W "fxt json html") ;;
        --compress=) what=(-W "true false") ;;
        -l | --large | --large=) what=(-W "keep drop blobs") ;;
        esac ;;
    *:status)
        [[ $word == -* ]] && what=(-W "--json --output= --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:list-providers)
        [[ $word == -* ]] && what=(-W "--json --output= --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:list-categories)
        [[ $word == -* ]] && what=(-W "--json --output= --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        esac ;;
    *:convert)
        what=(-f)
        [[ $word == -* ]] && what=(-W "--output= --max-findings= --max-record= --raw --allow-empty --help --version")
        case $before in
        -o | --output | --output=) what=(-f) ;;
        --max-findings | --max-findings= | --max-record | --max-record=) what=(-W "") ;;
        esac ;;
    esac
    [[ ${what[0]} == -[df] ]] && compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "${what[@]}" -- "$begin")
    COMPREPLY=("${COMPREPLY[@]#"${word%"$piece"}"}")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -F _trace trace
