#!/usr/bin/env python3
"""bash and zsh complete what the programs take.

  shells_test.py DIRECTORY PROGRAM...

DIRECTORY is what share.py has written. A line with tabs is typed into a shell on a terminal, where a function
of the program's name prints the words that it gets. So no listing is read, and no time plays a part.
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import unittest

DIRECTORY, *PATHS = map(os.path.abspath, sys.argv[1:])
PROGRAMS = {os.path.basename(path): path for path in PATHS}
PATIENCE_S = 20

# What a manager knows, as list-categories prints it. A name is not a command.
KNOWN = r"Known categories\n  kernel:irq: of the machine: all\n  net\n  x$(touch${IFS}evil)\n  x`touch${IFS}evil`\n"

SETUP = {
    "bash": f"bind 'set completion-query-items 0'; bind 'set page-completions off'\n"
            f"for file in {DIRECTORY}/bash-completion/completions/*; do source $file; done\n",
    "zsh": f"fpath=({DIRECTORY}/zsh/site-functions $fpath) LISTMAX=9999; autoload -Uz compinit; compinit -u -D\n",
}

# What is typed, and the last word then, without what zsh takes away at its end.
TYPED = """
fxt rep                                  report
fxt hel                                  help
fxt help cu                              cut
fxt --help cu                            cut
fxt help fol                             fol
fxt help cut du                          du
fxt cut -t st                            st
fxt cut --to=st                          --to=st
fxt cut --from -2                        -2
fxt cut --ed                             --ed
fxt cut --open cl                        close
fxt cut --open=cl                        --open=close
fxt dump --time st                       start
fxt check -s no                          nonconforming
fxt check --edition=cu                   --edition=current
fxt check --edition cu                   current
fxt check --max-f                        --max-findings
fxt check --allow                        --allow-empty
fxt filter --stacks a\\ f                a file.fxt
fxt filter --kind=sch                    --kind=scheduling
fxt merge --align off                    offset
fxt merge --align=off                    --align=offset
fxt report --sort p5                     p50
fxt sql --save fol                       folder
fxt cut a\\ f                            a file.fxt
fxt cut "a f                             a file.fxt
fxt cut -o a\\ f                         a file.fxt
fxt cut --output=a\\ f                   --output=a file.fxt
fxt cut 1:                               1:2.fxt
fxt cut 1:2                              1:2.fxt
fxt cut --output=1:                      --output=1:2.fxt
fxt frobnicate fol                       fol
trace record --buffering-mode ci         circular
trace record --buffering-mode=ci         --buffering-mode=circular
trace record -m st                       streaming
trace record -l d                        drop
trace record --compress=tr               --compress=true
trace record --detach=fa                 --detach=false
trace start --compress tr                tr
trace start --decoup                     --decoup
trace start --format=h                   --format=html
trace start fol                          fol
trace stop fol                           fol
trace snapshot -o fol                    folder
trace convert a\\ f                      a file.fxt
trace record -c ne                       net
trace record -c kern                     kernel:irq
trace record -c kernel:i                 kernel:irq
trace record --categories=kernel:i       --categories=kernel:irq
trace record -c net,kernel:i             net,kernel:irq
trace record -c x                        x
trace record -- tou                      touch
trace record -d 1 -c kernel:irq -q tou   touch
trace record touch a\\ f                 a file.fxt
trace record --compress touch a\\ f      a file.fxt
trace record --duration=1 touch a\\ f    a file.fxt
trace record -l drop -- touch -c a\\ f   a file.fxt
trace-manager --directory fol            folder
trace-manager --directory f              folder
trace-manager --config pl                plain.fxt
trace-manager pl                         pl
ktrace_provider --categories=kernel:irq,kernel:sy  --categories=kernel:irq,kernel:syscall
"""


def help_of(program, *command):
    return subprocess.run([PROGRAMS[program], *command, "--help"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def commands_of(program):
    text = help_of(program)
    return re.findall(r"^  (\w[\w-]*) {2,}\S", text, re.M) if "\ncommands:" in text else []


def offered(*words, before=""):
    """What the function of bash sets for the last word."""
    script = (f'{before} source {DIRECTORY}/bash-completion/completions/{words[0]}.bash; COMP_WORDS=("$@"); '
              f'COMP_CWORD=$(($# - 1)); '
              f'COMP_LINE="$*"; COMP_POINT=${{#COMP_LINE}}; _{words[0]}; printf "%s\\n" "${{COMPREPLY[@]}}"')
    done = subprocess.run(["bash", "-c", script, "bash", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=True)
    assert done.stderr == "", done.stderr
    return done.stdout.splitlines() if done.stdout != "\n" else []


class Shell:
    """A shell on a terminal."""

    def __init__(self, *command):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="dumb", HISTFILE="")
            os.execvp(command[0], command)
        self.type(SETUP[command[0]])
        for name in PROGRAMS:
            self.type(f"""{name}() {{ [[ $1 == list-categories ]] && printf '{KNOWN}' && return
                printf '\\036'; printf '%s\\037' "$@"; printf '\\036'; }}\n""")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def words(self, line):
        """The words that the program gets if this is typed, then a tab and the end of the line."""
        self.type(line + "\t\n")
        got = b""
        while got.count(b"\036") < 2:
            assert select.select([self.terminal], [], [], PATIENCE_S)[0], (line, got)
            got += os.read(self.terminal, 4096)
        return got.split(b"\036")[1].decode().split("\037")[:-1]

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


class Completion(unittest.TestCase):
    def test_bash_offers_the_options_of_the_command_alone(self):
        for program in PROGRAMS:
            for command in [[name] for name in commands_of(program)] or [[]]:
                listed = re.findall(r"^  (?:-\w,|   ) (--[\w-]+=?)", help_of(program, *command), re.M)
                self.assertGreater(len(listed), 1)
                self.assertEqual(sorted(offered(program, *command, "--")), sorted(listed), (program, command))

    def test_bash_offers_commands(self):
        for program in "fxt", "trace":
            names = commands_of(program)
            self.assertEqual(offered(program, ""), names + ["help", "--help", "--version"])
            for word in "help", "-h", "--help":
                self.assertEqual(offered(program, word, ""), names)

    def test_bash_offers_values(self):
        for words, values in ((("fxt", "cut", "-t", ""), ""),
                              (("fxt", "cut", "--open", "=", ""), "keep close drop"),
                              (("fxt", "cut", "--open", "="), "keep close drop"),
                              (("fxt", "merge", "--align", ""), "none start wall offset="),
                              (("trace", "record", "--buffering-mode", ""), "oneshot circular streaming"),
                              (("trace", "record", "--detach", "="), "true false")):
            self.assertEqual(offered(*words), values.split(), words)

    def test_bash_hands_the_traced_command_over(self):
        handed = offered("trace", "record", "-c", "kernel", ":", "irq", "-q", "ls", "",
                         before='_command_offset() { COMPREPLY=("from $1"); };')
        self.assertEqual(handed, ["from 7"])

    def complete(self, *command):
        shell = Shell(*command)
        for typed, last in re.findall(r"^(\S.*?)  +(\S.*)$", TYPED, re.M):
            with self.subTest(shell=command[0], typed=typed):
                self.assertEqual(shell.words(typed)[-1].rstrip("=/,"), last)
        self.assertEqual(os.path.exists("evil"), False)
        shell.end()

    def test_bash_completes_what_is_typed(self):
        self.complete("bash", "--norc", "--noprofile", "-i")

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_completes_what_is_typed(self):
        self.complete("zsh", "-f", "-i")


if __name__ == "__main__":
    room = os.path.join(os.environ["TEST_TMPDIR"], "room")
    os.makedirs(os.path.join(room, "folder"))
    os.chdir(room)
    for name in "a file.fxt", "f.fxt", "plain.fxt", "1:2.fxt":
        with open(name, "w", encoding="utf-8"):
            pass
    unittest.main(argv=sys.argv[:1])
