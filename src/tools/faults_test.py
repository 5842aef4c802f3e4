#!/usr/bin/env python3
"""Each system call of each program fails once, by strace, in each way to use the program.

usage: faults_test.py FXT TRACE TRACED MANAGER KTRACE_PROVIDER FXT_GEN CAPTURE
                      [--all] [--mode=TEXT] [--call=NAME[:N[:ERROR]]]

A mode is a sequence of commands; strace runs some of them. The first run has no fault and shows which
calls the program makes behind the loader. In each further run, one call fails. strace counts the calls
of each thread by itself: a fault at the 2nd read meets every thread that reads twice.

What must hold, whatever fails:
  * No process dies by a signal, hangs, or stays behind.
  * Exit status 0 means that nothing is missing: the output is the one of the run without a fault, or
    a recording with all events.
  * With any other status the output is the old file or a whole new one, a message names the file on
    which a call failed, and no file stays that no message names.
  * A traced program goes on, whatever fails in it.

Three calls of each kind fail: the first, the middle, and the last one. With --all, each one fails.
--mode runs the modes whose name has this text, and --call repeats one fault.
"""

import concurrent.futures
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

HANG_S = 25     # above every timeout of the manager
PATIENCE_S = 3  # of the traced program, for a recording to begin
EVENTS = 100
RECORDS = 12000  # of the inputs: several reads each
OLD = b"an old file\n"

# The errors of each call.
ERRORS = {
    "accept4": ["EMFILE"], "bind": ["EADDRINUSE"], "chmod": ["EPERM"], "clone3": ["EAGAIN"],
    "close": ["EIO"], "connect": ["EAGAIN"], "dup2": ["EMFILE"], "dup3": ["EMFILE"],
    "epoll_create1": ["EMFILE"], "epoll_ctl": ["ENOSPC", "ENOMEM"], "epoll_wait": ["EINTR"],
    "eventfd2": ["EMFILE"], "execve": ["ENOMEM"], "fadvise64": ["EINVAL"], "fallocate": ["ENOSPC"],
    "fchmod": ["EPERM"], "fcntl": ["ENOLCK"], "flock": ["ENOLCK"], "fstat": ["EIO"],
    "fsync": ["EIO"], "ftruncate": ["ENOSPC"], "getdents64": ["EIO"], "getrandom": ["ENOSYS"],
    "getsockopt": ["ENOBUFS"], "inotify_add_watch": ["ENOSPC"], "inotify_init1": ["EMFILE"],
    "ioctl": ["EIO"], "link": ["EIO"], "linkat": ["EIO"], "listen": ["EADDRINUSE"],
    "lseek": ["EIO"], "madvise": ["EAGAIN"], "membarrier": ["EPERM"], "memfd_create": ["EMFILE"],
    "mkdir": ["ENOSPC"], "mmap": ["ENOMEM"], "munmap": ["ENOMEM"], "newfstatat": ["EIO"],
    "openat": ["EMFILE", "EIO"], "pidfd_open": ["EMFILE"], "pipe2": ["EMFILE"],
    "poll": ["EINTR", "ENOMEM"], "ppoll": ["EINTR", "ENOMEM"], "prctl": ["EINVAL"], "pread64": ["EIO"],
    "pwrite64": ["ENOSPC"], "read": ["EIO", "EINTR"], "readlink": ["EIO"], "recvfrom": ["ENOMEM"],
    "recvmsg": ["ENOMEM", "EINTR"], "rename": ["EIO"], "renameat2": ["EIO"],
    "sendmsg": ["ENOBUFS", "EINTR"], "signalfd4": ["EMFILE"], "sendto": ["ENOBUFS", "EINTR"], "setsockopt": ["ENOBUFS"],
    "shutdown": ["ENOBUFS"], "socket": ["EMFILE"], "socketpair": ["EMFILE"],
    "timerfd_create": ["EMFILE"], "timerfd_gettime": ["EINVAL"], "timerfd_settime": ["EINVAL"], "unlink": ["EIO"],
    "wait4": ["EINTR"], "write": ["ENOSPC", "EIO"], "writev": ["ENOSPC"],
}

INPUTS_MADE = {"in.buffer", "in.fxt", "in.fxt.gz", "in.fxt.zst", "in.fxta", "in2.fxt", "capture.dat"}

FXT = TRACE = TRACED = MANAGER = KTRACE = INPUTS = None


class Command:
    """One command of a mode. Of a traced command, `inner` is what strace runs. `into_pipe`: its caller
    reads what it prints to the end. `after_failure`: it runs only if one before it has failed."""

    def __init__(self, *argv, strace=False, inner=None, background=False, into_pipe=False,
                 after_failure=False):
        self.argv = list(argv)
        self.strace = strace
        self.inner = inner
        self.background = background
        self.into_pipe = into_pipe
        self.after_failure = after_failure

    def line(self, strace):
        if self.inner is not None:
            return self.argv + strace + self.inner
        return strace + self.argv if self.strace else self.argv


class Mode:
    """Commands, and what they write: `output` in place of an old file. A recording has so many events."""

    def __init__(self, name, commands, output=None, recording=False, events=EVENTS, traced=False,
                 truncates=False, code=0):
        self.name = name
        self.commands = commands
        self.output = output
        self.recording = recording
        self.events = events
        self.traced = traced  # strace runs the traced program
        self.truncates = truncates  # the old file, before anything can be known
        self.code = code      # exit status without a fault


def modes():
    found = []
    for name, arguments in {
            "check": ["check", "in.fxt"],
            "check-gz": ["check", "in.fxt.gz"],
            "check-zst": ["check", "in.fxt.zst"],
            "dump": ["dump", "in.fxt", "-o", "out"],
            "json": ["json", "in.fxt", "-o", "out"],
            "json-zst": ["json", "in.fxt.zst", "-o", "out"],
            "json-to-zst": ["json", "in.fxt", "-o", "out.zst"],
            "asm": ["asm", "in.fxta", "-o", "out"],
            "stat": ["stat", "in.fxt"],
            "salvage": ["salvage", "in.buffer", "-o", "out"],
            "fmt": ["fmt", "in.fxt", "-o", "out"],
            "html": ["html", "in.fxt", "-o", "out"],
            "report": ["report", "in.fxt"],
            "report-diff": ["report", "--diff", "in.fxt", "in2.fxt"],
            "cut": ["cut", "--from=10%", "in.fxt", "-o", "out"],
            "filter": ["filter", "in.fxt", "-o", "out"],
            "merge": ["merge", "in.fxt", "in2.fxt", "-o", "out"],
            "diff": ["diff", "in.fxt", "in2.fxt"],
            "sql": ["sql", "in.fxt", "select count(*) from slice"],
            "export": ["export", "--output=tables", "in.fxt"]}.items():
        output = arguments[-1] if "-o" in arguments else None
        found.append(Mode("fxt-" + name, [Command(FXT, *arguments, strace=True)], output,
                          code=1 if name == "diff" else 0))
    steps = [TRACED, "await", f"events={EVENTS}"]
    for name, options in {
            "oneshot": ["-o", "out"],
            "circular": ["--buffering-mode=circular", "-o", "out"],
            "streaming": ["--buffering-mode=streaming", "-o", "out"],
            "zst": ["--stream", "-o", "out.fxt.zst"],
            "json": ["-o", "out.json"]}.items():
        record = Command(TRACE, "record", *options, "--", *steps, strace=True)
        found.append(Mode("record-" + name, [record], options[-1], recording=True))
    traced = [TRACED, f"events={EVENTS}", "print=done"]
    into_file = [TRACED, "file=out", f"events={EVENTS}", "print=done"]
    start, stop = [TRACE, "start", "-o", "out"], [TRACE, "stop"]
    manager = Command(MANAGER, strace=True, background=True)
    record = Command(TRACE, "record", "-o", "out", "--", *steps)
    found += [
        Mode("start", [Command(*start, strace=True, into_pipe=True), Command(*steps), Command(*stop)], "out",
             recording=True),
        Mode("stop", [Command(*start), Command(*steps), Command(*stop, strace=True),
                      Command(*stop, after_failure=True)], "out", recording=True),
        Mode("manager", [manager, record], "out", recording=True),
        Mode("traced", [Command(TRACE, "record", "-o", "out", "--", inner=traced)], "out",
             recording=True, traced=True),
        Mode("traced-file", [Command(inner=into_file)], "out", recording=True, traced=True),
        Mode("list-providers", [Command(TRACE, "list-providers", strace=True)], code=1),
        Mode("status", [Command(TRACE, "status", strace=True)], code=1),
        Mode("ktrace-replay", [Command(KTRACE, "--replay=capture.dat", "--output=out",
                                       "--duration=10", strace=True)],
             "out", recording=True, events=RECORDS, truncates=True),
    ]
    return found


class Run:
    """One run of a mode in a directory of its own, with at most one fault."""

    def __init__(self, mode, fault=None):
        self.mode = mode
        self.fault = fault
        self.code, self.out, self.err = 0, b"", ""
        self.hung = self.stayed = False
        self.directory = tempfile.mkdtemp(prefix="faults")
        try:
            self.prepare()
            self.run()
            self.look()
        finally:
            self.kill_rest()
            shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def prepare(self):
        for name in os.listdir(INPUTS):
            os.link(os.path.join(INPUTS, name), self.path(name))
        if self.mode.output is not None:
            with open(self.path(self.mode.output), "wb") as file:
                file.write(OLD)
        os.mkdir(self.path("manager"), 0o700)

    def run(self):
        # -D: the program is the child, so a command that goes on in the background returns.
        strace = ["strace", "-D", "-f", "-y", "-qq", "-o", self.path("log")]
        if self.fault is not None:
            strace += ["-e", "inject=%s:error=%s:when=%d" %
                       (self.fault[0], self.fault[2], self.fault[1])]
        env = {**os.environ, "FXT_TRACE_DIR": self.path("manager"), "LC_ALL": "C",
               "TRACED_PATIENCE": str(PATIENCE_S)}
        background = []
        with open(self.path("stdout"), "w+b") as out, open(self.path("stderr"), "w+b") as err:
            for command in self.mode.commands:
                if command.after_failure and self.code == 0:
                    continue
                if self.code != 0:
                    env["TRACED_PATIENCE"] = "0"  # there may be no recording to wait for
                process = subprocess.Popen(command.line(strace), cwd=self.directory, env=env,
                                           stdin=subprocess.DEVNULL, stderr=err,
                                           stdout=subprocess.PIPE if command.into_pipe else out)
                if command.background:
                    background.append(process)
                    self.await_socket(process)
                else:
                    self.end(process)
            for process in background:
                process.send_signal(signal.SIGTERM)
                self.end(process)
            self.stayed = not self.hung and self.stay()
            self.kill_rest()
            self.stay(strace=True)  # it is no child of ours, and writes the log to its end
            for file in (out, err):
                file.seek(0)
            self.out = out.read().replace(self.directory.encode(), b"DIR")
            self.err = err.read().decode("utf-8", "replace")

    def await_socket(self, process):
        end = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < end and \
                not os.path.exists(self.path("manager/controller")):
            time.sleep(0.01)

    def end(self, process):
        try:
            process.communicate(timeout=0.1 if self.hung else HANG_S)
            code = process.returncode
        except subprocess.TimeoutExpired:
            self.hung = True
            self.kill_rest()
            code = process.wait()
        if self.code == 0 or code < 0:
            self.code = code

    def processes(self, strace=False):
        """Those of this run: the programs, or strace."""
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/environ", "rb") as file:
                    ours = self.directory.encode() in file.read()
                program = os.path.basename(os.readlink(f"/proc/{process}/exe"))
                if ours and (program == "strace") == strace:
                    yield int(process)
            except OSError:
                pass

    def stay(self, strace=False):
        """Whether processes of this run are still there after a long time."""
        end = time.monotonic() + HANG_S
        while list(self.processes(strace)):
            if time.monotonic() > end:
                return True
            time.sleep(0.02)
        return False

    def kill_rest(self):
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass

    def look(self):
        with open(self.path("log"), encoding="utf-8", errors="replace") as file:
            self.log = file.read().splitlines()
        self.left = {os.path.join(where, name)[len(self.directory) + 1:]
                     for where, _, names in os.walk(self.directory) for name in names}
        self.new = None
        if self.mode.output in self.left:
            with open(self.path(self.mode.output), "rb") as file:
                self.new = file.read()
        self.steps = self.count_steps() if self.mode.recording else None
        self.injected = [self.begin_of(i) + line for i, line in enumerate(self.log)
                         if line.endswith("(INJECTED)")]

    def begin_of(self, end):
        """Of a call that another thread interrupted in the log: its first line."""
        thread = self.log[end].split()[0]
        if " resumed>" not in self.log[end]:
            return ""
        return next((line for line in reversed(self.log[:end])
                     if line.startswith(thread + " ") and line.endswith("<unfinished ...>")), "")

    def count_steps(self):
        """How many events the recording has; None if it is not whole."""
        if self.mode.output.endswith(".json"):
            whole = self.new is not None and self.new.rstrip().endswith(b"}")
            return self.new.count(b'"name":"step"') if whole else None
        dump = subprocess.run([FXT, "dump", self.path(self.mode.output)], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        if dump.returncode != 0:
            return None
        return dump.stdout.count(b'name="step"') + dump.stdout.count(b" context_switch ")


CALL = re.compile(r"^(\d+)\s+([a-z_0-9]+)\(")


def calls(log):
    """(thread, call, line, whether a loader makes it): a program's loader ends by the first munmap."""
    loading = set()
    for line in log:
        match = CALL.match(line)
        if match:
            thread, call = match.groups()
            if call == "munmap" and thread in loading:
                loading.remove(thread)
                yield thread, call, line, True
                continue
            yield thread, call, line, thread in loading
            if call == "execve" and line.endswith("= 0"):
                loading.add(thread)


def leaves_open(line, directory):
    """A close() that strace lets fail does not close. Who waits for the end of a pipe, or for a lock, waits
    for ever then, so only the user's files count."""
    return " close(" in line and not re.search(f"<{directory}/(?!manager>)", line)


def faults_of(good, everything):
    """All faults of a mode. A number is left out if the n-th call of a thread is a loader's."""
    count, numbers, left_out = {}, {}, set()
    for thread, call, line, loader in calls(good.log):
        nth = count[thread, call] = count.get((thread, call), 0) + 1
        numbers.setdefault(call, set()).add(nth)
        if loader or leaves_open(line, good.directory):
            left_out.add((call, nth))
    for call in sorted(ERRORS.keys() & numbers.keys()):
        left = sorted(nth for nth in numbers[call] if (call, nth) not in left_out)
        if (call, good.mode.name) == ("read", "ktrace-replay"):
            continue  # libtracecmd takes what a failed read has left for the bytes of the capture
        if left and not everything:
            left = sorted({left[0], left[len(left) // 2], left[-1]})
        for error in ERRORS[call]:
            yield from ((call, nth, error) for nth in left)


def misses(run):
    """Whether the fault met nothing of ours: the calls of a run are not always in the same order."""
    return not run.injected or any(leaves_open(line, run.directory) for line in run.injected) or any(
        loader and line.endswith("(INJECTED)") for _, _, line, loader in calls(run.log))


KILLED = re.compile(r"^\d+\s+\+\+\+ killed by (SIG[A-Z]+)")
FILE = re.compile(r'\b\d+<([^<>]+)>|(?:openat|newfstatat|rename|unlink)\([^"]*"([^"]+)"')


def file_of(run):
    """The name of the file on which the call failed, if it is one of the user's. What is written to
    out.fxt-XXXXXX becomes out. A descriptor that cannot be moved to a high number stays where it is, which
    harms no file."""
    harmful = [line for line in run.injected if "F_DUPFD_CLOEXEC" not in line]
    for found in FILE.findall(harmful[0]) if harmful else []:
        path = os.path.normpath(os.path.join(run.directory, found[0] or found[1]))
        name = re.sub(r"\.fxt-\w{6}$", "", os.path.basename(path))
        if os.path.dirname(path) == run.directory and (name in INPUTS_MADE or
                                                      name == run.mode.output):
            return name
    return None


def stays_open(run):
    """Whether the file that could not be closed has a second descriptor, at a high number."""
    moved = "fcntl(%s<" % re.search(r"close\((\d+)<", run.injected[0])[1]
    return any(moved in line and "F_DUPFD_CLOEXEC" in line and "= -1" not in line for line in run.log)


def was_killed(log, how):
    """Whether another process meant it: SIGABRT and SIGSEGV come from no kill()."""
    return any(re.search(r" kill\(-?\d+, %s\b" % how, line) for line in log)


def broken(run, good):
    """What does not hold in a run."""
    mode = run.mode
    if run.hung:
        yield "hangs"
        return
    if run.stayed:
        yield "a process stays"
    for line in run.log:
        match = KILLED.match(line)
        if match and match.group(1) != "SIGPIPE" and not was_killed(run.log, match.group(1)):
            yield "dies by " + match.group(1)
    if mode.traced and b"done" not in run.out and not any("/stdout>" in it for it in run.injected):
        yield f"the traced program does not go on: exit {run.code}"
    if run.code == mode.code:
        if mode.recording and run.steps != mode.events and not mode.traced:
            yield f"exit {run.code} with {run.steps} of {mode.events} events"
        if not mode.recording and mode.output is not None and run.new != good.new:
            yield f"exit {run.code} with another output"
        if (run.fault[0] == "close" and file_of(run) == mode.output and "(deleted)" not in run.injected[0] and
                not stays_open(run)):
            yield f"exit {run.code} with an output that could not be closed"
        if not mode.recording and run.out != good.out:
            yield f"exit {run.code} and prints {run.out[:200]!r}"
        return
    whole = run.steps is not None if mode.recording else run.new == good.new
    whole = whole or mode.truncates and run.new == b""
    if mode.output is not None and run.new != OLD and not whole and not mode.traced:
        yield f"the output is neither the old file nor whole: {run.new and run.new[:60]!r}"
    named = file_of(run)
    if not run.err.strip() and not any("/stderr>" in it for it in run.injected):
        yield "without a word"
    elif named is not None and named not in run.err:
        yield f"no message names {named}"
    for name in sorted(run.left - good.left):
        if os.path.basename(name) not in run.err and run.fault[0] != "unlink":
            yield f"leaves {name}"


def try_fault(mode, fault, good):
    """Returns what does not hold, or None if the fault met nothing of ours."""
    run = Run(mode, fault)
    if misses(run):
        return None
    wrong = sorted(set(broken(run, good)))
    if not wrong:
        return ""
    told = run.err.strip()[-400:].replace("\n", "\n      ")
    return "--mode=%s --call=%s:%d:%s: %s\n    %s\n    exit %d: %s" % (
        mode.name, *fault, "; ".join(wrong), run.injected[0], run.code, told)


def make_inputs(gen, capture):
    def run(*argv):
        return subprocess.run(argv, check=True, stdout=subprocess.PIPE, cwd=INPUTS).stdout

    def write(name, content):
        with open(os.path.join(INPUTS, name), "wb") as file:
            file.write(content)
    for name, seed in ("in.fxt", 3), ("in2.fxt", 4):
        write(name, run(gen, f"--seed={seed}", f"--records={RECORDS}"))
    run("gzip", "-k", "in.fxt")
    run("zstd", "-q", "in.fxt")
    write("in.fxta", b"magic\ninitialization ticks_per_second=1000000000\n" +
          b'string index=1 value="category"\n' * RECORDS)
    records = run(FXT, "asm", "in.fxta")[8:]  # in a oneshot buffer
    size = 128 + len(records)
    write("in.buffer", struct.pack("<QHBBIQQQQQQQ56x", 0x627566EE68656164, 0, 0, 0, 0, size, 0,
                                   len(records), 0, len(records), 0, 0) + records)
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(capture))
    from capture import Capture  # pylint: disable=import-outside-toplevel,import-error
    made = Capture(cpus=2)
    for i in range(RECORDS):
        made.switch(i % 2, 1000 * i, out=("first", 10 + i % 2), into=("second", 20 + i % 2))
    write("capture.dat", made.bytes())


def main(arguments):
    global FXT, TRACE, TRACED, MANAGER, KTRACE, INPUTS
    options = [it for it in arguments if it.startswith("--")]
    *programs, gen, capture = (os.path.abspath(it) for it in arguments if not it.startswith("--"))
    FXT, TRACE, TRACED, MANAGER, KTRACE = programs
    wanted = [it[len("--mode="):] for it in options if it.startswith("--mode=")]
    only = [it[len("--call="):].split(":") for it in options if it.startswith("--call=")]
    begin, begun, count, wrong = time.monotonic(), [], 0, 0
    with tempfile.TemporaryDirectory() as INPUTS, concurrent.futures.ThreadPoolExecutor(8) as pool:
        make_inputs(gen, capture)
        for mode in modes():
            if wanted and not any(it in mode.name for it in wanted):
                continue
            good = Run(mode)
            if good.code != mode.code or mode.recording and good.steps != mode.events:
                sys.exit(f"{mode.name} without a fault: exit {good.code}, {good.steps} events\n"
                         f"{good.err}")
            faults = [it for it in faults_of(good, bool("--all" in options or only))
                      if not only or any([str(x) for x in it[:len(o)]] == o for o in only)]
            begun.append((mode, pool.map(lambda it, mode=mode, good=good: try_fault(mode, it, good), faults)))
        for mode, results in begun:
            tried, failed = 0, 0
            for told in results:
                tried += told is not None
                failed += bool(told)
                if told:
                    print(told, flush=True)
            print(f"{'FAIL' if failed else 'ok  '} {mode.name}: {tried} faults, {failed} with a "
                  f"wrong end", flush=True)
            count, wrong = count + tried, wrong + failed
    print(f"{count} faults, {wrong} with a wrong end, {time.monotonic() - begin:.0f} s")
    sys.exit(1 if wrong or count == 0 else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
