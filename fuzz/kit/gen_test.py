#!/usr/bin/env python3
"""What the generator promises: a valid trace has no finding; an invalid one breaks one rule at the
place that it names, and no other. Both by `fxt check` and by the model of the conformance suite.
The kit is called as a library here, and a few times as fxt-gen, which must say the same.

usage: gen_test.py FXT_GEN FXT KIT_LIBRARY
"""
import collections
import ctypes
import glob
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
GEN, FXT, KIT = (os.path.abspath(path) for path in sys.argv[1:4])
sys.path.insert(0, "conformance")

import model

SOURCES = os.path.abspath("fuzz/kit")
SEEDS = 200
NOT_BROKEN = {"LIM-01", "LIM-02"}  # about a program's memory, not about bytes


kit = ctypes.CDLL(KIT)


class Options(ctypes.Structure):
    _fields_ = [("seed", ctypes.c_uint64), ("records", ctypes.c_uint64), ("kinds", ctypes.c_uint64),
                ("edition", ctypes.c_int), ("invalid", ctypes.c_char_p)]


kit.fxt_fuzz_generator_create.restype = ctypes.c_void_p
kit.fxt_fuzz_generator_next.restype = ctypes.c_size_t
kit.fxt_fuzz_generator_next.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
kit.fxt_fuzz_generator_broken.restype = ctypes.c_char_p
kit.fxt_fuzz_generator_broken.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)]
kit.fxt_fuzz_generator_free.argtypes = [ctypes.c_void_p]
kit.fxt_fuzz_mutate.restype = ctypes.c_size_t
kit.fxt_fuzz_mutate.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_uint64]
kit.fxt_fuzz_kinds.restype = ctypes.c_uint64
record = ctypes.create_string_buffer(65536)


def run(*args):
    return subprocess.run([GEN, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def generate(name, seed, records, edition="current", invalid=None, kinds=None):
    """Writes the trace to the file, and gives what is broken, as fxt-gen prints it."""
    offset, bad = ctypes.c_uint64(), ctypes.c_char_p()
    bits = kit.fxt_fuzz_kinds(kinds.encode(), ctypes.byref(bad)) if kinds else 0
    assert bits or not kinds, kinds
    options = Options(seed, records, bits, 2020 if edition == "2020" else 0,
                      invalid.encode() if invalid else None)
    generator = kit.fxt_fuzz_generator_create(ctypes.byref(options))
    assert generator, (edition, invalid)
    with open(name, "wb") as f:
        size = kit.fxt_fuzz_generator_next(generator, record)
        while size:
            f.write(ctypes.string_at(record, size))
            size = kit.fxt_fuzz_generator_next(generator, record)
    broken = kit.fxt_fuzz_generator_broken(generator, ctypes.byref(offset))
    kit.fxt_fuzz_generator_free(generator)
    return "%s @ 0x%x" % (broken.decode(), offset.value) if broken else ""


def findings(edition, names):
    """{file: ["RULE @ 0xOFFSET"]} by fxt check."""
    command = [FXT, "check", "--max-findings=0", "--edition=" + edition] + names
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()
    found = {name: [] for name in names}
    for line in out.splitlines():
        name, offset, rest = line.split(":", 2)
        if offset.startswith("0x"):
            found[name].append("%s @ %s" % (rest.split(": ")[1].split(":")[0], offset))
    return found


def of_model(edition, name):
    with open(name, "rb") as f:
        found = model.examine(f.read())[1][edition]
    return ["%s @ 0x%x" % (rule, offset) for offset, rule in found]


def test_valid():
    for edition, seeds in (("2020", SEEDS // 4), ("current", SEEDS)):
        names = []
        for seed in range(seeds):
            names.append("valid-%d.fxt" % seed)
            assert generate(names[-1], seed, 3 * seed, edition) == ""
        for name, found in findings(edition, names).items():
            assert not found, (edition, name, found[:3])
        for name in names[5:30]:
            assert not of_model(edition, name), (edition, name)


def rules(edition):
    return run("--list-rules", "--edition", edition).stdout.decode().split()


def test_invalid():
    for edition in ("2020", "current"):
        expected = {}
        for rule in rules(edition):
            for seed in range(6):
                name = "invalid-%s-%d.fxt" % (rule, seed)
                expected[name] = generate(name, seed, 40, edition, rule)
                assert expected[name].startswith(rule + " @ 0x"), expected[name]
                if seed == 0:
                    found = of_model(edition, name)
                    assert found == [expected[name]], (edition, name, expected[name], found)
        for name, found in findings(edition, list(expected)).items():
            assert found == [expected[name]], (edition, name, expected[name], found)


def test_invalid_of_few_kinds():
    """What is broken is in the trace, whatever kinds and how few records it has."""
    for kinds in ("magic", "duration_begin,duration_end", "provider_info,provider_section", "context_switch", "all"):
        expected = {}
        for rule in rules("current"):
            for records in (0, 1, 2, 3, 20, 21):
                name = "few-%s-%d.fxt" % (rule, records)
                expected[name] = generate(name, records, records, invalid=rule, kinds=kinds)
                assert os.path.getsize(name) > 0, (kinds, name)
        for name, found in findings("current", list(expected)).items():
            assert found == [expected[name]], (kinds, name, expected[name], found)


def test_rules():
    """Every rule about bytes can be broken, in the edition that has it."""
    with open(model.spec("rules.tbl"), encoding="utf-8") as f:
        table = [line.split()[:3] for line in f if line.split("#")[0].split()]
    known = {rule for rule, kind, _ in table
             if kind != "definition" and rule[:3] not in ("BUF", "FIF", "CTL")}
    # EDN-01 is of edition 2020 alone.
    assert set(rules("current")) == known - NOT_BROKEN - {"EDN-01"}
    later = {rule for rule, _, edition in table if edition == "current"}
    # They break EDN-01, too. SCH-04, SCH-05 and the others of later records are among them.
    assert set(rules("2020")) == known - NOT_BROKEN - later


def test_classes():
    """As in the table of rules; and any of a class is one of them."""
    with open(model.spec("rules.tbl"), encoding="utf-8") as f:
        table = {line.split()[0]: line.split()[1] for line in f if line.split("#")[0].split()}
    for edition in ("2020", "current"):
        listed = {}
        for name in ("malformed", "nonconforming", "suspicious"):
            for rule in run("--list-rules=" + name, "--edition", edition).stdout.decode().split():
                listed[rule] = name
        assert listed == {rule: table[rule] for rule in rules(edition)}, edition
    for name in ("malformed", "nonconforming", "suspicious"):
        said = [generate("class", seed, 20, invalid=name).split()[0] for seed in range(40)]
        assert {table[rule] for rule in said} == {name} and len(set(said)) > 8, said
    assert b"bad value in '--list-rules=malformd';" in run("--list-rules=malformd").stderr


def kinds_in(data):
    kinds = set()
    for record in model.read(data):
        kinds |= model.kinds_of(record)
    return kinds


def test_kinds():
    """Each kind alone, with what it needs, is valid, and it is there."""
    names = run("--list-kinds").stdout.decode().split()
    files = {}
    for name in names:
        group = "arg." if name.startswith("arg.") else name.split("_")[0]
        needs = {"async": "async_begin,async_end,", "arg.": "instant,",
                 "duration": "duration_begin,duration_end,", "counter": "arg.int32,",
                 "provider": "provider_info,instant,",
                 "flow": "flow_begin,flow_end,duration_begin,duration_end,"}.get(group, "")
        file = "kind-%s.fxt" % name
        generate(file, 1, 60, kinds=needs + name)
        with open(file, "rb") as f:
            data = f.read()
        if name != "trace_info":  # the only valid one is the magic number
            assert name in kinds_in(data), name
        files[file] = data
    for file, found in findings("current", list(files)).items():
        assert not found, (file, found[:3])
    assert run("--kinds=nope").returncode == 2
    assert run("--kinds=events,nope").stderr == b"fxt-gen: no such kind: 'nope'; --list-kinds lists them\n"
    assert b"bad value in '--records=x';" in run("--records=x").stderr
    assert b"bad value of '--records';" in run("--records", "x").stderr
    assert run("--invalid=LIM-01").returncode == 2
    assert b"--list-rules" in run("--invalid=LIM-01").stderr
    assert b"\\x1b" in run("--bad\x1b").stderr


def test_kinds_that_need_others():
    """What cannot be made is said; a trace of nothing but the magic number is made if it is asked for."""
    assert run("--kinds=magic").returncode == 0
    for name in run("--list-kinds").stdout.decode().split():
        done = run("--kinds=" + name)
        data = done.stdout
        assert (done.returncode == 0) == (len(data) > 8 or name == "magic"), name
        assert done.returncode in (0, 2) and (done.returncode == 0) == (done.stderr == b""), (name, done.stderr)
    done = run("--kinds=tables,events")
    assert done.returncode == 0 and len(done.stdout) > 100
    assert done.stderr == b"fxt-gen: left out, because --kinds lacks what they need: counter\n"
    done = run("--kinds=context_switch,mmap", "--edition=2020")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"fxt-gen: edition 2020 has none of these kinds\n", done.stderr
    done = run("--kinds=instant,mmap,counter,arg.bool", "--edition=2020")
    assert done.returncode == 0 and len(done.stdout) > 100
    assert done.stderr == (b"fxt-gen: left out, because --kinds lacks what they need: counter\n"
                           b"fxt-gen: left out of edition 2020: arg.bool, mmap\n"), done.stderr
    assert run("--edition=2020").stderr == run("--kinds=all", "--edition=2020").stderr == b""
    assert run("--kinds=all,-all").stderr == b"fxt-gen: no kind is left in 'all,-all'; name one to begin with\n"
    for option in ("--seed", "--records", "--mutate"):
        assert b"bad value in" in run(option + "=18446744073709551616").stderr


def test_program():
    """fxt-gen writes what the library makes."""
    for seed, edition, rule in ((3, "2020", None), (4, "current", None), (5, "current", "ARG-02")):
        said = generate("library.fxt", seed, 100, edition, rule)
        args = ["--invalid", rule] if rule else []
        done = run("--seed=%d" % seed, "--records", "100", "--edition=" + edition, *args)
        with open("library.fxt", "rb") as f:
            assert done.returncode == 0 and done.stdout == f.read()
        assert done.stderr.decode().strip() == said


def test_terminal():
    """A trace does not end up on a terminal."""
    master, terminal = os.openpty()
    done = subprocess.run([GEN], stdout=terminal, stderr=subprocess.PIPE)
    assert done.returncode == 2 and b"terminal" in done.stderr
    os.close(master)
    os.close(terminal)


def test_full():
    """What cannot be written is said, with one exit status."""
    for option in ("--list-rules", "--list-kinds", "--help", "-h", "--seed=1"):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([GEN, option], stdout=full, stderr=subprocess.PIPE)
        what = "trace" if option == "--seed=1" else "help" if "h" in option else "list"
        assert done.returncode == 3, (option, done)
        assert done.stderr == b"fxt-gen: cannot write the %s: No space left on device\n" % what.encode(), done
    with open("/dev/full", "wb") as full:  # the rule and the offset are a result, too
        assert subprocess.run([GEN, "--invalid=ARG-02"], stdout=subprocess.PIPE, stderr=full).returncode == 3


def test_numbers():
    assert run("--records=010").stdout == run("--records=10").stdout
    assert run("--records=0x10").stdout == run("--records=16").stdout
    for number in ("0x", "x", "-1", "1 ", "0x1g"):
        assert run("--records=" + number).returncode == 2, number


def test_rule_of_a_mutated_trace():
    """The rule is that of the trace before it was mutated."""
    said = run("--seed=5", "--invalid=ARG-02").stderr
    assert said.startswith(b"ARG-02 @ 0x")
    assert run("--seed=5", "--invalid=ARG-02", "--mutate=3").stderr == said.strip() + b" before the mutations\n"


def test_endless():
    """The largest number of records is one as any other."""
    for more in ([], ["--invalid=ARG-02"]):
        process = subprocess.Popen([GEN, "--records=18446744073709551615", *more], stdout=subprocess.PIPE)
        assert len(process.stdout.read(1 << 20)) == 1 << 20
        process.kill()
        process.communicate()


def test_equal_seeds_give_equal_bytes_by_every_compiler():
    """Each of them calls the arguments of a function in an order of its own."""
    with tempfile.TemporaryDirectory() as folder:
        programs = []
        for compiler in ("gcc", "clang"):
            programs.append(os.path.join(folder, compiler))
            subprocess.run([compiler, "-O1", "-o", programs[-1], os.path.join(SOURCES, "fxt_gen.c"),
                            os.path.join(SOURCES, "fxt_fuzz.c")], check=True)
        for options in ([], ["--edition=2020"], ["--invalid=any"], ["--mutate=3"]):
            for seed in range(1, 30):
                made = {subprocess.run([program, "--seed=%d" % seed, "--records=60", *options],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout
                        for program in programs}
                assert len(made) == 1, (seed, options)


def test_valid_traces_hold_what_readers_get_wrong():
    """NUL in a text, bytes that are no text, nothing, infinities, the largest numbers of their fields."""
    with tempfile.TemporaryDirectory() as folder:
        seen = set()
        for seed in range(40):
            path = os.path.join(folder, "trace")
            generate(path, seed, 300)
            listed = subprocess.run([FXT, "dump", "--json", path], stdout=subprocess.PIPE, check=True).stdout
            for line in listed.decode("utf-8", "surrogateescape").splitlines():
                it = json.loads(line)
                kind = it["record"]
                seen |= {(kind, key, "NUL") for key, value in it.items()
                         if isinstance(value, str) and "\0" in value}
                seen |= {(kind, key, "none") for key in ("payload", "message", "name", "build_id")
                         if it.get(key) == ""}
                seen |= {(kind, key, "large") for key, least in (("cpu", 256), ("object_type", 32), ("pointer", 4096))
                         if int(it.get(key) or 0) >= least}
                seen |= {("arg", arg["type"], "infinite") for arg in it.get("args", [])
                         if arg["type"] == "double" and arg["value"] in ("0x7ff0000000000000", "0xfff0000000000000")}
        for wanted in (("string", "value", "NUL"), ("log", "message", "NUL"), ("log", "message", "none"),
                       ("module", "name", "none"), ("blob", "payload", "none"), ("large_blob", "payload", "none"),
                       ("context_switch", "cpu", "large"), ("kernel_object", "object_type", "large"),
                       ("userspace_object", "pointer", "large"), ("arg", "double", "infinite")):
            assert wanted in seen, (wanted, sorted(seen))


def test_short_valid_traces_tell_readers_apart():
    """By tables of two providers, another trace, times that are cut or do not fit, a size of more than 12 bits."""
    seen = collections.Counter()
    for seed in range(300):
        generate("trace", seed, 5 + seed % 26)
        listed = subprocess.run([FXT, "dump", "--json", "trace"], stdout=subprocess.PIPE, check=True).stdout
        here, current, left, returned = set(), 0, set(), False
        for line in listed.decode("utf-8", "surrogateescape").splitlines():
            it = json.loads(line)
            if it["record"] in ("provider_section", "provider_info"):
                left.add(current)
                current = it["provider_id"]
                returned = current in left
            if it["record"] == "magic" and it["offset"] != "0":
                here.add("another trace")
            refs = [it[key]["ref"] for key in ("thread", "category") if isinstance(it.get(key), dict)]
            if returned and any(0 < ref < 0x8000 for ref in refs):
                here.add("ref after a return")
            rate = int(it.get("ticks_per_second", 10**9))
            here |= {"uneven rate"} if rate % 5 else set()
            here |= {"rate of 33 bits"} if rate >> 32 else set()
            here |= {"large size"} if it["size"] > 4095 else set()
        events = subprocess.run([FXT, "dump", "--events", "trace"], stdout=subprocess.PIPE, check=True).stdout
        here |= {"time that does not fit"} if b'"ns":18446744073709551615' in events else set()
        seen.update(here)
    for what, least in (("another trace", 30), ("ref after a return", 30), ("uneven rate", 30),
                        ("rate of 33 bits", 10), ("time that does not fit", 7), ("large size", 2)):
        assert seen[what] >= least, seen


def test_mutations_take_an_argument_out_of_any_record():
    """Also of a large blob, whose count of arguments is not in its header; and the trace stays valid."""
    def arguments(data):
        seen = model.look(data)
        return len(seen.events[0].get("args", {})) if seen.events and not seen.findings["current"] else None

    for kind in ("kernel_object", "large_blob"):
        seed, trace = 0, b""
        while arguments(trace) != 3:
            seed += 1
            trace = run("--kinds=%s,args" % kind, "--records=2", "--seed=%d" % seed).stdout
        fewer = 0
        for seed in range(2000):
            buffer = ctypes.create_string_buffer(trace, 4096)
            size = kit.fxt_fuzz_mutate(buffer, len(trace), 4096, seed)
            fewer += arguments(buffer.raw[:size]) == 2
        assert fewer > 2, (kind, fewer)


def test_deterministic():
    for args in (["--seed=9"], ["--seed=9", "--mutate=20"], ["--seed=9", "--invalid=any"]):
        assert run(*args).stdout == run(*args).stdout
        assert run(*args).stdout != run("--seed=10", *args[1:]).stdout


def test_valid_seeds():
    """The seeds of that name, without which no fuzzer begins with a trace in which nothing is wrong."""
    paths = glob.glob(os.path.join(SOURCES, "../seeds/valid-*.fxt"))
    assert len(paths) == 15, paths
    subprocess.run([FXT, "check", "-q", *paths], check=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in (test_classes, test_valid, test_valid_seeds, test_short_valid_traces_tell_readers_apart, test_invalid, test_invalid_of_few_kinds, test_rules, test_kinds, test_kinds_that_need_others, test_program,
                     test_terminal, test_full, test_numbers,
                     test_rule_of_a_mutated_trace, test_endless, test_deterministic,
                     test_equal_seeds_give_equal_bytes_by_every_compiler,
                     test_valid_traces_hold_what_readers_get_wrong,
                     test_mutations_take_an_argument_out_of_any_record):
            test()
            print(test.__name__, "passed")
