"""What the scripts of this folder share: targets, their seeds, and the programs that Bazel builds.

For shell scripts:
  programs.py targets SANITIZER      prints the targets that can be fuzzed with it
  programs.py inputs TARGET FOLDER   copies the inputs of a target into a folder"""
import argparse
import contextlib
import difflib
import errno
import functools
import glob
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kept  # noqa: E402
from kept import Error  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
KEPT = os.path.join(HERE, "kept")
TARGETS = sorted(os.path.basename(path)[:-len("_fuzzer.c")]
                 for path in glob.glob(os.path.join(HERE, "*_fuzzer.c")))
KINDS = {"asm": "asm", "engine": "engine", "intern": "intern", "joint": "joint", "kernel": "kernel",
         "options": "options", "packet": "packet", "salvage": "buffer", "save": "buffer", "session": "session"}
# All but the one with a mistake planted in it.
FUZZED = [target for target in TARGETS if target != "planted"]
# Libraries that are not instrumented are a source of uninitialized memory, and the contracts compare padding.
UNINSTRUMENTED = ("contracts", "joint", "options", "save", "session", "tools")


class Parser(argparse.ArgumentParser):
    """Of a script's command line. A mistake in it is one line."""
    def __init__(self, usage):
        super().__init__(usage=usage, prog="fuzz/" + os.path.basename(sys.argv[0]))

    def parse_args(self, args=None):
        """An option that there is not is said first: its value may look like a wrong operand."""
        args = sys.argv[1:] if args is None else args
        for word in itertools.takewhile(lambda word: word != "--", args):
            if word.startswith("--") and not any(name.startswith(word.partition("=")[0])
                                                 for name in self._option_string_actions):
                self.error("unrecognized arguments: " + word)
        return super().parse_args(args)

    def error(self, message):
        self.exit(2, "%s: %s; see %s --help\n" % (self.prog, message, self.prog))


def target(name, others=()):
    """The type of an argument that names a target, or may be meant as one of the others."""
    if name.removesuffix("_fuzzer") in TARGETS:
        return name.removesuffix("_fuzzer")
    raise argparse.ArgumentTypeError("there is no target '%s'; %s" % (
        name, near(name, TARGETS + list(others)) or "targets are " + " ".join(TARGETS)))


def near(name, names):
    """A question, if one of them is."""
    found = difflib.get_close_matches(name, names, 1)
    return "did you mean '%s'?" % found[0] if found else ""


def folder(path):
    """The type of an argument that names a folder."""
    if path != KEPT and not os.path.isdir(path):  # git has none that is empty
        raise argparse.ArgumentTypeError("there is no folder '%s'" % path)
    return path


def counted(number, word):
    return "%d %s%s" % (number, word, "" if number == 1 else "s")


def next_triage(target, base):
    """The command that comes after something was found."""
    return "next: " + shlex.join(["fuzz/run", "triage", target] + (["--folder", base] if base != HERE else []))


def above_zero(kind):
    """The type of an argument that is such a number."""
    def number(text):
        with contextlib.suppress(ValueError):
            if 0 < kind(text) < float("inf"):
                return kind(text)
        raise argparse.ArgumentTypeError("'%s' is not a %snumber above 0" % (text, "whole " * (kind is int)))
    return number


def why(error):
    """An error in words; one of the system begins with the path."""
    if isinstance(error, FileNotFoundError) and os.sep not in str(error.filename):
        return "%s is not installed: run ./setup" % error.filename
    if isinstance(error, OSError) and error.strerror:
        return ": ".join(filter(None, (error.filename2 or error.filename, error.strerror)))  # of a copy, the second
    return str(error)


def say(text):
    """Of what takes a while."""
    print(text, file=sys.stderr, flush=True)


untold = []


def tell(text):
    """A result. If standard output is full or closed, this is said once, and the script goes on: what it finds is
    in files, too."""
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        print(text, flush=True)
    except OSError as error:
        if not untold and error.errno != errno.EPIPE:  # as under head
            say("fuzz/%s: cannot write to standard output: %s" % (os.path.basename(sys.argv[0]), error.strerror))
        untold.append(text)
        if sys.stdout:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python tries again at its end


def exit_code(code):
    """Of a script that ends with this one: what is found counts more than what could not be told."""
    return code or (2 if untold else 0)


@contextlib.contextmanager
def said(text):
    """What is done, if it takes longer than two seconds."""
    timer = threading.Timer(2, say, [text])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def check_writable(folder, option="--folder"):
    """The fuzzers say nothing if they cannot write what they found."""
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder) as f:
            f.write(bytes(1 << 16))
    except OSError as error:
        raise Error("cannot write to %s: %s; %s names another place" % (folder, error.strerror, option))


def kind_of(target):
    """The extension of its seeds."""
    return KINDS.get(target, "fxt")


def copy_seeds(target, folder):
    """The seeds of that target, and everything that was ever found."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for pattern in ("seeds/*." + kind_of(target), "regress/*.*"):
        for path in glob.glob(os.path.join(HERE, pattern)):
            if not path.endswith(".md"):
                shutil.copy(path, folder)
    return folder


def copy_inputs(target, folder, *archives):
    """The seeds, and what campaigns found: the archives of these folders, or those in git."""
    copy_seeds(target, folder)
    for each in archives or (KEPT,):
        for data in kept.read(os.path.join(each, target + ".zip")):
            with kept.replacing(os.path.join(folder, kept.name_of(data))) as f:
                f.write(data)
    return folder


def copy_corpus(corpus, folder):
    """A fuzzer that runs beside may take files away."""
    for path in glob.glob(os.path.join(corpus, "*")):
        with contextlib.suppress(FileNotFoundError):
            shutil.copy(path, folder)


def run(command, shown=False):
    """Returns what it prints; `shown` on standard error instead."""
    done = subprocess.run(command, cwd=ROOT, stdout=sys.stderr if shown else subprocess.PIPE,
                          stderr=None if shown else subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        raise Error("'%s' failed%s" % (" ".join(command[:8]),
                                       "" if shown else ":\n" + done.stdout[-4000:]))
    return done.stdout


@functools.lru_cache(maxsize=None)
def built(*names):
    """The folder with these programs or files. In a test Bazel has built them; else this asks it to,
    for one that lies in a checkout may be old. It is not the link bazel-bin, which another --config would
    turn away, and which a read-only checkout does not have."""
    checkout = os.path.exists(os.path.join(ROOT, "WORKSPACE"))
    if not checkout and all(os.path.exists(os.path.join(HERE, name)) for name in names):
        return HERE
    labels = ["//fuzz/kit:" + name[len("kit/"):] if name.startswith("kit/") else "//fuzz:" + name
              for name in names]
    more = " and %d more" % (len(names) - 3) if len(names) > 3 else ""
    with said("Bazel builds %s%s; the first time takes minutes" % (", ".join(names[:3]), more)):
        run(["bazel", "build"] + labels, shown=sys.stderr.isatty())
    info = run(["bazel", "info", "bazel-bin"])  # with what Bazel says besides
    return os.path.join(re.search("^/.*$", info, re.M).group(), "fuzz")


INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def take_interrupts():
    """Also in the background, where a shell has Ctrl-C ignored. The end of a terminal is the same, except
    under nohup."""
    for sign in INTERRUPTS:
        if sign != signal.SIGHUP or signal.getsignal(sign) != signal.SIG_IGN:
            signal.signal(sign, signal.default_int_handler)


def mutator():
    """The kit's mutator, as a library that afl-fuzz loads."""
    return os.path.join(built("kit/fxt_afl.so"), "kit", "fxt_afl.so")


def environment(engine):
    """Of a program that is made for this engine."""
    more = {"UBSAN_OPTIONS": "print_stacktrace=1"}
    if engine == "afl":
        more.update(ASAN_OPTIONS="abort_on_error=1:symbolize=0:leak_check_at_exit=0",
                    UBSAN_OPTIONS="halt_on_error=1:abort_on_error=1:symbolize=0",
                    MSAN_OPTIONS="exit_code=86:abort_on_error=1:symbolize=0", AFL_NO_UI="1",
                    AFL_SKIP_CPUFREQ="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1",
                    AFL_NO_AFFINITY="1", AFL_QUIET="1")
    return {**os.environ, **more}


def print_targets(sanitizer):
    print(*[target for target in FUZZED if sanitizer != "memory" or target not in UNINSTRUMENTED])


if __name__ == "__main__":
    {"targets": print_targets, "inputs": copy_inputs}[sys.argv[1]](*sys.argv[2:])
