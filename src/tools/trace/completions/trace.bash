# Completion of trace(1) for bash: to be installed as
# /usr/share/bash-completion/completions/trace.

_trace_result_options="--output-file= --format= --compress --large= --no-verify --verbose
    --quiet"
_trace_session_options="--categories= --provider-categories= --buffer-size=
    --provider-buffer-size= --buffering-mode= --stream --defer-transfer --duration= --trigger= --timeout=
    --allow-empty --config="
_trace_query_options="--json --output="
_trace_common_options="--help --version"

_trace_options() {
    case $1 in
    record)
        echo "$_trace_result_options $_trace_session_options --append-args= --detach --decouple" \
            "--report --spawn --return-child-result" ;;
    start) echo "$_trace_result_options $_trace_session_options --background" ;;
    snapshot) echo "$_trace_result_options --report" ;;
    status | list-providers | list-categories) echo "$_trace_query_options" ;;
    convert) echo "--output= --max-findings= --max-record= --raw --allow-empty" ;;
    esac
    echo "$_trace_common_options"
}

# The categories that a running manager knows.
_trace_categories() {
    trace list-categories 2>/dev/null | sed -n '/^  /{s/^  //;s/: .*//;p}'
}

# The value of an option: its name without dashes is $1, what is there of the value $2.
_trace_value() {
    case $1 in
    output-file | output | config | o) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    format) mapfile -t COMPREPLY < <(compgen -W "fxt json html" -- "$2") ;;
    large | l) mapfile -t COMPREPLY < <(compgen -W "keep drop blobs" -- "$2") ;;
    buffering-mode | m)
        mapfile -t COMPREPLY < <(compgen -W "oneshot circular streaming" -- "$2") ;;
    compress | detach | decouple | spawn | return-child-result)
        mapfile -t COMPREPLY < <(compgen -W "true false" -- "$2") ;;
    categories | c)
        local before=""
        [[ $2 == *,* ]] && before=${2%,*},
        mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_trace_categories)" -- "${2##*,}") ;;
    *) COMPREPLY=() ;;
    esac
}

# Where the traced command begins, as an index into COMP_WORDS; nothing when it does not.
_trace_command_at() {
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --) echo $((i + 1)); return ;;
        -[ocbmdtl] | --*[a-z]) _trace_skip ;;
        -*) ;;
        *) echo "$i"; return ;;
        esac
    done
}

# Moves i to the last word of an option: --name, --name = value, --name value, -n value.
_trace_skip() {
    if [[ ${COMP_WORDS[i + 1]} == = ]]; then
        i=$((i + 2))
        return
    fi
    case ${COMP_WORDS[i]} in
    -[ocbmdtl] | --output-file | --format | --large | --categories | --provider-categories | --buffer-size | \
        --provider-buffer-size | --buffering-mode | --duration | --trigger | --timeout | --config | \
        --append-args) i=$((i + 1)) ;;
    esac
}

_trace() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} at
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "record start stop snapshot status list-providers
            list-categories convert --help --version" -- "$word")
        return
    fi
    if [[ ${COMP_WORDS[1]} == record ]]; then
        at=$(_trace_command_at)
        if [[ -n $at && $at -lt $COMP_CWORD ]]; then
            if declare -F _command_offset >/dev/null; then
                _command_offset "$at"
            else
                compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word")
            fi
            return
        fi
    fi
    if [[ $word == = ]]; then
        _trace_value "${before#--}" ""
    elif [[ $before == = ]]; then
        local option=${COMP_WORDS[COMP_CWORD - 2]}
        _trace_value "${option#--}" "$word"
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_trace_options "${COMP_WORDS[1]}")" -- "$word")
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    elif [[ $before == -[ocml] ]]; then
        _trace_value "${before#-}" "$word"
    elif [[ ${COMP_WORDS[1]} == record ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    elif [[ ${COMP_WORDS[1]} == convert ]]; then
        compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -F _trace trace
