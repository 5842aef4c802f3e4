"""Runs a program on one vector after the other, on several at a time. What ends the run early leaves
what was found: a signal, or a program that never answers. `options` has

    command, timeout, jobs, pipe, prefork, keep_going   of the command line
    stop                                       an event that ends what waits
    interrupted, told                          in words: why not all was run, how adapters ended
"""
import argparse
import collections
import contextlib
import io
import os
import re
import signal
import sys
import tempfile
import threading
import time

from runner.plain import (CRASHED, GARBAGE, HUNG, PASSED, UNSUPPORTED, Stopped, Unwritten, Usage, like, printable,
                          why)
from runner.prefork import Library, transport_of
from runner.results import Result, counts_of, problem

if os.name != "posix":
    print("%s: needs sessions and signals of POSIX: run it on Linux, on macOS or in WSL" % (
        os.path.basename(sys.argv[0])), file=sys.stderr)
    sys.exit(2)

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
EARLY = 20  # vectors without an answer, after which the rest is not run


def begin(options):
    options.stop = threading.Event()
    options.interrupted = ""
    options.told = set()
    options.library = Library() if options.prefork else None


def work(todo, done, run_one, options, folder, ended):
    """A thread: one vector after the other, until none is left."""
    try:
        work_on(todo, done, run_one, options, folder)
    finally:
        ended.set()


def work_on(todo, done, run_one, options, folder):
    transport = transport_of(options, folder)
    while todo and not options.stop.is_set() and (options.keep_going or not hopeless(done)):
        try:
            result = todo.popleft()
        except IndexError:
            break
        start = time.monotonic()
        try:
            run_one(result, transport, options)
        except Exception as error:  # to the main thread, which raises it
            done.append(error)
            break
        result.seconds = time.monotonic() - start
        if options.stop.is_set() and result.status == HUNG:
            result.status, result.text = None, ""
        done.append(result)
    options.told.update(transport.end())


def hopeless(done):
    """What the first vectors have in common, in words, if none of them got an answer."""
    first = []
    for result in done:
        if isinstance(result, Result) and result.status != UNSUPPORTED and not result.vacuous:
            first.append(result)
            known = result.status == PASSED or result.expectation and result.as_expected()
            if known or not (result.silent or result.status in (CRASHED, HUNG, GARBAGE)):
                return None
        if len(first) == EARLY:
            return "none of the first %d vectors got a usable answer (%s: %s)" % (
                EARLY, " or ".join(sorted({r.status for r in first})),
                first[0].silent or first[0].text)
    return None


def spread(results):
    """The results in the order in which they are run: at first some from all over the suite, by which a program is
    judged that never gives an answer."""
    ready = [result for result in results if not result.unsupported]
    first = {id(result): result for result in (ready[len(ready) * n // EARLY] for n in range(EARLY if ready else 0))}
    return list(first.values()) + [result for result in results if id(result) not in first]


def run_all(results, run_one, options):
    """Runs all; an interrupt leaves the rest without a status."""
    def interrupt(*_):
        options.interrupted = "interrupted"

    todo, done = collections.deque(spread(results)), []
    with on_signals(interrupt), tempfile.TemporaryDirectory(prefix="fxt-conformance-") as folder:
        ended = [threading.Event() for _ in range(min(options.jobs, len(results)))]
        for event in ended:
            threading.Thread(target=work, args=(todo, done, run_one, options, folder, event),
                             daemon=True).start()
        leave = float("inf")  # what compares a long answer hears nothing
        while not all(event.is_set() for event in ended) and time.monotonic() < leave:
            if options.interrupted and not options.stop.is_set():
                options.stop.set()
                leave = time.monotonic() + 5
            progress(len(done), len(results))
            time.sleep(0.02)
        progress(None, 0)
    if todo and not options.interrupted and hopeless(done):
        options.interrupted = hopeless(done) + (
            ", so the rest was not run; --keep-going runs it")
    for item in done:
        if isinstance(item, Exception):
            raise item


@contextlib.contextmanager
def on_signals(handler):
    """What would end this program calls the handler, unless it is ignored, as under nohup."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, old in before.items():
        signal.signal(number, old if old == signal.SIG_IGN else handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def progress(count, of):
    if sys.stderr and sys.stderr.isatty():
        complain("\r\033[K" if count is None else "\r%d of %d" % (count, of), end="")


def complain(text, end="\n"):
    """On standard error, which may have gone, or be full: what sys.stderr kept would fail at the end."""
    if sys.stderr:
        with contextlib.suppress(OSError):
            os.write(2, (text + end).encode("utf-8", "backslashreplace"))


def tell_interrupt(results, options):
    if options.interrupted:
        print("interrupted: %d of %d vectors were run" % (
            sum(counts_of(results).values()), len(results)))


def exit_code(results, options):
    text = problem(results, options)
    if text not in ("", "interrupted"):
        raise Stopped(text)
    return 0 if all(r.as_expected() for r in results) and not text else 1


# ---- the command line

class Once(argparse.Action):
    """Stores a value. A second one would take its place without a word."""
    given = False

    def __call__(self, parser, namespace, value, option=None):
        if option and self.given:
            parser.error("%s is given twice" % option)
        self.given = True
        setattr(namespace, self.dest, value)


class Parser(argparse.ArgumentParser):
    def __init__(self, *words, **options):
        super().__init__(*words, **options)
        self.register("action", None, Once)

    def parse_args(self, words):
        options = super().parse_args(words)
        for action in self._actions:
            if getattr(options, action.dest, None) == "":
                raise Usage("%s is empty: give a value, or leave it out" % (
                    action.option_strings or [action.dest.upper()])[0])
        return options

    def error(self, message):
        unknown = re.match(r"unrecognized arguments: (--[^ =]+)", message)
        near = unknown and like(unknown.group(1), self._option_string_actions, 0.75)
        raise Usage("%s; %s" % (
            printable(message, 400), "did you mean %s?" % near if near else "see %s --help" % self.prog))


def main(name, score, words):
    """What is printed goes out at the end: a reader that has enough of it costs no report."""
    out, code, problem = io.StringIO(), 1, None
    try:
        with on_signals(signal.default_int_handler), contextlib.redirect_stdout(out):
            code = score(words)
    except SystemExit as end:  # --help
        code = end.code
    except KeyboardInterrupt:
        problem = "interrupted"
    except Usage as error:
        code, problem = error.code, error
    except OSError as error:
        code = Unwritten.code
        problem = "%s: %s" % (printable(str(error.filename or "cannot go on"), 400), why(error))
    try:
        with open(1, "w", encoding="utf-8", errors="backslashreplace", closefd=False) as f:
            f.write(out.getvalue())
    except BrokenPipeError:
        pass
    except OSError as error:
        code, problem = Unwritten.code, "cannot write the output: %s" % why(error)
    if problem:
        complain("%s: %s" % (name, problem))
    return code
