#!/usr/bin/env python3
"""Writes what follows from the programs' tables of options, as --help prints them: the manual pages and
the completions.

  share.py DIRECTORY FILE...

A FILE is a program, or the page of one that is given, such as fxt.1.in. In a page these lines stand for
what --help prints, and @VERSION@ stands for the version:
  .SYNOPSIS             the usage of each command, in the order of their sections
  .SS PROGRAM COMMAND   begins the section of a command; the options below are those of this command
  .COMMANDS NAME...     the options below are those of these commands, which it lists
  .OPTION NAME !COMMAND...
                        begins the paragraph of an option; !COMMAND has no such option, or its own
  .SAME PROGRAM COMMAND this command has the options of that one, whose page describes them
Below another heading, options are those of all commands. Each option of each command must have one place.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import completions

OPTION = re.compile(r"^  (?:-(\w),|   ) --([\w-]+)(\[?=[^\s\]]+\]?)?(?:\s+(.*))?$")


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


class Mistake(Exception):
    """What is wrong with a page."""


class Program:
    """name, help, version; commands: {name, or "" without commands: (title, operands, options)}."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        self.help, self.version = run(path, "--help"), run(path, "--version").split()[1]
        titles = dict(re.findall(r"^  (\w[\w-]*) {2,}(\S.*)$", self.help, re.M)
                      if "\ncommands:" in self.help else [("", "")])
        self.commands = {}
        for name, title in titles.items():
            text = run(path, name, "--help") if name else self.help
            lines = text.split("\noptions:\n")[1].split("\n\n")[0]
            lines = re.sub(r"\n {20,}", "  ", lines).split("\n")
            options = [OPTION.match(line).groups("") for line in lines if line.startswith("  ")]
            self.commands[name] = title, re.search(r"\[OPTION\]\.\.\.(.*)", text)[1], options


class Page:
    """A page whose lines are filled in one by one."""

    def __init__(self, path, programs):
        self.file = os.path.basename(path)
        self.name, self.section, _ = self.file.rsplit(".", 2)
        self.program, self.programs = programs[self.name], programs
        self.options = {name: {option[1]: option for option in options}
                        for name, (_, _, options) in self.program.commands.items()}
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().replace("@VERSION@", self.program.version).splitlines()
        self.scope = list(self.options)
        self.places = []

    def text(self):
        out = []
        for number, line in enumerate(self.lines, 1):
            word, *words = line.replace("\\-", "-").split() or [""]
            fill = {".SH": self.heading, ".SS": self.heading, ".SYNOPSIS": self.synopsis, ".SAME": self.same,
                    ".COMMANDS": self.listed, ".OPTION": self.option}.get(word)
            try:
                out += fill(line, *words) if fill else [line]
            except Mistake as mistake:
                sys.exit(f"{self.file}:{number}: {mistake}")
        for command, options in self.options.items():
            for option in options:
                if self.places.count((command, option)) != 1:
                    sys.exit(f"{self.file}: {self.places.count((command, option))} places for "
                             f"'{self.name} {command} --{option}'".replace("  ", " "))
        return "".join(f"{line}\n" for line in out)

    def heading(self, line, *words):
        named = words[:1] == (self.name,) and len(words) == 2
        self.scope = [self.known(words[1])] if named else list(self.options)
        return [line]

    def known(self, command):
        if command not in self.options:
            raise Mistake(f"{self.name} has no command '{command}'")
        return command

    def synopsis(self, _line):
        names = re.findall(rf"^\.SS {self.name} (\S+)$", "\n".join(self.lines), re.M) or [""]
        if sorted(names) != sorted(self.options):
            raise Mistake(f"sections and commands differ: {sorted(set(names) ^ set(self.options))}")
        usages = [f"\\fB{self.name} {name}".strip().replace("-", "\\-") +
                  styled(f"\\fR [OPTION]...{self.program.commands[name][1]}") for name in names]
        return "\n.br\n".join(usages).split("\n")

    def listed(self, _line, *names):
        self.scope = [self.known(name) for name in names]
        names = [f"\\fB{self.name} {name}\\fR".replace("-", "\\-") for name in names]
        return [f"For {', '.join(names[:-1])} and {names[-1]}."]

    def option(self, _line, name, *without):
        without = [self.known(command.lstrip("!")) for command in without]
        names = [command for command in self.scope if command not in without]
        lacking = [command for command in names if name not in self.options[command]]
        if lacking:
            raise Mistake(f"{self.name} {lacking[0]} has no option '--{name}'".replace("  ", " "))
        if len({self.options[command][name][:3] for command in names}) != 1:
            raise Mistake(f"'--{name}' has another letter or value in another command")
        self.places += [(command, name) for command in names]
        letter, _, value, _ = self.options[names[0]][name]
        return [".TP", styled(f"-{letter}, " * bool(letter) + f"--{name}{value}")]

    def same(self, _line, program, command, *without):
        mine = self.scope[0]
        other = self.programs[program].commands.get(command) if program in self.programs else None
        options = [option for option in other[2] if option[1] not in without] if other else None
        if options != self.program.commands[mine][2]:
            raise Mistake(f"{self.name} {mine} has not the options of {program} {command}")
        self.places += [(mine, option) for option in self.options[mine]]
        return []


def styled(text):
    """Options in bold, and what stands for something else in italics."""
    text = re.sub(r"(?<![\w-])--?[\w-]*=?", lambda it: f"\\fB{it[0]}\\fR", text)
    text = re.sub(r"(?<!\\f)[A-Z]+", r"\\fI\g<0>\\fR", text)
    return text.replace("-", "\\-")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    programs = [Program(path) for path in sys.argv[2:] if not path.endswith(".in")]
    files = {}
    for program in programs:
        files[f"bash-completion/completions/{program.name}.bash"] = completions.bash(program)
        files[f"zsh/site-functions/_{program.name}"] = completions.zsh(program)
    programs = {program.name: program for program in programs}
    for page in [Page(path, programs) for path in sys.argv[2:] if path.endswith(".in")]:
        files[f"man/man{page.section}/{page.name}.{page.section}"] = page.text()
    for path, text in files.items():
        path = os.path.join(sys.argv[1], path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
