"""Processes of an adapter: PerFile starts one for each vector, Piped keeps one. What they print is
bounded, and the time that they take, and what they leave behind is ended."""
import contextlib
import errno
import os
import re
import selectors
import shutil
import signal
import struct
import subprocess
import time

from runner.plain import CRASHED, GARBAGE, HUNG, Trouble, Usage, printable, why

ERR_KEPT = 16384  # bytes of standard error: of its begin, and of its end

# A sanitizer ends the program at the first error, and not with an exit code that a complaint may have.
SANITIZERS = {
    "ASAN_OPTIONS": "abort_on_error=1",
    "MSAN_OPTIONS": "abort_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}

ENVIRONMENT = dict(SANITIZERS, **os.environ)

END_SECONDS = 2   # for a process whose input has ended
END_BYTES = 1 << 20

OF_A_SHELL = re.compile(r"[~$`]|\w+=")  # the begin of a word that only a shell replaces


def look_for(what, command):
    """Raises Usage if there is no such program; `what` names the part of the command line."""
    if shutil.which(command) is not None:
        return
    raise Usage("%s: %s is %s" % (what, printable(command), (
        "not found: no shell runs it; write sh -c '...'" if OF_A_SHELL.match(command) else
        "a directory: name the program in it" if os.path.isdir(command) else
        "not executable: chmod +x it" if os.path.exists(command) else
        "not found from %s" % printable(os.getcwd(), 400) if "/" in command else
        "not found in PATH: give its path, such as ./%s" % printable(command))))


def cause(error):
    """The reason that a file which exists does not start."""
    if isinstance(error, FileNotFoundError):
        return "the interpreter that its first line names does not exist; no line may end with CR LF"
    if getattr(error, "errno", None) == errno.ENOEXEC:
        return "a script begins with #! and its interpreter"
    return why(error)


class Started(subprocess.Popen):
    """A process of the adapter, in a session of its own, so that what it leaves behind goes with it."""
    def __init__(self, command, piped=False, **options):
        options = dict({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": ENVIRONMENT}, **options)
        try:
            super().__init__(command, stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
                             start_new_session=True, **options)
        except (OSError, ValueError) as error:
            raise Usage("cannot start the adapter %s: %s" % (printable(command[0]), cause(error)))

    def ended(self):
        """Whether the process has ended. It is not reaped, so that its group can be killed."""
        if not hasattr(os, "waitid"):
            return self.poll() is not None
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


class Child:
    """A process and what it prints. Output is taken as it comes, and never more than asked for."""
    def __init__(self, process, timeout):
        self.process, self.timeout = process, timeout
        self.out, self.err = bytearray(), bytearray()
        self.input = b""
        self.taken = 0
        self.selector = selectors.DefaultSelector()
        for stream in (self.process.stdout, self.process.stderr):
            self.watch(stream, selectors.EVENT_READ)
        if process.stdin:
            os.set_blocking(process.stdin.fileno(), False)

    def watch(self, stream, event):
        os.set_blocking(stream.fileno(), False)
        self.selector.register(stream, event)

    def feed(self, data):
        self.input, self.taken = data, 0
        self.selector.register(self.process.stdin, selectors.EVENT_WRITE)

    def fed(self):
        return self.taken == len(self.input)

    def open(self):
        return self.process.stdout in [key.fileobj for key in self.selector.get_map().values()]

    def step(self, deadline, limit, stop, wait=True):
        """Moves what can be moved. Trouble when time or room is over. Whether anything moved."""
        left = deadline - time.monotonic()
        if left <= 0 or stop.is_set():
            raise Trouble(HUNG, "no answer in %g s%s" % (self.timeout, printed(self.out)))
        moved = False
        pause = 0.05 if self.selector.get_map() else 0.002  # that until its end after both streams'
        for key, _ in self.selector.select(min(left, pause) if wait else 0):
            moved = True
            if key.fileobj is self.process.stdin:
                self.write()
            else:
                self.take(key.fileobj)
        if len(self.out) > limit:
            raise Trouble(GARBAGE, "printed more than %d bytes%s" % (limit, printed(self.out)))
        return moved

    def write(self):
        try:
            self.taken += os.write(self.process.stdin.fileno(),
                                   self.input[self.taken:self.taken + 65536])
        except BlockingIOError:
            return
        except OSError:
            self.taken = len(self.input)  # it has gone: how, its exit code says
        if self.fed():
            self.selector.unregister(self.process.stdin)

    def take(self, stream):
        try:
            data = os.read(stream.fileno(), 65536)
        except BlockingIOError:
            return
        if not data:
            self.selector.unregister(stream)
        elif stream is self.process.stdout:
            self.out += data
        else:
            self.err += data
            del self.err[ERR_KEPT:-ERR_KEPT]

    def kill(self):
        """Ends the process and those of its session that stayed in its group. Its exit code."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        code = self.process.wait()
        self.selector.close()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                try:
                    stream.close()
                except OSError:
                    pass
        return code


def died(code):
    """The name of the signal that ended it, or None. A shell reports 128 and the signal."""
    number = -code if code < 0 else code - 128
    fatal = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS", "SIGKILL")
    try:
        name = signal.Signals(number).name
    except ValueError:
        return "signal %d" % number if code < 0 else None
    return name if code < 0 or name in fatal else None


class Answer:
    def __init__(self, code, out, err=b""):
        self.code = code
        self.out = bytes(out)
        self.err = bytes(err)


class PerFile:
    """One process for each vector; {file} in its command becomes the path."""
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder

    def ask(self, name, data, limit):
        path = self.path_of(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        try:
            return self.answer([word.replace("{file}", path) for word in self.options.command],
                               limit)
        finally:
            with contextlib.suppress(FileNotFoundError):  # the program may have removed it
                os.unlink(path)

    def path_of(self, name):
        return os.path.join(self.folder, *name.split("/"))

    def answer(self, command, limit):
        child = Child(self.start(command), self.options.timeout)
        try:
            self.listen(child, limit)
        finally:
            code = child.kill()
        return answered(code, child.out, child.err)

    def start(self, command):
        return Started(command)

    def listen(self, child, limit):
        """Until the process has ended and nothing is left to take. A process that it left behind
        may hold the pipe open."""
        deadline = time.monotonic() + self.options.timeout
        ended = moved = False
        while moved or not ended:
            ended = child.process.ended()
            moved = child.step(deadline, limit, self.options.stop, wait=not ended)

    def end(self):
        return []

    def close(self):
        pass


# What a sanitizer says, whatever the exit code is.
SANITIZER = re.compile(rb"(?:ERROR|WARNING): \w{1,40}Sanitizer: .*|^\S{1,400}:\d+:\d+: runtime error: .*", re.M)

# What a runtime says of a program that does not refuse a trace, but fails at it.
FAILURE = re.compile(
    rb"^panic: .*|^fatal error: .*(?=\n\n(?:\[signal|runtime|goroutine))"              # Go
    rb"|^thread '.{0,400}panicked at .*(?:\n.+)?"                                      # Rust
    rb"|^terminate called .*(?:\n +what\(\).*)?|^libc\+\+abi: .*|^.{0,400}\bAssertion .{0,400}failed.*"  # C, C++
    rb"|^(?:  \+ Exception Group )?Traceback \(most recent call last\):$|^Fatal Python error: .*"       # Python
    rb"|^(?:Uncaught )?\w*Error: .*(?=\n    at )|^.+(?=\n\(Use `node --trace-uncaught )"               # JavaScript
    rb"|^Exception in thread .*|^Unhandled exception.*|^Fatal error: exception .*", re.M)       # Java, .NET, OCaml


def answered(code, out, err):
    """The answer of a program that lives, or ended without a failure."""
    failure = SANITIZER.search(err) or code != 0 and FAILURE.search(err)
    if died(code) or failure:
        raise Trouble(CRASHED, (died(code) or "exit code %d" % code) + said(err))
    return Answer(code, out, err)


# What follows an error: its stack, indented, and its end; the version that Node.js adds, Rust's advice, what `go run`
# adds, the causes of anyhow, and how the program is called.
AFTER_ERROR = re.compile(rb"\s|[}\])]|$|Node\.js v|note: |exit status |Aborted|Caused by:$|[Uu]sage: |Try '|For more info")

TRACEBACK = b"Traceback (most recent call last):\n"
OF_A_GROUP = re.compile(rb"^  \| ", re.M)
FUNCTION = re.compile(rb": .{80,}: (?=Assertion )")  # that libstdc++ names before what failed in it


def said(err):
    """The line with the cause: that of a sanitizer or of a runtime; or the last that can be an error, or the last."""
    err = bytes(err).strip(b"\n")
    lines = err.split(b"\n")
    last = next((line for line in reversed(lines) if not AFTER_ERROR.match(line)), lines[-1])
    cause = re.search(rb"^SUMMARY: .*", err, re.M) or SANITIZER.search(err) or FAILURE.search(err)
    if cause and TRACEBACK.strip() in cause.group():
        line = of_python(err) or last
    else:
        line = FUNCTION.sub(b": ", b" ".join(cause.group().split())) if cause else last
    return "; stderr: " + printable(line.strip()) if line.strip() else ""


def of_python(err):
    """The error below the last stack, or below that of a group."""
    group = err.find(b"+ Exception Group " + TRACEBACK)
    stack = OF_A_GROUP.sub(b"", err[group:]) if group >= 0 else err[err.rfind(TRACEBACK):]
    return next((line for line in stack.split(b"\n")[1:] if line[:1].strip()), b"")


def printed(out):
    return "; it printed: " + printable(bytes(out[:60])) if out else ""


class Piped:
    """One process for all vectors, started again after one that it did not survive."""
    def __init__(self, options):
        self.options = options
        self.child = None

    def ask(self, name, data, limit):
        if self.child is None:
            self.child = Child(Started(self.options.command, piped=True), self.options.timeout)
        try:
            return self.answer(data, limit)
        except Trouble:
            self.close()
            raise

    def answer(self, data, limit):
        child = self.child
        child.err = bytearray()  # of this trace
        deadline = time.monotonic() + self.options.timeout
        child.feed(struct.pack("<I", len(data)) + data)
        while not (child.fed() and self.whole(limit)):
            moved = child.step(deadline, limit + 8, self.options.stop)
            if not moved and child.process.ended() or not child.open():
                self.gone()
        code, length = struct.unpack_from("<II", child.out)
        out, extra = child.out[8:8 + length], child.out[8 + length:]
        del child.out[:]
        if extra:
            raise Trouble(GARBAGE, "answered %d bytes more than it announced%s" % (
                len(extra), printed(extra)))
        return answered(code, out, child.err)

    def whole(self, limit):
        if len(self.child.out) < 8:
            return False
        length, = struct.unpack_from("<I", self.child.out, 4)
        if length > limit:
            raise Trouble(GARBAGE, "announces an output of %d bytes%s" % (
                length, printed(self.child.out)))
        return len(self.child.out) >= 8 + length

    def gone(self):
        child, self.child = self.child, None
        deadline = time.monotonic() + 1
        while not child.process.ended() and time.monotonic() < deadline:
            time.sleep(0.005)
        ended = child.process.ended()
        code = child.kill()
        how = died(code) if ended and died(code) else "exit code %d" % code if ended else None
        if how is None:
            raise Trouble(GARBAGE, "closed its output instead of giving an answer%s" % printed(
                child.out))
        raise Trouble(CRASHED, "%s instead of an answer%s%s" % (
            how, printed(child.out), said(child.err)))

    def end(self):
        """Ends its input, and lets it end. In words what became of it, if it did not end well: such
        as a report of leaks."""
        child, self.child = self.child, None
        if child is None:
            return []
        child.err = bytearray()
        child.process.stdin.close()
        seconds = min(END_SECONDS, self.options.timeout)
        deadline, why_killed = time.monotonic() + seconds, ""
        try:
            while not child.process.ended() or child.selector.get_map():
                child.step(deadline, END_BYTES, self.options.stop)
        except Trouble as trouble:
            why_killed = ("had not ended %g s" % seconds if trouble.status == HUNG else
                          "printed more than %d bytes" % END_BYTES)
        ended = child.process.ended()
        code = child.kill()
        if not ended and not self.options.stop.is_set():
            return ["was killed: it %s after the last trace%s" % (why_killed, said(child.err))]
        if ended and code != 0:
            return ["ended with %s after the last trace%s" % (
                died(code) or "exit code %d" % code, said(child.err))]
        return []

    def close(self):
        if self.child is not None:
            self.child.kill()
            self.child = None
