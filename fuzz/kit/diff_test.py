#!/usr/bin/env python3
"""`fxt-fuzz diff` finds errors that are planted in a reader, minimises and names them. It finds
none where there is none.

usage: diff_test.py FXT_GEN FXT
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

GEN, FXT = (os.path.abspath(path) for path in sys.argv[1:3])
DIFF = os.path.abspath("fuzz/kit/fxt-fuzz")
SUITE = os.path.abspath("conformance")
TOY = os.path.join(SUITE, "toy.py")


def start(folder, *args, temporary=None, **more):
    path = os.path.dirname(GEN) + os.pathsep + os.environ["PATH"]
    env = dict(os.environ, PATH=path, FXT_CONFORMANCE=SUITE)
    if temporary:
        env["TMPDIR"] = temporary
    return subprocess.Popen([sys.executable, DIFF, "diff", "--out", folder, *args], env=env, **more)


def diff(folder, *args):
    """Exit code, standard output, and {file: size} of the minimised traces."""
    process = start(folder, *args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate()
    files = {name: os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)}
    return process.returncode, out.decode() + err.decode(), files


def planted(error, *more):
    with tempfile.TemporaryDirectory() as folder:
        code, out, files = diff(folder, "--pipe", "--inputs=120", *more, "--", sys.executable, TOY,
                                "--error=" + error, "--pipe")
    assert code == 1, out
    return out, files


def test_planted():
    out, files = planted("int32-unsigned")
    assert list(files) == ["fxt-arg.int32.fxt"] and files["fxt-arg.int32.fxt"] <= 120, out
    assert "ARG-05, vector argument/" in out and "1 difference" in out, out
    out, files = planted("sections-ignored")
    assert files["fxt-event-provider.fxt"] <= 120, out
    out, files = planted("shared-tables")
    assert "(MET-08, vector trace/providers-" in out, out
    out, files = planted("magic-ignored")
    assert "(MET-10, vector trace/concatenated-" in out, out
    out, files = planted("zero-ends")
    assert "REC-09" in out and min(files.values()) <= 120, out


def small_suite(folder):
    """The suite with one file of its corpus."""
    suite = os.path.join(folder, "conformance")
    os.makedirs(os.path.join(suite, "corpus"))
    for name in os.listdir(SUITE):
        if name != "corpus":
            os.symlink(os.path.join(SUITE, name), os.path.join(suite, name))
    os.symlink(os.path.join(SUITE, "..", "spec"), os.path.join(folder, "spec"))
    os.symlink(os.path.join(SUITE, "corpus", "log.json"), os.path.join(suite, "corpus", "log.json"))
    return suite


def vectors(script, *args, suite, file="{file}"):
    """The target is a script for sh; $1 is the trace."""
    env = dict(os.environ, FXT_CONFORMANCE=suite)
    done = subprocess.run([sys.executable, DIFF, "vectors", *args, "--", "sh", "-c", script, "target", file],
                          env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_vectors():
    says = r'printf "fxt_fuzz: they differ\n  both    : event instant\n  expected: ns 5\n  actual  : \033 6\n" >&2'
    large = "[ $(wc -c <$1) -lt 10000 ] || "
    with tempfile.TemporaryDirectory() as folder:
        suite = small_suite(folder)
        code, out, err = vectors(large + "{ %s; kill -ABRT $$; }" % says, suite=suite)
        lines = out.splitlines()
        assert code == 1 and err == "" and 1 < len(lines) < 20, (code, out, err)
        for line in lines[:-1]:
            assert re.fullmatch(r"[A-Z]+-\d\d, vector log/[\w-]+: of event instant: expected ns 5, got \\x1b 6", line), line
        counts = r"\d+ vectors, %d differences? of \d+ rules?" % (len(lines) - 1)
        assert re.fullmatch(counts, lines[-1]), lines[-1]
        code, out, err = vectors(large + "exit 3", suite=suite)
        assert code == 1 and out.splitlines()[0].endswith(": exit code 3"), out
        code, out, err = vectors("exit 1", suite=suite)
        assert code == 2 and "fails on all of the first 20 vectors" in err, err
        hangs = "sleep 60.%d" % os.getpid()  # as no other process of the machine
        code, out, err = vectors(large + hangs, "--timeout=0.2", suite=suite)
        assert code == 1 and "no end in 0.8 s" in out, out
        assert subprocess.run(["pgrep", "-x", "-f", hangs], stdout=subprocess.PIPE).returncode == 1
        code, out, err = vectors("exit 0", "--seed=2", suite=suite)
        assert (code, err) == (2, "fxt-fuzz: --seed is for fxt-fuzz diff alone\n"), err
        code, out, err = vectors("echo 'fxt_fuzz: 7 equal lines' >&2", suite=suite)
        assert code == 0 and out.endswith(" vectors, 0 differences of 0 rules\n"), out
        code, out, err = vectors("exit 0", suite=suite)
        assert code == 2 and "the target compared nothing" in err, err
        env = dict(os.environ, FXT_CONFORMANCE=suite)
        process = subprocess.Popen([sys.executable, DIFF, "vectors", "--", "sh", "-c", "exit 3", "{file}"], env=env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out = process.communicate()[0].decode()
        assert process.returncode == 1 and "\ninterrupted; " in "\n" + out, (process.returncode, out)


def test_vectors_together():
    tells = "echo $# >>%s; for f; do echo 'fxt_fuzz: 7 equal lines' >&2; done; "
    with tempfile.TemporaryDirectory() as folder:
        suite, counts = small_suite(folder), os.path.join(folder, "counts")
        with open(os.path.join(SUITE, "corpus", "argument.json")) as f:
            many = json.load(f)
        with open(os.path.join(suite, "corpus", "argument.json"), "w") as f:
            json.dump(many, f)
        code, out, err = vectors(tells % counts, suite=suite, file="{files}")
        assert code == 0, (code, out, err)
        with open(counts) as f:
            sizes = [int(line) for line in f]
        assert sizes[:50] == 50 * [1] and len(sizes) < 70 and sizes[50] == 50, sizes
        assert out == "%d vectors, 0 differences of 0 rules\n" % sum(sizes), out
        one = "for f; do [ $(wc -c <$f) -lt 10000 ] || exit 3; done"
        expected = vectors(one, suite=suite)
        assert expected[0] == 1 and expected == vectors(one, suite=suite, file="{files}")
        code, out, err = vectors("[ $# = 1 ] || exit 4", suite=suite, file="{files}")
        assert code == 2 and "exits with 4 for the 50 vectors from " in err, (code, err)


def test_agree():
    with tempfile.TemporaryDirectory() as folder:
        assert diff(folder, "--inputs=60", "--", FXT, "dump", "--events", "{file}")[0] == 0
        assert diff(folder, "--inputs=30", "--pipe", "--reference", FXT + " dump --events {file}",
                    "--", sys.executable, TOY, "--pipe")[0] == 0
        assert diff(folder, "--inputs=30", "--kinds=tables,instant", "--only=valid", "--pipe", "--",
                    sys.executable, TOY, "--pipe")[0] == 0
        assert not os.listdir(folder)


ONLY_MAGIC = "[ $(wc -c <{file}) -gt 8 ] || exit 0; "  # what a reader answers, whatever else is wrong with it


def test_crash():
    with tempfile.TemporaryDirectory() as folder:
        code, out, files = diff(folder, "--inputs=2", "--effort=10", "--", "sh", "-c", ONLY_MAGIC + "kill -SEGV $$")
        assert code == 1 and "SIGSEGV" in out and list(files) == ["fxt-crashed.fxt"], out
        assert files["fxt-crashed.fxt"] <= 120, files


def test_nothing_tested():
    """A reader that reads nothing does not pass because nothing was asked of it."""
    with tempfile.TemporaryDirectory() as folder:
        code, out, _ = diff(folder, "--inputs=6", "--kinds=tables", "--only=valid", "--", "true", "{file}")
        assert code == 2 and "no trace that was compared has an event" in out, out
        code, out, _ = diff(folder, "--inputs=30", "--kinds=tables,instant", "--pipe", "--",
                            sys.executable, TOY, "--pipe")
        assert code == 0 and re.search(r"^30 inputs \([1-9]\d* of 73 rules broken\), [1-9]\d* of them left out: .*, 0 differences$", out, re.M), out


def test_sanitizer():
    """What a sanitizer ends has lost its output; the line that sums up says why."""
    with tempfile.TemporaryDirectory() as folder:
        says = ONLY_MAGIC + "echo ==1==ERROR: of it >&2; echo SUMMARY: overflow >&2; echo ABORTING >&2; exit 1"
        code, out, _ = diff(folder, "--inputs=1", "--effort=3", "--", "sh", "-c", says)
        assert code == 1 and "; stderr: SUMMARY: overflow (" in out, out


def test_rules():
    """Minimising breaks rules that have nothing to do with it; they are not named."""
    with tempfile.TemporaryDirectory() as folder:
        code, out, _ = diff(folder, "--inputs=1", "--only=valid", "--", "true", "{file}")
        assert code == 1 and any(it in out for it in ("valid trace)", "that is valid)", ", vector ")), out
        assert "breaks" not in out, out


# A reader with mistakes of its own: what the toy says, changed by a line of Python. Through a pipe, or for
# one file.
CHANGED = """
import json, struct, sys
suite, change, path = sys.argv[1:]
sys.path.insert(0, suite)
import toy

def answer(data):
    for line in toy.answer(data, [])[1].splitlines():
        names = {"it": json.loads(line), "sys": sys}
        exec(change, names)
        if names["it"]:
            yield json.dumps(names["it"]).encode() + b"\\n"

if path != "--pipe":
    sys.stdout.buffer.writelines(answer(open(path, "rb").read()))
    sys.exit()
while len(head := sys.stdin.buffer.read(4)) == 4:
    out = b"".join(answer(sys.stdin.buffer.read(*struct.unpack("<I", head))))
    sys.stdout.buffer.write(struct.pack("<II", 0, len(out)) + out)
    sys.stdout.buffer.flush()
"""


def changed(folder, change, *args):
    return diff(folder, "--pipe", *args, "--", sys.executable, "-c", CHANGED, SUITE, change, "--pipe")


def test_minus_zero_may_be_printed_as_c_does():
    with tempfile.TemporaryDirectory() as folder:
        reader = os.path.join(folder, "reader.py")
        with open(reader, "w") as f:
            f.write("import subprocess, sys\n"
                    "out = subprocess.run([sys.argv[1], 'dump', '--events', sys.argv[2]], stdout=-1).stdout\n"
                    "sys.stdout.buffer.write(out.replace(b':-0.0', b':-0'))\n")
        code, out, files = diff(folder, "--inputs=60", "--kinds=tables,counter,args", "--", sys.executable, reader, FXT, "{file}")
        assert (code, set(files)) == (0, {"reader.py"}), out


def test_standard_error_may_be_closed_or_full():
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, PATH=os.path.dirname(GEN) + os.pathsep + os.environ["PATH"], FXT_CONFORMANCE=SUITE)
        words = [sys.executable, DIFF, "diff", "--inputs=3", "--kinds=tables,instant", "--only=valid", "--out", folder, "--"]
        for redirection in ("2>&-", "2>/dev/full"):
            for reader, wanted in ((["toy"], 0), (["changed"], 1)):
                reader = [sys.executable, TOY, "{file}"] if reader == ["toy"] else [
                    sys.executable, "-c", CHANGED, SUITE, 'it["name"] = "x"', "{file}"]
                done = subprocess.run(["sh", "-c", 'exec "$@" ' + redirection, "sh"] + words + reader, env=env, stdout=subprocess.PIPE)
                assert done.returncode == wanted and done.stdout, (redirection, done)
        done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh"] + words + [sys.executable, TOY, "{file}"],
                              env=env, stderr=subprocess.PIPE)
        assert done.returncode == 3 and b"standard output is closed" in done.stderr, done


def test_the_magic_number_stays():
    """Of a reader that refuses a trace without it, the mistake that was found is in the file."""
    with tempfile.TemporaryDirectory() as folder:
        reader = os.path.join(folder, "reader.py")
        with open(reader, "w") as f:
            f.write("import subprocess, sys\n"
                    "if open(sys.argv[2], 'rb').read(8).hex() != '1000044678541600': sys.exit('no magic number')\n"
                    "out = subprocess.run([sys.argv[1], 'dump', '--events', sys.argv[2]], stdout=-1).stdout.decode()\n"
                    "print(''.join(line for line in out.splitlines(True)\n"
                    "              if '\"flow_step\"' not in line or '\"args\":{}' in line), end='')\n")
        code, out, files = diff(folder, "--only=valid", "--inputs=60", "--effort=15", "--", sys.executable, reader, FXT, "{file}")
        assert code == 1, out
        with open(os.path.join(folder, "fxt-flow_step-missing.fxt"), "rb") as f:
            data = f.read()
        found = subprocess.run([FXT, "dump", "--events", "-"], input=data, stdout=subprocess.PIPE).stdout
        assert data[:8].hex() == "1000044678541600" and b'"args":{}' not in found.splitlines()[-1], (found, out)


def test_an_edition_without_the_later_kinds():
    with tempfile.TemporaryDirectory() as folder:
        code, out, _ = changed(folder, "it = it if it['event'] not in ('module', 'mmap', 'backtrace', "
                               "'large_blob', 'thread_wakeup') else None", "--edition=2020", "--inputs=120")
        assert code == 0 and "left out" in out, out


def test_what_is_nested_deeply():
    """json.loads takes what json.dumps, deeper in the stack, does not; the window is small."""
    for depth in range(980, 992):
        with tempfile.TemporaryDirectory() as folder:
            says = "print('{\"event\":\"instant\",\"ts\":' + '[' * %d + ']' * %d + '}')" % (depth, depth)
            code, out, _ = diff(folder, "--inputs=1", "--effort=1", "--", sys.executable, "-c", says, "{file}")
            assert code in (1, 2) and "Traceback" not in out, (depth, out)


def test_two_mistakes():
    """Neither hides the other, although both begin alike; each is named by a vector of its own matter."""
    swap = """
if it["event"] == "log": it["process"], it["thread"] = it.get("thread"), it.get("process")
if it["event"] in ("instant", "counter"): it["process"] = None
"""
    with tempfile.TemporaryDirectory() as folder:
        code, out, files = changed(folder, swap, "--inputs=90", "--kinds=tables,events,args,log")
        assert code == 1 and set(files) == {"fxt-log-process.fxt", "fxt-event-process.fxt"}, out
        assert re.search("fxt-log-process.fxt.*, vector log/", out), out
        assert re.search("fxt-event-process.fxt.*, vector thread_table/", out), out
    crash = """
if it["event"] in ("duration_begin", "duration_complete"):
    print("SUMMARY: AddressSanitizer: SEGV (/r+0x1) (BuildId: 12) in void r::read_%s<int>(int)" % it["event"],
          file=sys.stderr, flush=True)
    import os; os.kill(os.getpid(), 11)
"""
    with tempfile.TemporaryDirectory() as folder:
        code, out, files = changed(folder, crash, "--inputs=60", "--kinds=tables,events")
        assert code == 1 and set(files) == {"fxt-crashed-SEGV-void_r_read_%s_int_.fxt" % name for name in ("duration_begin", "duration_complete")}, out
    args = """
for name, value in it.get("args", {}).items():
    if type(value) is int and value < 0: it["args"][name] = 1 - value
    if type(value) is str: it["args"][name] = value[:1]
"""
    with tempfile.TemporaryDirectory() as folder:
        code, out, files = changed(folder, args, "--inputs=60", "--kinds=tables,events,args")
        assert code == 1 and "fxt-arg.string.fxt" in files, out
        assert set(files) & {"fxt-arg.int32.fxt", "fxt-arg.int64.fxt"}, out


def test_names():
    """The vector is looked for in the group that has to do with the mistake, however many there are."""
    change = 'if it["event"] == "flow_step" and len(it["args"]) > 1: it.clear()'
    with tempfile.TemporaryDirectory() as folder:
        code, out, _ = changed(folder, change, "--inputs=30", "--kinds=tables,events,args", "--records=200")
        assert code == 1 and "vector event/flow_step-with-arguments" in out, out


def test_what_is_there_stays():
    """A file of an earlier run has another trace of the same name."""
    with tempfile.TemporaryDirectory() as folder:
        change = 'if it["event"] == "instant": it["name"] = "x"'
        with open(os.path.join(folder, "fxt-instant-name.fxt"), "wb") as f:
            f.write(b"before")
        for _ in range(2):  # the second run finds the same
            code, out, files = changed(folder, change, "--inputs=6", "--kinds=tables,events")
            assert code == 1 and set(files) == {"fxt-instant-name.fxt", "fxt-instant-name-2.fxt"}, out
            assert files["fxt-instant-name.fxt"] == 6 and "fxt-instant-name-2.fxt: " in out, out


def test_reference_that_fails():
    """It ends the run, but what was found before is kept."""
    with tempfile.TemporaryDirectory() as folder:
        fails = "sh -c '[ $(wc -c <{file}) -gt 90 -o $(wc -c <{file}) -lt 9 ] || exit 9; exec %s dump --events {file}'" % FXT
        code, out, files = diff(folder, "--inputs=3", "--only=valid", "--reference=" + fails, "--", "true", "{file}")
        assert code in (1, 2) and any("missing" in name for name in files), out
        code, out, files = diff(folder, "--inputs=3", "--reference=sh -c 'echo \"{}\"; : {file}'", "--", "true", "{file}")
        assert code == 2 and "without the name of an event; the trace is %s/fxt-reference.fxt" % folder in out, out
        assert "Traceback" not in out, out


def test_changing():
    """What it says about a reader that says something else the next time, is what it said."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
        once = "[ -e %s/x ] || { touch %s/x; kill -SEGV $$; }; : {file}" % (state, state)
        code, out, _ = diff(folder, "--inputs=1", "--", "sh", "-c", once)
        assert code == 1 and "fxt-crashed.fxt: SIGSEGV" in out, out


def test_silent():
    """A reader that prints nothing may say why."""
    with tempfile.TemporaryDirectory() as folder:
        code, out, _ = diff(folder, "--inputs=1", "--", "sh", "-c", "echo reason >&2; : {file}")
        assert code == 1 and "; stderr: reason (" in out, out


def interrupted(folder, sign):
    """Exit code and both outputs when it is interrupted in minimising."""
    with tempfile.TemporaryDirectory() as state:
        hangs = "[ ! -e %s/x ] || sleep 99; : >%s/x; : {file}" % (state, state)
        process = start(folder, "--timeout=20", "--", "sh", "-c", hangs, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, temporary=state)
        line = process.stderr.readline()
        assert line.endswith(b"; minimising\n"), line
        process.send_signal(sign)
        out, err = process.communicate()
        assert os.listdir(state) == ["x"], os.listdir(state)
        return process.returncode, out, err


def test_interrupt():
    """It says at once what it minimises, and ends with a summary, by whichever signal."""
    with tempfile.TemporaryDirectory() as folder:
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            code, out, err = interrupted(folder, sign)
            assert code == 1 and err == b"", (code, err)
            assert out.splitlines()[-1] == b"interrupted; 1 input, 1 difference", out
            assert b" (interrupted)\n" in out, out
            name, = os.listdir(folder)
            assert ("/%s: " % name).encode() in out, out
            os.unlink(os.path.join(folder, name))
        process = start(folder, "--timeout=20", "--", "sh", "-c", "echo >&2; sleep 99; : {file}",
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
        assert process.returncode == 2 and err.endswith(b"fxt-fuzz: interrupted before the first answer\n"), err


def test_an_interrupted_run_without_a_difference_is_no_success():
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "asked")
        process = start(folder, "--inputs=100000", "--", "sh", "-c", 'echo >>"$0"; exec "$@"', state, FXT, "dump",
                        "--events", "{file}", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not os.path.exists(state) or os.path.getsize(state) < 30:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
        assert process.returncode == 1 and re.search(rb"^interrupted; .*, 0 differences$", out), (out, err)


def test_an_adapter_that_removes_its_input():
    with tempfile.TemporaryDirectory() as folder:
        code, out, _ = diff(folder, "--inputs=3", "--", "sh", "-c", '"$0" dump --events "$1"; rm "$1"', FXT, "{file}")
        assert code == 0 and out.startswith("3 inputs"), out


def test_all_rules_are_broken_by_the_default():
    with tempfile.TemporaryDirectory() as folder:
        code, out, _ = diff(folder, "--pipe", "--", sys.executable, TOY, "--pipe")
        assert code == 0 and out.startswith("300 inputs (73 of 73 rules broken), 0 differences"), out


def test_kinds():
    """The magic number is in every trace, so that every reader is given it."""
    with tempfile.TemporaryDirectory() as folder:
        for kinds in ("events,args", "all,-magic", "-log,"):
            code, out, _ = diff(folder, "--inputs=20", "--only=valid", "--kinds=" + kinds, "--pipe", "--",
                                sys.executable, TOY, "--pipe")
            assert code == 0 and out.startswith("20 inputs, 0 differences"), out


def test_full():
    """What cannot be written is named, with a status of its own."""
    for out in ("summary", "difference"):
        adapter = ["true", "{file}"] if out != "summary" else [FXT, "dump", "--events", "{file}"]
        with tempfile.TemporaryDirectory() as folder, open("/dev/full", "wb") as full:
            process = start(folder, "--inputs=1", "--only=valid", "--", *adapter, stderr=subprocess.PIPE, stdout=full)
            err = process.communicate()[1].decode().splitlines()[-1]
        what = "the result: No space left on device"
        assert process.returncode == 3 and err.startswith("fxt-fuzz: cannot write " + what), (out, err)


def test_out():
    """A folder that cannot be written is a mistake before the first trace; later, the difference is still told."""
    with tempfile.TemporaryDirectory() as folder:
        for out in ("/proc/x", "/dev/null", "/dev/null/x"):
            process = start(out, "--", "sh", "-c", "touch %s/asked; : {file}" % folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
            result, err = process.communicate()
            assert process.returncode == 3 and result == b"" and not os.listdir(folder), (result, err)
            assert err.startswith(b"fxt-fuzz: cannot write to %s: " % out.encode()) and err.count(b"\n") == 1, err
        out = os.path.join(folder, "out")
        process = start(out, "--only=valid", "--effort=2", "--", "sh", "-c", "rm -rf %s; : >%s; : {file}" % (out, out),
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        result, err = process.communicate()
        assert process.returncode == 3 and err.splitlines()[-1].startswith(b"fxt-fuzz: cannot write %s/fxt-" % out.encode()), err
        assert re.match(rb"not written: .*\n    \d+ of \d+ bytes, from fxt-gen --seed=1 .*\n$", result), result


def test_slow():
    """What answers if it is given more time, hangs no more than what is cut away until it does."""
    with tempfile.TemporaryDirectory() as folder:
        sleep = "s=$(wc -c <{file}); [ $s -le 8 ] || sleep %s; exec " + FXT + " dump --events {file}"
        words = ["--timeout=1", "--effort=8", "--only=valid", "--seed=5", "--records=12", "--", "sh", "-c"]
        code, out, files = diff(folder, "--inputs=2", *words, sleep % "1.3")
        assert code == 0 and not files and "no answer in 1 s, but one in 4 s, to fxt-gen --seed=5 " in out, out
        code, out, files = diff(folder, "--inputs=1", *words, sleep % "$([ $s -gt 200 ] && echo 9 || echo 1.3)")
        assert code == 1 and list(files) == ["fxt-hung.fxt"] and files["fxt-hung.fxt"] > 200, (out, files)


def test_never():
    """An adapter that gives no answer at all is a mistake in the command, not a difference."""
    with tempfile.TemporaryDirectory() as folder:
        for words, text in ((["/bin/false", "{file}"], "exit code 1"),
                            ([sys.executable, "nope.py", "{file}"], "can't open file"),
                            (["echo", "{file}"], "is no JSON"),
                            (["sh", "-c", "kill -SEGV $$; : {file}"], "SIGSEGV")):
            for inputs, traces in ((300, "20 traces"), (2, "2 traces"), (1, "1 trace")):
                code, out, files = diff(folder, "--inputs=%d" % inputs, "--", *words)
                assert code == 2 and not files, out
                assert re.match("fxt-fuzz: the adapter never answered, in %s: .*%s" % (traces, text), out), out
                assert len(out.splitlines()) == 1, out
        code, out, files = diff(folder, "--inputs=1", "--effort=1", "--", "sh", "-c", ONLY_MAGIC + "exit 1")
        assert code == 1 and files, out


def test_late():
    """What came before the first answer is reported, too."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
        late = "echo >>%s/x; [ $(wc -l <%s/x) -gt 3 ] || exit 1; : {file}" % (state, state)
        code, out, _ = diff(folder, "--inputs=4", "--only=valid", "--", "sh", "-c", late)
        assert code == 1 and "4 inputs, " in out and ", 0 differences" not in out, out


def test_usage():
    done = subprocess.run([sys.executable, DIFF], env=dict(os.environ, FXT_CONFORMANCE=SUITE), stderr=subprocess.PIPE)
    assert done.returncode == 2 and b"required: diff|vectors; see fxt-fuzz --help" in done.stderr, done
    with tempfile.TemporaryDirectory() as folder:
        for args, text in (([], "no adapter"), (["--", "true"], "no {file}"),
                           (["true", "{file}"], "unknown: true {file}; the adapter stands behind --"),
                           (["--kinds=nope", "--", "true", "{file}"], "no such kind"),
                           (["--records=0", "--", "true", "{file}"], "--records: '0' is not a whole number above 0"),
                           (["--timeout=nan", "--", "true", "{file}"], "--timeout: 'nan' is not a number above 0"),
                           (["--refrence=x", "--", "true", "{file}"], "--refrence"),
                           (["--reference=true", "--", "true", "{file}"], "reference has no"),
                           (["--reference=false {file}", "--", "true", "{file}"],
                            "reference fails"),
                           (["--", "/nowhere", "{file}"], "the adapter: /nowhere is not found from"),
                           (["--", "/tmp", "{file}"], "the adapter: /tmp is a directory"),
                           (["--reference=", "--", "true", "{file}"], "--reference is empty"),
                           (["--seed=-1", "--", "true", "{file}"], "--seed=-1"),
                           (["--seed=18446744073709551616", "--", "true", "{file}"], "--seed=1844"),
                           (["--kinds=--tables,all", "--", "true", "{file}"], "no such kind"),
                           (["--kinds=all,-all", "--", "true", "{file}"], "no kind is left in all,-all"),
                           (["--kinds=,", "--", "true", "{file}"], "no such kind"),
                           (["--kinds=counter", "--", "true", "{file}"], "no trace has these kinds"),
                           (["--reference='/no where' {file}", "--", "true", "{file}"],
                            "the reference: /no where is not found from"),
                           (["--reference='x {file}", "--", "true", "{file}"], "--reference: No closing quotation"),
                           (["--reference=/nowhere {file}", "--", "true", "{file}"],
                            "the reference: /nowhere is not found from")):
            code, out, _ = diff(folder, "--inputs=1", *args)
            assert code == 2 and text in out and len(out.splitlines()) == 1, (args, out)


if __name__ == "__main__":
    for test in (test_minus_zero_may_be_printed_as_c_does, test_standard_error_may_be_closed_or_full, test_what_is_nested_deeply, test_planted, test_the_magic_number_stays, test_an_edition_without_the_later_kinds, test_agree, test_crash, test_changing, test_silent, test_interrupt,
                 test_an_interrupted_run_without_a_difference_is_no_success, test_an_adapter_that_removes_its_input,
                 test_all_rules_are_broken_by_the_default,
                 test_nothing_tested, test_sanitizer, test_rules, test_usage,
                 test_two_mistakes, test_names, test_reference_that_fails,
                 test_what_is_there_stays, test_kinds, test_full, test_out, test_slow, test_never, test_late, test_vectors,
                 test_vectors_together):
        began = time.monotonic()
        test()
        print("%s passed (%.0f s)" % (test.__name__, time.monotonic() - began), flush=True)
