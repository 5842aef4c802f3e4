#!/usr/bin/env python3
"""The manual page and --help list the same options."""

import re
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
import testing
from testing import assemble, equal, fxt, write

COMMANDS = ["check", "dump", "json", "asm", "stat", "salvage", "fmt", "report", "html", "sql", "export",
            "cut", "filter", "merge", "diff"]


def options_of_help(command):
    """The set of (letter or None, name, argument or None) that --help lists."""
    found = set()
    for line in fxt(command, "--help").lines():
        match = re.match(r"  (?:-(\w),|   ) --([\w-]+)(?:=(\S+))?(?:  |$)", line)
        if match:
            found.add(match.groups())
    return found


def sections():
    """Section title -> set of options that head a paragraph there."""
    found, title = {}, None
    lines = open(testing.MANUAL, encoding="utf-8").read().splitlines()
    for before, line in zip([""] + lines, lines):
        heading = re.match(r"\.S[HS] (.*)", line)
        if heading:
            title = heading.group(1)
            found[title] = set()
        elif before == ".TP" and re.match(r"\.[BIR]+ \\-", line):
            text = re.sub(r"^\.[BIR]+ ", "", line).replace(r"\fI", "").replace(r"\fR", "")
            text = text.replace('"', "").replace(" ", "").replace("\\-", "-")
            match = re.fullmatch(r"(?:-(\w),)?--([\w-]+)(?:=(\S+))?", text)
            assert match, line
            found[title].add(match.groups())
    return found


def test_same_options():
    pages = sections()
    common = pages["COMMON OPTIONS"]
    equal(len(common), 6)
    for command in COMMANDS:
        own = pages["fxt " + command]
        listed = options_of_help(command)
        of_traces = ("max-record", "allow-empty")
        without = {"asm": of_traces, "salvage": of_traces, "export": ("output",)}.get(command, ())
        expected = own | {o for o in common if o[1] not in without or o in own}
        if command == "export":
            expected = {o for o in expected if o != ("o", "output", "FILE")}
        equal(sorted(listed, key=str), sorted(expected, key=str), command)
        assert len(listed) >= 4


def test_every_listed_option_is_accepted():
    values = {"rule": "EVT-03", "max-findings": "5", "max-record": "1M", "output": "out", "top": "5",
              "save": "db", "from": "25%", "to": "+1.5s", "process": "7", "thread": "0x7",
              "provider": "app", "category": "net:*", "name": "a?"}
    oneshot = struct.pack("<QIIQQQ", 0x627566EE68656164, 0, 0, 4096, 0, 3968).ljust(4096, b"\0")
    for command in COMMANDS:
        data = {"salvage": oneshot, "asm": b"magic\n"}.get(command, assemble("magic\n"))
        each = [(letter, name, values.get(name, value).replace("TIME,...", "0s"))
                for letter, name, argument in options_of_help(command) for value in (argument or "").split("|")]
        for letter, name, value in each:
            value = "=" + value if value else ""
            if command == "export" and name == "output":
                value = "=tables"
            files = ["-", "select 1"] if command == "sql" else []
            if command == "export" and name != "output":
                files = ["--output=tables"]
            if "diff" in (command, name) or value.startswith("=offset"):
                files = ["-", write("other", data)]
            result = fxt(command, f"--{name}{value}", *files, data=data)
            # 1: there is nothing to select; 3: no wall-clock time
            fine = (0, 1) if command in ("cut", "filter") else (3,) if value == "=wall" else (0,)
            equal(result.code in fine, True, f"{command} --{name}{value}")
            if letter:
                result = fxt(command, f"-{letter}{value[1:]}", *files, data=data)
                equal(result.code in fine, True, f"{command} -{letter}")


def test_same_version():
    first = open(testing.MANUAL, encoding="utf-8").readline()
    assert f'"{fxt("--version").text.strip()}"' in first, first


def test_all_commands_are_described():
    usage = fxt("--help").text
    for command in COMMANDS:
        assert f"\n  {command} " in usage
    for line in usage.split("commands:\n")[1].split("\n\n")[0].splitlines():
        assert line.startswith("  ") == (not line.endswith(":")), line
        assert line.endswith(":") or line.split()[0] in COMMANDS, line


def test_quotes_in_macros_are_around_whole_arguments():
    """Else roff prints some of them and not others."""
    for page in [testing.MANUAL]:
        for line in open(page, encoding="utf-8"):
            if re.match(r"\.[BIR]+ ", line):
                assert re.fullmatch(r"\.[BIR]+( +(\"[^\"]*\"|[^\" \n]+))+ *\n", line), line


def test_page_is_good_roff():
    if shutil.which("groff") is None:
        print("skipped: no groff")
        return
    result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", testing.MANUAL],
                            stderr=subprocess.PIPE, check=False)
    equal((result.returncode, result.stderr), (0, b""))


testing.main(globals())
