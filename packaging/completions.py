"""The completions of a program for bash and zsh, for share.py."""

import re

# The categories that a running manager knows, but for names that mean something to a shell.
KNOWN = r"$(trace list-categories 2>/dev/null | sed -n 's|^  \([[:alnum:]_:./-]*\)\(: .*\)\?$|\1|p')"

# bash breaks words at = and :, and replaces the last piece alone.
BASH = """\
# Completion of NAME for bash. Written by packaging/share.py.
_NAME() {
    local at=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} piece before begin what=(-W "")
    [[ $word == [:=] ]] || piece=$word
    while ((at > 1)) && [[ ${COMP_WORDS[at]} == [:=] || ${COMP_WORDS[at - 1]} == [:=] ]]; do
        word=${COMP_WORDS[--at]}$word
    done
    before=${COMP_WORDS[at - 1]}
    [[ $word == --*=* ]] && before=${word%%=*}= word=${word#*=}
    begin=$word
BODY
    [[ ${what[0]} == -[df] ]] && compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "${what[@]}" -- "$begin")
    COMPREPLY=("${COMPREPLY[@]#"${word%"$piece"}"}")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -F _NAME NAME
"""

# The operands are a command and its arguments. TAKERS are the options that take the next word.
BASH_COMMAND = """
for ((at = 2; at < COMP_CWORD; at++)); do
    case ${COMP_WORDS[at]} in
    --) ((at++)); break ;;
    [:=]) ((at++)) ;;
    TAKERS) [[ ${COMP_WORDS[at + 1]} == = ]] || ((at++)) ;;
    -*) ;;
    *) break ;;
    esac
done
((at < COMP_CWORD)) && declare -F _command_offset >/dev/null && _command_offset "$at" && return
((at < COMP_CWORD)) && what=(-f)"""


def categories(program):
    """What --categories takes: what the help lists, else what a shell asks the manager for."""
    listed = re.search(r"^Categories: (.+)\.$", program.help, re.M)
    return listed.group(1).replace(",", "") if listed else KNOWN


def words(value):
    """What the help says that a value may be: a|b|c=WHAT|d:WHAT."""
    value = value.strip("[=]").replace("BOOL", "true|false")
    return re.sub(r"([=:])[^|]+", r"\1", value).split("|") if "|" in value else []


def indented(spaces, text):
    return re.sub("^", " " * spaces, text, flags=re.M)


def bash_command(known, operands, options):
    """Sets the arguments of compgen. `known` is what --categories takes."""
    ways, takers = {}, []
    for letter, option, value, _ in options:
        how = f'what=(-W "{" ".join(words(value))}")'
        how = {"=FILE": "what=(-f)", "=DB": "what=(-f)", "=DIR": "what=(-d)"}.get(value, how)
        if option == "categories":
            how = f'begin=${{word##*,}} what=(-P "${{word%"${{word##*,}}"}}" -W "{known}")'
        flags = [f"-{letter}"] * bool(letter) + [f"--{option}"]
        takers += flags if value[:1] == "=" else []
        if value:
            ways.setdefault(how, []).extend(flags * (value[:1] == "=") + [f"--{option}="])
    listed = " ".join(f"--{option}{'=' * (value[:1] == '=')}" for _, option, value, _ in options)
    text = "what=(-c)\n" if "COMMAND" in operands else "what=(-f)\n" if operands else ""
    text += f'[[ $word == -* ]] && what=(-W "{listed}")\ncase $before in\n'
    text += "".join(f"{' | '.join(flags)}) {how} ;;\n" for how, flags in ways.items()) + "esac"
    return text + BASH_COMMAND.replace("TAKERS", " | ".join(takers)) * ("COMMAND" in operands)


def bash(program):
    known, commands = categories(program), program.commands
    names = " ".join(commands)
    body = "\n".join(f"*:{command})\n{indented(4, bash_command(known, *rest))} ;;"
                     for command, (_, *rest) in commands.items())
    body = f"""\
case $COMP_CWORD:${{COMP_WORDS[1]}} in
1:*) what=(-W "{names} help --help --version") ;;
2:help | 2:-h | 2:--help) what=(-W "{names}") ;;
{body}
esac""" if names else bash_command(known, *commands[""][1:])
    return BASH.replace("BODY", indented(4, body)).replace("NAME", program.name)


def quoted(text):
    """What stands inside single quotes in a shell."""
    return text.replace("'", "'\\''")


def zsh_option(option):
    letter, name, value, text = option
    text = quoted(re.sub(r"([\[\]:\\])", r"\\\1", text))
    action, equals = "", ""
    if value:
        files = {"=FILE": "_files", "=DB": "_files", "=DIR": "_files -/"}.get(value, "")
        action = f"({' '.join(words(value))})" if words(value) else files
        action = "_NAME_categories" if name == "categories" else action
        optional = value[0] == "["
        action = ":" * (1 + optional) + value.strip("[=]").replace(":", "\\:") + ":" + action
        equals = "=-" if optional else "="
    if letter:
        flags = f"{{-{letter}{'+' * bool(value)},--{name}{equals}}}"
        return ("'*'" if value else f"'(-{letter} --{name})'") + f"{flags}'[{text}]{action}'"
    return f"'{'*' * bool(value)}--{name}{equals}[{text}]{action}'"


def zsh(program):
    commands, has_commands = program.commands, "" not in program.commands
    out = [f"#compdef {program.name}", "# Written by packaging/share.py."]
    if any(option[1] == "categories" for *_, options in commands.values() for option in options):
        out += ["_NAME_categories() {", f"    _sequence compadd - {categories(program)}", "}"]
    if has_commands:
        out += ["if ((CURRENT == 2)) || [[ $CURRENT:$words[2] == 3:(help|-h|--help) ]]; then",
                "    local -a commands", "    commands=("]
        out += [f"        '{command}:{quoted(title)}'" for command, (title, *_) in commands.items()]
        out += ["    )", "    ((CURRENT == 2)) && commands+=('help:Lists the options of a command.')",
                "    _describe command commands", "    return", "fi", "shift words",
                "((CURRENT--))", "case $words[1] in"]
    for command, (_, operands, options) in commands.items():
        specs = [zsh_option(option) for option in options]
        if "COMMAND" in operands:
            specs += ["'(-)1:command: _command_names -e'", "'*::argument:_normal'"]
        elif operands:
            specs += ["'*:file:_files'"]
        text = " \\\n    ".join(["_arguments -s -S", *specs])
        out += [f"{command})", indented(4, text) + " ;;"] if command else [text]
    return "\n".join(out + ["esac"] * has_commands + [""]).replace("NAME_", f"{program.name}_")
