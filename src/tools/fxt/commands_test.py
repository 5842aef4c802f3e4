#!/usr/bin/env python3
"""fxt as users see it: what each command prints, and its exit codes."""

import json
import os
import random
import re
import struct
import sys

sys.dont_write_bytecode = True
import testing
from testing import EVENT, GOOD, HEAD, assemble, equal, fxt, word, write

COMMANDS = ["check", "dump", "json", "asm", "stat", "salvage", "fmt", "report", "html", "sql", "export",
            "cut", "filter", "merge", "diff", "view", "import"]
os.environ.update(BROWSER="true", TMPDIR=os.environ.get("TEST_TMPDIR", "/tmp"))  # of view
with open("src/tools/fxt/fxt.1.in", "rb") as page_file:
    PAGE = page_file.read()
ZERO_SIZE = word(0x4)  # an event whose size is 0
SHORT_EVENT = word(0x14)  # an event of one word: no timestamp


def test_usage():
    equal(fxt().code, 2)
    assert "usage: fxt" in fxt().err
    for args in (["frobnicate"], ["--frobnicate"]):
        result = fxt(*args)
        equal((result.code, result.text), (2, ""))
        assert "frobnicate" in result.err, result
    for command in COMMANDS:
        for option in ("--frobnicate", "-Z", "--output"):
            result = fxt(command, option)
            equal((result.code, result.text), (2, ""), command)
            assert option.lstrip("-") in result.err and "--help" in result.err, result


def test_a_typo_is_told_the_nearest_name():
    for args, words in ((["chekc"], "unknown command 'chekc'; did you mean 'check'?"),
                        (["help", "dmup"], "unknown command 'dmup'; did you mean 'dump'?"),
                        (["help", "--dmup"], "unknown option '--dmup'"),
                        (["help", "cut", "--frobnicate"], "takes one command, not 'cut --frobnicate'"),
                        (["--help", "cut", "dump"], "takes one command, not 'cut dump'"),
                        (["check", "--sumary"], "option '--sumary' is unknown; did you mean '--summary'?"),
                        (["check", "--edtion=2020"], "did you mean '--edition'?"),
                        (["check", "--max=3"], "option '--max=3' is short for several"),
                        (["check", "-Z"], "option '-Z' is unknown\n")):
        result = fxt(*args)
        equal((result.code, result.text), (2, ""))
        assert words in result.err, (args, result)


def test_help_and_version():
    for args in (["--help"], ["-h"], ["help"], ["help", "help"], ["help", "--help"]):
        result = fxt(*args)
        equal((result.code, result.err), (0, ""))
        listed = result.text.split("commands:\n")[1].split("\n\n")[0].splitlines()
        groups = [line for line in listed if line.endswith(":")]
        assert len(groups) > 1 and all(re.match(r" \w", line) for line in groups), groups
        equal(sorted(line.split()[0] for line in listed if line not in groups), sorted(COMMANDS))
    equal(fxt("--version").text.split()[0], "fxt")
    assert fxt("--version").text.split()[1][0].isdigit(), fxt("--version")
    for command in COMMANDS:
        result = fxt(command, "--help")
        equal(fxt("help", command).text, result.text)
        equal((result.code, result.err), (0, ""))
        assert result.text.startswith(f"usage: fxt {command} "), result
        assert all(len(line) <= 100 for line in result.lines()), result
        equal(fxt(command, "--version").text, fxt("--version").text)


def test_every_listed_option_is_accepted():
    values = {"rule": "EVT-03", "max-findings": "5", "max-record": "1M", "output": "out", "top": "5",
              "save": "db", "from": "25%", "to": "+1.5s", "process": "7", "thread": "0x7",
              "provider": "app", "category": "net:*", "name": "a?"}
    oneshot = struct.pack("<QIIQQQ", 0x627566EE68656164, 0, 0, 4096, 0, 3968).ljust(4096, b"\0")
    for command in COMMANDS:
        data = {"salvage": oneshot, "asm": b"magic\n", "import": b"[]"}.get(command, assemble("magic\n"))
        listed = re.findall(r"^  (?:-(\w),|   ) --([\w-]+)(?:=(\S+))?(?:  |$)", fxt(command, "--help").text, re.M)
        assert len(listed) >= 4, command
        each = [(letter, name, (value if "|" in argument else values.get(name, value)).replace("TIME,...", "0s"))
                for letter, name, argument in listed for value in argument.split("|")]
        for letter, name, value in each:
            value = "=" + value if value else ""
            if command == "export" and name == "output":
                value = "=tables"
            files = ["-", "select 1"] if command == "sql" else []
            if command == "export" and name != "output":
                files = ["--output=stacks" if value in ("=speedscope", "=folded") else "--output=tables"]
            if name == "no-formulas":  # of CSV alone
                files = [*files, "--format=csv" if command == "export" else "--csv"]
            if "diff" in (command, name) or value.startswith("=offset"):
                files = ["-", write("other", data)]
            # 1: there is nothing to select, or no such text; 3: no wall-clock time
            selects = command in ("cut", "filter") or (command in ("json", "import") and name in ("from", "to"))
            fine = (0, 1) if selects else (3,) if value == "=wall" else (0,)
            for option in [f"--{name}{value}"] + [f"-{letter}{value[1:]}"] * bool(letter):
                equal(fxt(command, option, *files, data=data).code in fine, True, f"{command} {option}")


def short_options():
    """{letter: {option: commands}}, as --help lists them."""
    found = {}
    for command in COMMANDS:
        for letter, name in re.findall(r"^  -(\w), --([\w-]+)", fxt(command, "--help").text, re.M):
            found.setdefault(letter, {}).setdefault(name, []).append(command)
    return found


def test_a_letter_means_one_option():
    """The manual page has a line for each."""
    found = short_options()
    page = PAGE.decode().replace("\\-", "-")
    for letter, options in found.items():
        equal(len(options), 1, (letter, options))
        (name, commands), = options.items()
        words = re.search(rf"^-{letter}  --{name} +(.*)$", page, re.M)
        assert words, (letter, name)
        which = {"all": set(COMMANDS), "all but view": set(COMMANDS) - {"view"}}.get(words[1], set(words[1].split(", ")))
        equal(sorted(which), sorted(commands), letter)
    equal(len(re.findall(r"^-\w  --", page, re.M)), len(found))


def test_old_letters_are_taken_with_a_warning():
    write("good.fxt", GOOD)
    for command, letter, name, value in (
            ("check", "c", "canonical", ""), ("diff", "l", "lines", ""), ("dump", "e", "events", ""),
            ("dump", "t", "time", "clock"), ("export", "f", "format", "csv"), ("filter", "t", "thread", "200"),
            ("filter", "s", "stacks", ""), ("merge", "a", "align", "start"), ("report", "s", "sort", "count"),
            ("report", "n", "top", "1"), ("report", "c", "csv", ""), ("sql", "c", "csv", ""), ("sql", "s", "save", "db")):
        files = {"sql": ["good.fxt", "select 1"], "merge": ["good.fxt"] * 2, "diff": ["good.fxt"] * 2,
                 "export": ["--output=tables", "good.fxt"]}.get(command, ["good.fxt"])
        new = fxt(command, f"--{name}={value}" if value else f"--{name}", *files)
        equal(new.code in (0, 1), True, new)
        for old in ([f"-{letter}{value}"], [f"-{letter}", value] if value else [f"-{letter}"]):
            result = fxt(command, *old, *files)
            warning = f"fxt: {command}: -{letter} for --{name} is an old form, which will go: write --{name}\n"
            equal((result.code, result.out, result.err), (new.code, new.out, warning + new.err), old)
        assert f"-{letter}, " not in fxt(command, "--help").text
    equal(fxt("report", "-s").err.splitlines()[0], "fxt: report: option '-s' needs a value")


def test_a_word_is_given_whole():
    write("good.fxt", GOOD)
    for args in (["cut", "--open=kee"], ["cut", "--open=keeps"], ["cut", "--open="], ["fmt", "--large=drop|"]):
        result = fxt(*args, "good.fxt")
        equal((result.code, result.text), (2, ""), args)
        assert "invalid argument" in result.err, result


def test_bad_values():
    for option in ("--edition=2019", "--severity=definition", "--severity=bad", "--rule=EVT-99",
                   "--rule=", "--max-findings=-1", "--max-findings=x", "--max-record=0",
                   "--max-record=31K", "--max-record=33G", "--max-record=1T", "--max-record=",
                   "--max-record=1KB", "--max-record=99999999999999999999", "--output="):
        result = fxt("check", option)
        equal((result.code, result.text), (2, ""), option)
        assert "invalid argument" in result.err, result
    equal(fxt("check", "--edition=2019").err,
          "fxt: invalid argument '2019' of --edition\nTry 'fxt check --help'.\n"
          "  -e, --edition=2020|current  the edition to check against (current)\n")
    for option in ("--max-record=32K", "--max-record=32G", "--max-record=100000", "--edition=2020"):
        equal(fxt("check", option, data=assemble(GOOD)).code, 0, option)


def test_check_clean():
    result = fxt("check", write("good.fxt", GOOD))
    equal((result.code, result.text), (0, ""))
    equal(result.err,
          "good.fxt: 0 malformed, 0 nonconforming, 0 suspicious in 8 records, 160 bytes\n")
    result = fxt("check", "-q", "good.fxt")
    equal((result.code, result.text, result.err), (0, "", ""))


def test_check_finding_line():
    write("bad.fxt", assemble(HEAD) + SHORT_EVENT + assemble(EVENT % 7))
    result = fxt("check", "bad.fxt")
    equal(result.code, 1)
    equal(result.lines(),
          ["bad.fxt:0x58: malformed: EVT-01: an event record holds its timestamp (event)"])
    assert result.err.startswith("bad.fxt: 1 malformed, 0 nonconforming, 0 suspicious in 7 records")
    result = fxt("check", "-q", "bad.fxt")
    equal((result.code, result.text, result.err), (1, "", ""))


def test_check_fatal_ends():
    write("zero.fxt", assemble(HEAD) + ZERO_SIZE + assemble(EVENT % 7))
    result = fxt("check", "zero.fxt")
    equal(result.code, 1)
    equal([line.split(":")[1:4] for line in result.lines()], [["0x50", " malformed", " REC-02"]])
    write("cut.fxt", assemble(GOOD)[:-8])
    result = fxt("check", "-smalformed", "cut.fxt")
    equal([line.split(":")[1:4] for line in result.lines()], [["0x90", " malformed", " REC-03"]])
    write("odd.fxt", assemble(GOOD)[:-1])
    equal(fxt("check", "odd.fxt").code, 1)
    write("swapped.fxt", assemble("magic\n")[::-1])
    assert "REC-10" in fxt("check", "swapped.fxt").text


def test_what_a_trace_leaves_open_is_found_at_the_next_magic_too():
    begins = "".join(f'event duration_begin timestamp=1 thread=1/{i} category="c" name="n"\n' for i in range(1, 71))
    alone = fxt("check", data=assemble("magic\n" + begins))
    equal((alone.code, len(alone.lines())), (1, 70))
    two = fxt("check", data=assemble("magic\n" + begins + "magic\n"))
    equal((two.code, two.lines()), (1, alone.lines()))
    for options in (["-s", "nonconforming"], ["-r", "ARG-06"]):
        equal(fxt("check", "-q", *options, data=assemble("magic\n" + begins + "magic\n")).code, 0, options)


def test_check_goes_on_after_zero_words():
    # A run of them is one finding.
    write("zeros.fxt", assemble(HEAD) + word(0) * 3 + SHORT_EVENT + word(0))
    equal([line.split(": ")[2] for line in fxt("check", "zeros.fxt").lines()],
          ["REC-09", "EVT-01", "REC-09"])


def test_check_filters():
    write("mixed.fxt", assemble(HEAD) + SHORT_EVENT +
          assemble("event instant timestamp=1 thread=@9 category=@77 name=@2 scope=thread\n"))

    def rules(*options):
        result = fxt("check", *options, "mixed.fxt")
        found = [line.split(": ")[2] for line in result.lines()]
        equal(result.code, 1 if found else 0, options)
        return found
    equal(rules(), ["EVT-01", "STR-02", "THR-02"])
    equal(rules("--severity=malformed"), ["EVT-01"])
    equal(rules("--severity=nonconforming"), ["EVT-01"])
    equal(rules("--rule=STR-02"), ["STR-02"])
    equal(rules("--rule=STR-02", "-r", "THR-02"), ["STR-02", "THR-02"])
    equal(rules("--rule=STR-02", "--severity=malformed"), [])
    equal(rules("--rule=STR-05"), [])
    assert "(event, string ref 77)" in fxt("check", "mixed.fxt").text


def test_check_max_findings():
    write("many.fxt", assemble(HEAD) + SHORT_EVENT * 1500)
    result = fxt("check", "many.fxt")
    equal(len(result.lines()), 1000)
    assert "500 more findings are not shown" in result.err, result
    assert "1500 malformed" in result.err, result
    equal(len(fxt("check", "--max-findings=7", "many.fxt").lines()), 7)
    equal(len(fxt("check", "--max-findings=0", "many.fxt").lines()), 1500)
    # the limit is for each file
    equal(len(fxt("check", "--max-findings=7", "many.fxt", "many.fxt").lines()), 14)


def test_check_is_not_clean_if_some_rules_are_not_known():
    """The 16th argument's finding comes behind 64 others of its record."""
    odd = "".join(word(6 | 2 << 4 | 0x8000 << 16 | 0x8000 << 32 | last << 48).hex() + word(1).hex()
                  for last in [0] * 14 + [0xffff])
    args = bytes.fromhex(odd)
    head = word(4 | (1 + 1 + 30 + 2) << 4 | 3 << 16 | 15 << 20 | 2 << 24 | 7 << 32 | 8 << 48)
    write("many.fxt", assemble("magic\nprovider_info provider_id=1 name=\"p\"\n"
                               "thread index=1 process=100 thread=101\n") + head + word(5) + args + word(0) * 2)
    assert "over 64 of them" in fxt("check", "many.fxt").err, fxt("check", "many.fxt")
    for options in (["-s", "nonconforming"], ["-q", "-s", "nonconforming"], ["--rule=REC-04"]):
        result = fxt("check", "many.fxt", *options)
        equal(result.code, 1, result)
    # What does not decode has fewer findings.
    result = fxt("check", "many.fxt", "-s", "malformed")
    equal((result.code, result.text), (0, ""), result)


def test_check_lists_findings_in_the_order_of_their_offsets():
    begins = "".join("event async_begin timestamp=%d thread=@1 category=@1 name=@2 id=%d\n" % (n, n) for n in range(8))
    write("late.fxt", assemble(HEAD + begins + "event duration_begin timestamp=20 thread=@1 category=@1 name=@99\n"))
    for options in ([], ["--canonical"]):
        found = [json.loads(line) for line in fxt("check", "--json", *options, "late.fxt").lines()]
        offsets = [finding["offset"] for finding in found]
        equal((offsets, len(set(offsets)) > 8), (sorted(offsets), True))
        text = fxt("check", *options, "late.fxt").lines()
        equal([line.split(": ")[0] for line in text], ["late.fxt:0x%x" % offset for offset in offsets])
        equal([line.split(": ")[2] for line in text], [finding["rule"] for finding in found])
    # Beyond 1024 findings, these are in order that lie less than 512 findings apart.
    write("many.fxt", assemble(HEAD + begins) + (word(0) + SHORT_EVENT) * 3000)
    found = [json.loads(line) for line in fxt("check", "--json", "--max-findings=0", "many.fxt").lines()]
    late = [finding["offset"] for finding in found if finding["rule"] == "EVT-06"]
    equal((len(found), late), (6008, sorted(late)))
    others = [finding["offset"] for finding in found if finding["rule"] != "EVT-06"]
    equal(others, sorted(others))


def test_check_summary():
    write("many.fxt", assemble(HEAD) + SHORT_EVENT * 15 + word(0))
    result = fxt("check", "--summary", "many.fxt")
    equal(result.code, 1)
    equal(result.lines()[0], "many.fxt: 1 x malformed: REC-09: an all-zero word is not a record")
    equal(len(result.lines()), 2)
    counts = json.loads(fxt("check", "--summary", "--json", "many.fxt").text)
    equal(counts, {"file": "many.fxt", "bytes": 208, "records": 20,
                   "findings": {"REC-09": 1, "EVT-01": 15}})


def test_check_hints():
    event = "word event.header size=4 event_type=%d arg_count=1 thread=1 category=1 name=2\nu64 1\n"
    for lines, hint in (
            (event % 1 + "u64 7\nword arg.header type=1 size=1 name=1 data=5\n", "the id of a counter"),
            (event.replace("size=4", "size=5") % 1 + "u64 7\nu64 5\nword arg_plain.header type=3 size=2 name=1\n",
             "the id of a counter"),
            (event % 0 + "word arg_blob.header size=2 name=1 payload_size=0\nu64 5\n", "the size of a blob"),
            ('word string.header size=2 index=5 length=8 bits=0x80000000\nstream "overflow"\n', "a string index"),
            ("word thread.header size=3 index=1 bits=0x1000000\nu64 1 2\n", "a thread index")):
        for times in (1, 2):
            write("hint.fxt", assemble(HEAD + lines * times))
            told = "hint.fxt: hint: 2 records: " + hint in fxt("check", "hint.fxt").err
            equal(told, times == 2, fxt("check", "hint.fxt"))
    good = "event counter timestamp=1 thread=@1 category=@1 name=@77 id=7 { \"a\" int32 5 }\n"
    write("hint.fxt", assemble(HEAD + good * 2))
    assert "hint:" not in fxt("check", "hint.fxt").err
    assert "STR-02" in fxt("check", "hint.fxt").text


def test_check_json():
    name = 'a "b"\\\t\udcff.fxt'
    write(name, assemble(HEAD) + SHORT_EVENT +
          assemble("event instant timestamp=1 thread=@1 category=@77 name=@2 scope=thread\n"))
    findings = [json.loads(line) for line in fxt("check", "-j", name).lines()]
    equal([f["rule"] for f in findings], ["EVT-01", "STR-02"])
    equal(findings[0], {"file": 'a "b"\\\t\ufffd.fxt', "offset": 0x58, "class": "malformed",
                        "rule": "EVT-01", "title": "an event record holds its timestamp",
                        "message": "an event record holds its timestamp (event)",
                        "record": "event", "number": "0"})
    equal(findings[1]["number"], "77")
    assert findings[1]["message"].endswith(" (event, string ref 77)"), findings
    assert fxt("check", name).lines()[1].endswith(findings[1]["message"])


def test_check_canonical():
    # Padding that is not zero; a reserved bit.
    trace = bytearray(assemble(HEAD))
    at = trace.index(b"name")
    trace[at + 5] = 1
    write("padding.fxt", bytes(trace))
    result = fxt("check", "--rule=CAN-01", "padding.fxt")
    equal(result.code, 1)
    equal(len(result.lines()), 1)
    assert ": not canonical: CAN-01: " in result.text and "(string, REC-05)" in result.text, result
    equal(fxt("check", "--canonical", "-smalformed", "padding.fxt").code, 1)
    equal(fxt("check", "-smalformed", "padding.fxt").code, 0)
    equal(fxt("check", "--canonical", write("good.fxt", GOOD)).code, 0)
    finding = json.loads(fxt("check", "-jrCAN-01", "padding.fxt").text)
    equal((finding["rule"], finding["reason"]), ("CAN-01", "REC-05"))


def test_check_edition():
    write("new.fxt", HEAD + "event instant timestamp=1 thread=@1 category=@1 name=@2 "
          'scope=thread { "b" bool true }\n')
    equal(fxt("check", "new.fxt").code, 0)
    result = fxt("check", "--edition=2020", "new.fxt")
    equal(result.code, 1)
    assert "EDN-01" in result.text


def test_several_files():
    write("good.fxt", GOOD)
    write("bad.fxt", assemble(HEAD) + SHORT_EVENT)
    equal(fxt("check", "good.fxt", "bad.fxt", "good.fxt").code, 1)
    result = fxt("check", "bad.fxt", "missing.fxt", "good.fxt")
    equal(result.code, 3)
    assert "bad.fxt:0x58" in result.text
    assert "fxt: missing.fxt: No such file or directory\n" in result.err, result
    assert "good.fxt: 0 malformed" in result.err, "files after a missing one are still checked"
    # No file sees what another one registered.
    write("refs.fxt", "magic\n" + EVENT % 1)
    equal(len(fxt("check", "good.fxt", "refs.fxt").lines()), len(fxt("check", "refs.fxt").lines()))
    one, two = fxt("dump", "good.fxt").text, fxt("dump", "refs.fxt").text
    equal(fxt("dump", "good.fxt", "refs.fxt").text,
          f"==> good.fxt <==\n{one}==> refs.fxt <==\n{two}")
    for option in ("--json", "--asm", "--events"):
        equal(fxt("dump", option, "good.fxt", "refs.fxt").text,
              fxt("dump", option, "good.fxt").text + fxt("dump", option, "refs.fxt").text)


def test_dump_shows_errors_in_place():
    write("bad.fxt", assemble(HEAD) + SHORT_EVENT + word(0) + assemble(EVENT % 7) + ZERO_SIZE)
    result = fxt("dump", "bad.fxt")
    equal(result.code, 1)
    lines = result.lines()
    assert "EVT-01" in lines[5] and lines[5].startswith("0x000050"), lines
    assert "REC-09" in lines[6] and lines[6].startswith("0x000058"), lines
    assert "timestamp=7" in lines[7] and 'name="name"' in lines[7], lines
    assert "REC-02" in lines[8] and lines[8].startswith("0x000078"), lines
    equal(len(lines), 9)
    equal(fxt("dump", write("good.fxt", GOOD)).code, 0)
    for pair in (("--json", "--asm"), ("--json", "--events"), ("--events", "--asm")):
        equal(fxt("dump", *pair, "good.fxt").code, 2)


def test_dump_shows_times_in_seconds():
    trace = assemble("magic\ninitialization ticks_per_second=1000\n" + EVENT % 5000 + EVENT % 4999 +
                     EVENT % 7001)
    for how, times in (("start", ["0.000000000", "-0.001000000", "2.001000000"]),
                       ("clock", ["5.000000000", "4.999000000", "7.001000000"])):
        lines = fxt("dump", f"--time={how}", data=trace + ZERO_SIZE).lines()
        equal([line.split()[0] for line in lines[2:5]], times)
        equal({line.index("0x") for line in lines}, {23})
        equal([line.lstrip() for line in lines if line.startswith(" " * 23)],
              [line for line in fxt("dump", data=trace + ZERO_SIZE).lines() if " event " not in line])
    far = assemble("magic\ninitialization ticks_per_second=1\n" + EVENT % 0 + EVENT % (2**64 - 1))
    assert " 18446744073.709551615 0x" in fxt("dump", "-tclock", data=far).text
    for args in (["-tx"], ["-tstart", "-j"], ["-tstart", "-a"], ["-tclock", "-e"]):
        equal(fxt("dump", *args, data=trace).code, 2, args)


def test_dump_json():
    write("bad.fxt", assemble(HEAD) + SHORT_EVENT + assemble(EVENT % 7))
    result = fxt("dump", "--json", "bad.fxt")
    equal(result.code, 1)
    records = [json.loads(line) for line in result.lines()]
    equal(len(records), 7)
    equal(records[0]["record"], "magic")
    equal([r["offset"] for r in records][:3], ["0", "8", "24"])


def test_dump_events():
    write("bad.fxt", assemble("magic\nprovider_info provider_id=7 name=\"p\"\n" + HEAD[6:]) +
          SHORT_EVENT + word(0) + assemble(EVENT % 7) + ZERO_SIZE)
    left_out = "left out: places that cannot be decoded; 'fxt check' lists them\n"
    result = fxt("dump", "--events", "bad.fxt")
    equal((result.code, result.err), (1, "bad.fxt: " + left_out))
    equal([json.loads(line) for line in result.lines()],
          [{"event": "instant", "provider": 7, "process": 100, "thread": 200,
            "category": "category", "name": "name", "ts": 7, "ns": 7, "scope": "thread", "args": {}}])
    result = fxt("dump", "--events", data=SHORT_EVENT)
    equal((result.code, result.text, result.err), (1, "", "<stdin>: " + left_out))
    result = fxt("dump", "--events", write("good.fxt", GOOD))
    equal((result.code, result.err), (0, ""))


def test_asm_round_trip():
    rng = random.Random(1)
    good = assemble(GOOD + 'large_blob blob_format=1 category=@1 name="blob" payload=x"%s"\n'
                    % ("ab" * 1000) + 'log timestamp=1 thread=1/2 message="text"\n')
    traces = [b"", b"1", bytes(8), bytes(23), ZERO_SIZE + good, good[::-1], good + b"1234567"]
    traces += [good[:rng.randrange(len(good))] for _ in range(20)]
    traces += [rng.randbytes(rng.randrange(200)) for _ in range(20)]
    for _ in range(60):
        trace = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            trace[rng.randrange(len(trace))] = rng.randrange(256)
        traces.append(bytes(trace))
    for trace in traces:
        text = fxt("dump", "--asm", "--raw", data=trace).out
        result = fxt("asm", data=text)
        equal((result.code, result.out), (0, trace), text.decode())


def test_asm_errors():
    with open("bad.fxta", "w", encoding="utf-8") as file:
        file.write("magic\n\nnonsense here\nstring index=1 value=\"x\"\nthread index=0x\n")
    result = fxt("asm", "bad.fxta", "-o", "out.fxt")
    equal((result.code, result.text), (1, ""))
    lines = result.err.splitlines()
    equal(len(lines), 2)
    assert lines[0].startswith("bad.fxta:3:1: "), lines
    assert lines[1].startswith("bad.fxta:5:"), lines
    equal(os.listdir(), ["bad.fxta"], "nothing is left behind")
    write("out.fxt", b"as before")
    equal(fxt("asm", "bad.fxta", "-o", "out.fxt").code, 1)
    equal(open("out.fxt", "rb").read(), b"as before")
    result = fxt("asm", data=b"nonsense\n" * 1000)
    equal((result.code, len(result.err.splitlines())), (1, 21))
    assert result.err.startswith("<stdin>:1:1: "), result
    source = "nonsense\n" + HEAD + "".join(EVENT % i for i in range(50000))
    equal(fxt("asm", data=source.encode()).out, b"", "nothing is written after an error")


def test_asm_says_too_many_errors_only_if_there_is_more():
    for count, told in ((19, False), (20, False), (21, True)):
        result = fxt("asm", "-o", "out", data=b"nonsense\n" * count)
        equal((result.code, "too many errors" in result.err), (1, told), count)
        equal(result.err.count(":1: "), min(count, 20))


def test_more_names_than_filter_takes():
    write("good.fxt", GOOD)
    result = fxt("filter", "good.fxt", "-o", "out", *["--name=x"] * 65)
    equal((result.code, "more than 64 times" in result.err), (2, True), result)
    equal(fxt("filter", "good.fxt", "-o", "out", *["--name=name"] * 64).code, 0)


def test_asm_output():
    with open("good.fxta", "w", encoding="utf-8") as file:
        file.write(GOOD.rstrip("\n"))  # the last line has no end
    equal(fxt("asm", "good.fxta", "-o", "out.fxt").code, 0)
    equal(open("out.fxt", "rb").read(), assemble(GOOD))
    equal(fxt("asm", "good.fxta", "good.fxta").out, 2 * assemble(GOOD))
    equal(fxt("asm", data=GOOD.replace("\n", "\r\n").encode()).out, assemble(GOOD))
    equal(fxt("asm", data=b"").out, b"")


def test_asm_long_lines_and_many_bytes():
    payload = "5a" * (3 << 20)
    trace = assemble('large_blob blob_format=1 category="" name="" payload=x"%s"\n' % payload)
    equal(len(trace), 3 * 2**20 + 3 * 8)
    equal(fxt("asm", data=fxt("dump", "--asm", data=trace).out).out, trace)
    # far more than fits into a buffer
    many = "".join(EVENT % i for i in range(100000))
    equal(len(assemble(many)), 100000 * 24)


def test_json_is_valid():
    for trace in (b"", assemble(GOOD), assemble(GOOD)[:-5],
                  assemble(HEAD) + SHORT_EVENT + word(0) + assemble(EVENT % 7) + ZERO_SIZE):
        result = fxt("json", "--allow-empty", data=trace)
        json.loads(result.text)
    lines = result.err.splitlines()
    equal([line.split(": ")[2] for line in lines], ["EVT-01", "REC-09", "REC-02"])
    equal(lines[0], "<stdin>:0x58: malformed: EVT-01: an event record holds its timestamp (event)")
    equal(result.code, 1)
    definition = fxt("json", data=assemble(HEAD) + word(0x12 | 1 << 16 | 9 << 32))
    equal((definition.code, definition.err), (1, "<stdin>:0x58: malformed: STT-01: a string record holds "
                                              "its whole string (string)\n"))
    equal(json.loads(definition.text)["otherData"]["omitted"]["malformed"], 1)
    events = json.loads(result.text)["traceEvents"]
    equal([e["name"] for e in events if e["ph"] == "i"], ["name"])
    result = fxt("json", data=assemble(GOOD))
    equal((result.code, result.err), (0, ""))
    result = fxt("json", "--max-findings=2", data=assemble("magic\n") + SHORT_EVENT * 10)
    equal(len(result.err.splitlines()), 3)
    result = fxt("json", data=word(0) * 10 + assemble(GOOD))
    equal(len(result.err.splitlines()), 1, "a run of zero words is one report")
    equal(fxt("json", "a", "b").code, 2)


WALL_CLOCK = 1790000000123456789
BASE = WALL_CLOCK // (86400 * 10**9) * 86400 * 10**9 - 86400 * 10**9


def base_of(result):
    return int(json.loads(result.text)["otherData"]["base_ns"])


def times(result):
    """Of the instants, in ns, as a reader takes them that keeps numbers in doubles."""
    return [base_of(result) + round(e["ts"] * 1000)
            for e in json.loads(result.text)["traceEvents"] if e["ph"] == "i"]


def test_json_keeps_the_nanoseconds_of_a_wall_clock():
    expected = [WALL_CLOCK, WALL_CLOCK + 7, WALL_CLOCK - 86400 * 10**9, WALL_CLOCK + 86400 * 10**9]
    write("t.fxt", assemble(HEAD + "".join(EVENT % time for time in expected)))
    result = fxt("json", "t.fxt")
    equal((result.code, result.err), (0, f"t.fxt: times count from {BASE} ns (otherData.base_ns)\n"))
    equal((base_of(result), times(result)), (BASE, expected))
    with open("t.fxt", "rb") as file:
        equal(fxt("json", data=file.read()).text, result.text, "a pipe gives the same as a file")


def test_json_tells_of_times_that_its_readers_lose():
    write("t.fxt", assemble(HEAD + EVENT % WALL_CLOCK + EVENT % (WALL_CLOCK + 7)))
    result = fxt("json", "--absolute-times", "t.fxt")
    equal((result.code, base_of(result)), (1, 0))
    assert f'"ts":{WALL_CLOCK // 1000}.{WALL_CLOCK % 1000},' in result.text, result
    equal(result.err, "t.fxt: 2 times are over 50 days from 0 ns, where doubles do not hold nanoseconds; "
                      "leave out --absolute-times\n")
    result = fxt("json", data=assemble(HEAD + EVENT % 0 + EVENT % WALL_CLOCK))
    equal((result.code, result.err),
          (1, "<stdin>: 1 time is over 50 days from 0 ns, where doubles do not hold nanoseconds; "
              "cut the trace with `fxt cut`\n"))
    result = fxt("json", data=assemble(HEAD + EVENT % WALL_CLOCK + EVENT % (BASE - 1)))
    equal(result.code, 1)
    equal(result.err.splitlines(), [
        "<stdin>: 1 time is over a day before the first one and negative, which Perfetto drops; "
        "cut the trace with `fxt cut`", f"<stdin>: times count from {BASE} ns (otherData.base_ns)"])


def test_json_leaves_out_what_ends_before_it_begins():
    event = 'event duration_complete timestamp=%d thread=3/4 category="c" name="%s" end=%d\n'
    result = fxt("json", data=assemble("magic\n" + event % (3 * 86400 * 10**9, "neg", 50) + event % (0, "outer", 200)))
    document = json.loads(result.text)
    equal([(e["name"], e["ts"], e["dur"]) for e in document["traceEvents"]], [("outer", 0, 0.2)])
    equal((document["otherData"]["base_ns"], document["otherData"]["omitted"]["ends_before_begin"]), ("0", 1))
    equal((result.code, result.err), (0, ""))


def test_json_names_counters_without_a_value():
    counter = 'event counter timestamp=1 thread=3/4 category="c" name="%s" id=0 { "on" %s }\n'
    trace = assemble("magic\n" + counter % ("flag", "bool true"))
    text = trace + assemble(counter % ("e\\x1b", 'string "idle"') + counter % ("ptr", "pointer 0x10"))
    result = fxt("json", data=trace)
    equal((result.code, result.err), (0, ""))
    equal([e["args"] for e in json.loads(result.text)["traceEvents"]], [{"on": 1}])
    result = fxt("json", data=text)
    equal((result.code, result.err), (0, f"<stdin>:0x{len(trace):x}: 2 counter events have no number, so no "
                                         "value to show; this is the first, \"e\\x1b\"\n"))
    equal(json.loads(result.text)["otherData"]["omitted"]["counters"], 2)


SWITCH = ("context_switch cpu=1 outgoing_state=blocked timestamp=%d outgoing_thread=%d "
          "incoming_thread=%d\n")


def spans(trace):
    """(name, begin in ns, length in ns) of what ran on the CPUs, in the order of time."""
    events = json.loads(fxt("json", data=assemble(trace)).text)["traceEvents"]
    return sorted((round(e["ts"] * 1000), round(e["dur"] * 1000), e["name"])
                  for e in events if e["ph"] == "X")


def test_json_sorts_context_switches():
    equal(spans("magic\n" + SWITCH % (200, 2, 3) + SWITCH % (100, 1, 2) + SWITCH % (300, 3, 0)),
          [(100, 100, "thread 2"), (200, 100, "thread 3")])


def test_json_keeps_the_cpus_of_two_providers_apart():
    trace = "magic\n" + "".join(f'provider_info provider_id={provider} name=""\n' + SWITCH % (time, 0, 10 + provider)
                                for provider, time in ((1, 1000), (2, 2000)))
    for provider, time in ((1, 3000), (2, 4000)):
        trace += f"provider_section provider_id={provider}\n" + SWITCH % (time, 10 + provider, 0)
    equal(spans(trace), [(1000, 2000, "thread 11"), (2000, 2000, "thread 12")])


def test_json_does_not_draw_the_idle_thread():
    weights = '{ "incoming_weight" int32 %d, "outgoing_weight" int32 %d }\n'
    equal(spans("magic\n" + SWITCH[:-1] % (100, 2, 9) + weights % (-2**31, 10) +
                SWITCH[:-1] % (300, 9, 2) + weights % (10, -2**31) + SWITCH % (700, 2, 0)),
          [(300, 400, "thread 2")])


def test_json_says_which_context_switches_come_too_late():
    head = "magic\n" + "".join(SWITCH % (time, 0, 0) for time in range(1000, 18000))
    one = head + SWITCH % (5, 1, 2)
    result = fxt("json", data=assemble(one))
    equal(result.code, 1)
    equal(result.err, f"<stdin>:0x{len(assemble(head)):x}: 1 context switch comes too late to be "
          "sorted by time, and left out; this is the first\n")
    equal(json.loads(result.text)["otherData"]["omitted"]["late_switches"], 1)
    result = fxt("json", data=assemble(one + SWITCH % (6, 1, 2)))
    assert ": 2 context switches come too late" in result.err, result


def test_json_shows_where_records_were_lost():
    trace = assemble("magic\nprovider_info provider_id=7 name=\"seven\"\n" + EVENT % 5 +
                     "provider_event provider_id=7 event_id=buffer_full\n")
    events = json.loads(fxt("json", data=trace).text)["traceEvents"]
    lost = [e for e in events if e["name"] == "buffer_full"]
    equal([(e["ph"], e["ts"]) for e in lost], [("i", 0.005)])
    track = [e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name" and
             (e["pid"], e["tid"]) == (lost[0]["pid"], lost[0]["tid"])]
    equal(track, ["seven"])


def test_json_does_not_draw_an_unknown_thread_as_process_0():
    trace = assemble("magic\n" + EVENT % 5 + EVENT.replace("@1 ", "0/0 ", 1) % 6)
    events = json.loads(fxt("json", data=trace).text)["traceEvents"]
    equal([e["pid"] for e in events if e["ph"] == "i"], [4000000002, 0])


def test_stat():
    trace = assemble(HEAD + 'provider_info provider_id=7 name="seven"\n'
                     "initialization ticks_per_second=1000\n" + EVENT % 5 + EVENT % 7 +
                     'event counter timestamp=1 thread=3/4 category="c" name=@2 id=1 '
                     '{ "a" int32 1, "b" string "t" }\n') + SHORT_EVENT + word(0)
    write("t.fxt", trace)
    result = fxt("stat", "--json", "t.fxt")
    equal(result.code, 1)
    stat = json.loads(result.text)
    equal((stat["file"], stat["bytes"], stat["record_count"]), ("t.fxt", len(trace), 11))
    equal((stat["malformed"], stat["zero_words"], stat["stopped"]), (1, 1, None))
    equal({k: v for k, v in stat["records"].items() if v},
          {"magic": 1, "initialization": 2, "string": 2, "thread": 1, "provider_info": 1,
           "event": 4})
    equal(sum(stat["records"].values()), stat["record_count"])
    equal(sum(stat["record_bytes"].values()) + 8, stat["bytes"])
    equal({k: v for k, v in stat["events"].items() if v}, {"instant": 2, "counter": 1})
    equal({k: v for k, v in stat["arguments"].items() if v}, {"int32": 1, "string": 1})
    equal(stat["strings"], {"registered": 2, "bytes": 12, "inline": 4})
    equal(stat["threads"], {"registered": 1, "seen": 2, "all_seen": True})
    equal(stat["time"], {"first_ticks": "1", "last_ticks": "7", "span_ticks": "6",
                         "first_ns": "1000000", "last_ns": "7000000", "span_ns": "6000000"})
    equal([(p["id"], p["name"], p["events"], p["ticks_per_second"]) for p in stat["providers"]],
          [(0, None, 0, "1000000000"), (7, "seven", 3, "1000")])
    text = fxt("stat", "t.fxt")
    equal(text.code, 1)
    assert 'provider 7 "seven"' in text.text and "counter" in text.text
    equal([line.split(None, 3) for line in text.lines() if " ticks  " in line][:3],
          [["first", "ticks", "1", "1.000 ms"], ["last", "ticks", "7", "7.000 ms"],
           ["span", "ticks", "6", "6.000 ms"]])
    cut = json.loads(fxt("stat", "-j", data=trace + ZERO_SIZE).text)
    equal(cut["stopped"], {"rule": "REC-02", "offset": len(trace)})
    empty = fxt("stat", "-j", "--allow-empty", data=b"")
    equal((empty.code, json.loads(empty.text)["time"]), (0, None))


EVENT_HEADER = 0x4 | 1 << 32 | 2 << 48


def of_thread_1(kind, timestamp, *words):
    """An event without arguments."""
    return b"".join(map(word, (EVENT_HEADER | 2 + len(words) << 4 | kind << 16 | 1 << 24,
                               timestamp) + words))


def kernel_object(n):
    return word(0x27 | 2 << 16) + word(n)


def test_limits_are_those_of_the_manual():
    """So many fit, and one more does not."""
    def event(n):
        return word(EVENT_HEADER | 4 << 4) + word(5) + word(7) + word(n)

    data = assemble(HEAD) + b"".join(event(n) for n in range(65536))
    result = fxt("check", data=data)
    equal((result.code, result.text), (0, ""))
    result = fxt("check", data=data + event(65536))
    equal((result.code, [line.split(": ")[2] for line in result.lines()]), (1, ["LIM-01"]))
    data = assemble(HEAD) + b"".join(kernel_object(n) for n in range(65536))
    equal(fxt("json", data=data).code, 0)
    result = fxt("json", data=data + kernel_object(65536))
    equal(result.code, 1)
    assert "more strings, objects or providers" in result.err, result.err


def test_objects_limit_only_what_names_them():
    """No rule needs them, nor does a form of dump or fmt."""
    data = (assemble(HEAD) + b"".join(kernel_object(n) for n in range(70000)) +
            assemble("event instant timestamp=1 thread=@1 category=@77 name=@2 scope=thread\n"))
    equal([line.split(": ")[2] for line in fxt("check", data=data).lines()], ["STR-02"])
    for command in (["dump"], ["dump", "--json"], ["dump", "--events"], ["fmt", "--large=blobs"]):
        result = fxt(*command, data=data)
        equal((result.code, result.err), (0, ""), command)


def test_names_that_are_written_alike_take_no_time_of_their_own():
    """15 arguments whose long names all become U+FFFD. Writing the same without numbers is the measure."""
    names = b"".join(word(2 | 4001 << 4 | n << 16 | 32000 << 32) + bytes([0x80 + n]) * 32000
                     for n in range(1, 16))
    event = (word(4 | 19 << 4 | 15 << 20) + word(5) + word(1) + word(2) +
             b"".join(word(1 | 1 << 4 | n << 16 | 5 << 32) for n in range(1, 16)))
    trace = assemble("magic\n") + names + event * 20

    def seconds(*command):
        before = os.times().children_user
        assert fxt(*command, data=trace).code == 0
        return os.times().children_user - before

    assert seconds("json") < 30 * max(seconds("dump", "--events"), 0.01)


def test_so_many_asyncs_may_be_open_at_once():
    """131072 surely, and more than 262144 surely not."""
    def found(count):
        data = assemble(HEAD) + b"".join(of_thread_1(5, n, n) for n in range(count))
        result = fxt("check", "--rule=LIM-01",
                     data=data + b"".join(of_thread_1(7, count, n) for n in range(count)))
        return result.code, len(result.lines())
    equal(found(131072), (0, 0))
    equal(found(262145), (1, 1))


def test_matched_events_need_no_memory():
    """A trace may have any number of them: here more than fit at once."""
    count = 400000
    head = assemble(HEAD)
    nested = b"".join(of_thread_1(2, n) for n in range(200000)) + of_thread_1(3, 200000) * 200000
    traces = {
        "flows": of_thread_1(2, 0) + b"".join(of_thread_1(8, 2 * n, n) + of_thread_1(10, 2 * n + 1, n)
                                              for n in range(count)) + of_thread_1(3, 2 * count),
        "asyncs": b"".join(of_thread_1(5, 2 * n, n) + of_thread_1(7, 2 * n + 1, n)
                           for n in range(count)),
        "durations": nested,
    }
    for kind, data in traces.items():
        result = fxt("check", data=head + data)
        equal((result.code, result.text), (0, ""), kind)


def test_strings_that_find_no_room_give_exit_code_1():
    """65 MiB of strings; the last one is not resolved, and is not taken for one that is."""
    size, count = 32000, 2130
    strings = b"".join(word(2 | (1 + size // 8) << 4 | index << 16 | size << 32) +
                       b"%04d" % index + b"x" * (size - 4) for index in range(1, count + 1))
    log = 'event instant timestamp=1 thread=1/2 category="c" name=@%d scope=thread\n'
    trace = assemble("magic\n") + strings + assemble(log % 1 + log % count)
    for command in (["dump", "--json"], ["dump"], ["json"]):
        result = fxt(*command, data=trace)
        equal(result.code, 1, command)
        equal(len(result.err.splitlines()), 1)
        assert "some references are not resolved" in result.err, result
    few = assemble("magic\n") + strings[:2000 * (size + 8)] + assemble(log % 1 + log % 2000)
    for command in (["dump", "--json"], ["dump"], ["json"]):
        equal(fxt(*command, data=few).code, 0, command)


def test_no_name_drives_the_terminal():
    """U+009B is what a terminal takes for the beginning of a command."""
    trace = assemble('magic\nprovider_info provider_id=7 name="a\\xc2\\x9b2Jb\\n"\n')
    for command in ("stat", "dump"):
        text = fxt(command, data=trace)
        assert b"\xc2\x9b" not in text.out and '"a\\xc2\\x9b2Jb\\n"' in text.text, text


def test_stat_of_thread_koids_that_collide():
    """Koids whose products with a number that is often in a hash have low bits only."""
    inverse = pow(0xff51afd7ed558ccd, -1, 1 << 64)
    koids = [n * inverse % (1 << 64) for n in range(1, 100001)]
    event = word(0x44 | 1 << 32 | 2 << 48) + word(5) + word(0)
    data = assemble(HEAD) + b"".join(event + word(koid) for koid in koids)
    stat = json.loads(fxt("stat", "-j", data=data).text)
    equal(stat["threads"], {"registered": 1, "seen": 98304, "all_seen": False})


def test_stat_of_more_providers_than_places():
    """What has no place is counted for none."""
    trace = "magic\n" + "".join(f'provider_info provider_id={i} name="p{i}"\n'
                                f'initialization ticks_per_second={1000 * i}\n' + EVENT.replace("@1", "1/2") % i
                                for i in range(1, 301))
    trace = trace.replace("category=1/2", "category=@0")
    result = fxt("stat", "-j", data=assemble(trace))
    stat = json.loads(result.text)
    equal((result.code, "more than 255 providers" in result.err), (1, True), result)
    equal({(p["records"], p["events"]) for p in stat["providers"][1:]}, {(3, 1)})
    equal((len(stat["providers"]), stat["events"]["instant"]), (256, 300))
    equal(stat["providers"][255]["ticks_per_second"], "255000")


def test_stat_of_traces_in_one_file():
    """A magic number begins other providers, whatever their ids."""
    trace = assemble("magic\ninitialization ticks_per_second=1000\n"
                     "provider_info provider_id=7 name=\"seven\"\n"
                     "initialization ticks_per_second=500\n" + EVENT % 5 +
                     "magic\n" + EVENT % 6000000 +
                     "provider_info provider_id=7 name=\"other\"\n" + EVENT % 7000000)
    result = fxt("stat", "-j", data=trace)
    stat = json.loads(result.text)
    equal([(p["trace"], p["id"], p["name"], p["events"], p["ticks_per_second"]) for p in stat["providers"]],
          [(1, 0, None, 0, "1000"), (1, 7, "seven", 1, "500"),
           (2, 0, None, 1, "1000000000"), (2, 7, "other", 1, "1000000000")])
    text = fxt("stat", data=trace).text
    assert text.index("provider 7 \"seven\"") < text.index("provider 7 \"other\""), text
    equal((stat["time"]["first_ns"], stat["time"]["last_ns"]), ("6000000", "10000000"))


testing.main(globals())
