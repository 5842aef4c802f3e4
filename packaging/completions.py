#!/usr/bin/env python3
"""Writes the completions of programs from what their --help prints, which is their tables of options.

  completions.py DIRECTORY PROGRAM...           write DIRECTORY/NAME.bash and DIRECTORY/_NAME
  completions.py --check DIRECTORY PROGRAM...   compare, and exit 1 if one is stale

To write them: bazel build //packaging:completions_test, then this with packaging/completions and the
programs in bazel-bin. Those of trace are written by hand (src/tools/trace/completions), because they
ask the manager for its categories.
"""

import os
import re
import subprocess
import sys

OPTION = re.compile(r"^  (?:-(\w),|   ) --([\w-]+)(?:\[?=([^\s\]]+)\]?)?(?:\s+(.*))?$")


NAMES = "compopt -o filenames 2>/dev/null; "  # they are quoted, and folders end in a slash


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def parse(program):
    """(Command or "", title, options), one for a program without commands."""
    text = run(program, "--help")
    names = re.findall(r"^  (\w[\w-]*) {2,}(\S.*)$", text, re.M) if "\ncommands:" in text else []
    helps = [(name, title, run(program, name, "--help")) for name, title in names]
    for name, title, page in helps or [("", "", text)]:
        lines = page.split("\noptions:\n")[1].split("\n\n")[0]
        lines = re.sub(r"\n {20,}", "  ", lines).split("\n")
        yield name, title, [OPTION.match(line).groups() for line in lines if line.startswith("  ")]


def words(value):
    return value.split("|") if value and "|" in value else []


def bash(name, commands):
    values, cases = {}, []
    for command, _, options in commands:
        for letter, option, value, _ in options:
            flags = f"--{option}" + (f" | -{letter}" if letter else "")
            if words(value):
                values[flags] = f'-W "{" ".join(words(value))}"'
            elif value:
                values[flags] = {"FILE": "-f", "DIR": "-d"}.get(value, '-W ""')
        listed = " ".join(f"--{option}{'=' if value else ''}" for _, option, value, _ in options)
        cases.append(f'    {command or "*"}) options="{listed}" ;;')
    out = [f"# Completion of {name} for bash. Written by packaging/completions.py.", f"_{name}() {{",
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options",
           "    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}",
           "    [[ $word == = ]] && word=", "    case $before in"]
    for flags, how in values.items():
        names = NAMES if how in ("-f", "-d") else ""
        out += [f'    {flags}) {names}mapfile -t COMPREPLY < <(compgen {how} -- "$word"); return ;;']
    out += ["    esac", "    case ${COMP_WORDS[1]} in", *cases, "    esac"]
    if commands[0][0]:
        listed = " ".join(command for command, _, _ in commands) + " --help --version"
        out += [f'    ((COMP_CWORD == 1)) && options="{listed}"',
                "    if [[ $word == -* ]] || ((COMP_CWORD == 1)); then"]
    else:
        out += ["    if [[ $word == -* ]]; then"]
    out += ['        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")',
            "        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null", "    else",
            f'        {NAMES}mapfile -t COMPREPLY < <(compgen -f -- "$word")', "    fi", "}",
            f"complete -F _{name} {name}"]
    return "\n".join(out) + "\n"


def quoted(text):
    """What stands inside single quotes in a shell."""
    return text.replace("'", "'\\''")


def zsh_option(option):
    letter, name, value, text = option
    text = quoted(re.sub(r"([\[\]:\\])", r"\\\1", text))
    full = f"--{name}" + ("=" if value else "")
    action = ""
    if value:
        action = f":{value}:" + (f"({' '.join(words(value))})" if words(value) else
                                 {"FILE": "_files", "DIR": "_files -/"}.get(value, ""))
    if letter:
        short = f"-{letter}" + ("+" if value else "")
        return f"'(-{letter} --{name})'{{{short},{full}}}'[{text}]{action}'"
    return f"'{full}[{text}]{action}'"


def zsh(name, commands):
    out = [f"#compdef {name}", "# Written by packaging/completions.py."]
    if commands[0][0]:
        out += ["if ((CURRENT == 2)); then", "    local -a commands", "    commands=("]
        out += [f"        '{command}:{quoted(title)}'" for command, title, _ in commands]
        out += ["    )", "    _describe command commands", "    return", "fi", "shift words",
                "((CURRENT--))", "case $words[1] in"]
    for command, _, options in commands:
        indent = "    " if command else ""
        out += [f"{command})"] if command else []
        out += [f"{indent}_arguments -s \\"]
        out += [f"{indent}    {zsh_option(option)} \\" for option in options]
        out += [f"{indent}    '*:file:_files'" + (" ;;" if command else "")]
    return "\n".join(out + (["esac"] if commands[0][0] else [])) + "\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) < 2:
        sys.exit(__doc__)
    stale = []
    for program in arguments[1:]:
        name, commands = os.path.basename(program), list(parse(program))
        for path, text in (f"{name}.bash", bash(name, commands)), (f"_{name}", zsh(name, commands)):
            path = os.path.join(arguments[0], path)
            if "--check" not in sys.argv:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                continue
            with open(path, encoding="utf-8") as file:
                if file.read() != text:
                    stale.append(f"{path} is stale: see packaging/completions.py")
    sys.exit("\n".join(stale) if stale else 0)


if __name__ == "__main__":
    main()
