#!/usr/bin/env python3
"""The manual pages and --help list the same options; usage errors."""

import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import tracing
from tracing import MANAGER, equal, fxt, trace

COMMANDS = ["record", "start", "stop", "snapshot", "status", "list-providers", "list-categories",
            "convert"]
HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = {"trace.1": [tracing.TRACE], "trace-manager.8": [MANAGER]}
RESULT, SESSION = "OPTIONS OF THE RESULT", "OPTIONS OF WHAT IS RECORDED"
SECTIONS = {
    "record": [RESULT, SESSION, "trace record"],
    "start": [RESULT, SESSION, "trace start"],
    "stop": [],
    "snapshot": [RESULT, "trace snapshot"],
    "status": ["OPTIONS OF STATUS AND LISTS"],
    "list-providers": ["OPTIONS OF STATUS AND LISTS"],
    "list-categories": ["OPTIONS OF STATUS AND LISTS"],
}


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def options_of_help(command, run=trace):
    """The set of (letter or None, name, argument or None) that --help lists."""
    found = set()
    for line in run(command, "--help").lines():
        match = re.match(r"  (?:-(\w),|   ) --([\w-]+)(\[?=\S+)?(?:  |$)", line)
        if match:
            found.add(match.groups())
    return found


def sections():
    """Section title -> set of options that head a paragraph there."""
    found, title = {}, None
    lines = read("trace.1").splitlines()
    for before, line in zip([""] + lines, lines):
        heading = re.match(r"\.S[HS] (.*)", line)
        if heading:
            title = heading.group(1)
            found[title] = set()
        elif before == ".TP" and re.match(r"\.[BIR]+ \\-", line):
            text = re.sub(r"^\.[BIR]+ ", "", line).replace(r"\fI", "").replace(r"\fR", "")
            text = text.replace('"', "").replace(" ", "").replace("\\-", "-")
            match = re.fullmatch(r"(?:-(\w),)?--([\w-]+)(\[?=\S+)?", text)
            assert match, line
            found[title].add(match.groups())
    return found


def test_same_options():
    pages = sections()
    for command, titles in SECTIONS.items():
        expected = set().union(pages["OPTIONS OF ALL COMMANDS"], *(pages[title] for title in titles))
        equal(sorted(options_of_help(command), key=str), sorted(expected, key=str), command)
    equal(options_of_help("convert"), options_of_help("json", fxt), "convert, which is as fxt(1) says")


def test_every_listed_option_is_accepted():
    values = {"output-file": "out", "categories": "a", "provider-categories": "a:b", "buffer-size": "5",
              "provider-buffer-size": "a:5", "duration": "0.01", "timeout": "1", "trigger": "a:stop",
              "config": "config", "append-args": "a"}
    with open("config", "w", encoding="utf-8") as file:
        file.write("{}")
    for letter, name, argument in options_of_help("record"):
        taken = [""]
        if argument and argument[0] == "=":
            taken = [f"={value}" for value in values.get(name, argument[1:]).split("|")]
        for option in [f"--{name}{value}" for value in taken] + ([f"-{letter}{taken[0][1:]}"] if letter else []):
            result = trace("record", "-d0.1", "--allow-empty", option, "--", "true")
            equal(result.code, 0, option)
        if argument == "[=BOOL]":
            for value in ("true", "false"):
                equal(trace("record", "-d.1", "--allow-empty", f"--{name}={value}", "--", "true").code, 0, name)
            equal(trace("record", f"--{name}=maybe", "--", "true").code, 2, name)


def test_usage():
    equal(trace().code, 2)
    assert "usage: trace" in trace().err
    for args in (["frobnicate"], ["--frobnicate"]):
        result = trace(*args)
        equal((result.code, result.text), (2, ""))
        assert "frobnicate" in result.err, result
    for command in COMMANDS:
        for option in ("--frobnicate", "-Z"):
            result = trace(command, option)
            equal((result.code, result.text), (2, ""), command)
            assert option.lstrip("-") in result.err, result
            assert f"Try 'trace {command} --help'." in result.err, result
        if command not in ("record", "convert"):
            result = trace(command, "operand")
            equal((result.code, result.text), (2, ""), command)
            assert "operand" in result.err, result
    for args in (["-d", "0"], ["-d", "-1"], ["-d", "x"], ["-d", "nan"], ["-d", "1e10"], ["-d", "1s"],
                 ["-b", "0"], ["-b", "4097"], ["-b", "-1"], ["-b", "1.5"], ["-b", "x"], ["-m", "x"],
                 ["-m", "oneshots"], ["-t", "a"], ["-t", "a:go"], ["-t", ":stop"],
                 ["-t", "fifteen bytes..:stop"], ["-t", "a:stop", "-t", "a:stop"], ["-c", ""],
                 ["-c", "a,,b"], ["-c", ",".join(["x"] * 101)], ["--format=xml"], ["-o", ""],
                 ["--provider-buffer-size=1"], ["--provider-buffer-size=:1"],
                 ["--provider-buffer-size=a:0"], ["--provider-categories=a"],
                 ["--provider-categories=:a"], ["--provider-categories=a:"], ["--stream", "-mo"],
                 ["--stream", "--defer-transfer"], ["--defer-transfer", "-mc"],
                 ["--append-args=a"], ["--config="], ["--compress=x"]):
        result = trace("record", *args)
        equal((result.code, result.text), (2, ""), args)
        assert result.err.startswith("trace: "), result
    assert not os.path.exists("trace.fxt")


def test_help_and_version():
    for args in (["--help"], ["-h"], ["help"]):
        result = trace(*args)
        equal((result.code, result.err), (0, ""))
        listed = result.text.split("commands:\n")[1].split("\n\n")[0].splitlines()
        equal([line.split()[0] for line in listed], COMMANDS)
    for command in COMMANDS:
        result = trace(command, "--help")
        equal((result.code, result.err), (0, ""))
        assert result.text.startswith(f"usage: trace {command} "), result
        assert all(len(line) <= 100 for line in result.lines()), result
        equal(trace(command, "--version").text, trace("--version").text)


def test_same_version():
    for name, program in PAGES.items():
        version = subprocess.run(program + ["--version"], stdout=subprocess.PIPE, check=True).stdout
        first = read(name).splitlines()[0]
        assert f'"{version.decode().strip()}"' in first, first


def test_the_daemons_options():
    text = subprocess.run([MANAGER, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    page = read("trace-manager.8").replace("\\-", "-")
    equal(sorted(set(re.findall(r"--[a-z-]+", text))),
          sorted(set(re.findall(r"^\.BI? (?:-h, )?(--[a-z-]+)", page, re.M))))


def test_quotes_in_macros_are_around_whole_arguments():
    """Else roff prints some of them and not others."""
    for page in [os.path.join(HERE, name) for name in PAGES]:
        for line in open(page, encoding="utf-8"):
            if re.match(r"\.[BIR]+ ", line):
                assert re.fullmatch(r"\.[BIR]+( +(\"[^\"]*\"|[^\" \n]+))+ *\n", line), line


def test_pages_are_good_roff():
    if shutil.which("groff") is None:
        print("skipped: no groff")
        return
    for name in PAGES:
        result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", os.path.join(HERE, name)],
                                stderr=subprocess.PIPE, check=False)
        equal((result.returncode, result.stderr), (0, b""))


tracing.main(globals())
