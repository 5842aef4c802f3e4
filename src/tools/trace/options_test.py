#!/usr/bin/env python3
"""The options of trace, what --help lists, and usage errors."""

import os
import re
import sys

sys.dont_write_bytecode = True
import tracing
from tracing import equal, trace

COMMANDS = ["record", "start", "stop", "snapshot", "status", "list-providers", "list-categories",
            "convert"]


def options_of_help(command):
    """The set of (letter or None, name, argument or None) that --help lists."""
    found = set()
    for line in trace(command, "--help").lines():
        match = re.match(r"  (?:-(\w),|   ) --([\w-]+)(\[?=\S+)?(?:  |$)", line)
        if match:
            found.add(match.groups())
    return found


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
            equal(result.code, 2 if option == "--live" else 0, option)  # live_test.py has a terminal
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


tracing.main(globals())
