"""`--prefork`: a program is started once, stops at main(), and is forked there for each trace. prefork.c stops it, by
LD_PRELOAD. Each trace still has a process, a process group and pipes of its own."""
import array
import os
import socket
import struct
import subprocess
import sys
import tempfile

from runner.children import ENVIRONMENT, PerFile, Piped, Started, look_for
from runner.plain import CRASHED, Trouble, Usage, printable

SECONDS = 60  # for a program to come to main()


def transport_of(options, folder):
    """What asks the program."""
    if options.pipe:
        return Piped(options)
    return Preforked(options, folder) if options.library else PerFile(options, folder)


class Library:
    """What is preloaded, compiled for this run."""
    def __init__(self):
        if not sys.platform.startswith("linux"):
            raise Usage("--prefork needs Linux: leave it out")
        look_for("--prefork compiles a library", "cc")
        self.folder = tempfile.TemporaryDirectory(prefix="fxt-conformance-")
        self.path = os.path.join(self.folder.name, "prefork.so")
        done = subprocess.run(["cc", "-std=c11", "-O2", "-fPIC", "-shared", "-o", self.path, os.path.join(
            os.path.dirname(os.path.abspath(__file__)), "prefork.c"), "-ldl"], stderr=subprocess.PIPE)
        if done.returncode:
            raise Usage("--prefork: cc does not compile the library that it needs: %s" % printable(done.stderr, 400))


class Server:
    """A program that has stopped at main()."""
    is_gone = False

    def __init__(self, command, library):
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            preload = ":".join([library.path] + [path for path in [ENVIRONMENT.get("LD_PRELOAD")] if path])
            self.process = Started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   pass_fds=[theirs.fileno()],
                                   env=dict(ENVIRONMENT, FXT_PREFORK=str(theirs.fileno()), LD_PRELOAD=preload))
        self.line.settimeout(SECONDS)
        try:
            stopped = self.number() == 0
        except OSError:
            stopped = False
        if not stopped:
            self.close()
            raise Usage("--prefork: %s does not stop at main(), such as a program that is linked statically, or with a "
                        "sanitizer: leave it out" % printable(command[0]))
        self.line.settimeout(None)

    def number(self, flags=0):
        """What it tells; None if it has gone."""
        data = self.line.recv(4, flags)
        return struct.unpack("i", data)[0] if len(data) == 4 else None

    def fork(self):
        (out, their_out), (err, their_err) = os.pipe(), os.pipe()
        try:
            self.line.sendmsg([b"f"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [their_out, their_err]))])
            return Forked(self, self.number(), out, err)
        finally:
            os.close(their_out)
            os.close(their_err)

    def close(self):
        self.line.close()
        self.process.kill()
        self.process.wait()


class Forked:
    """A process for one trace, as far as Child asks for it."""
    stdin = None

    def __init__(self, server, pid, out, err):
        self.server, self.pid, self.code = server, pid, None
        self.stdout, self.stderr = os.fdopen(out, "rb", 0), os.fdopen(err, "rb", 0)
        if not pid or pid < 0:
            raise Usage("--prefork: the adapter cannot be forked")

    def ended(self):
        try:
            self.code = self.server.number(socket.MSG_DONTWAIT) if self.code is None else self.code
        except BlockingIOError:
            return False
        return True

    def wait(self):
        """Its exit code, after which its process group may be another one's."""
        if self.code is None:
            self.code = self.server.number()
        if self.code is None:
            self.server.is_gone = True
            raise Trouble(CRASHED, "ended the process that it was forked from")
        self.server.line.send(b"r")
        return self.code


class Preforked(PerFile):
    """Of one name, since the program has its command line already when the trace comes."""
    server = None

    def path_of(self, name):
        return os.path.join(self.folder, "%x" % id(self), "trace" + os.path.splitext(name)[1])

    def start(self, command):
        self.server = self.server or Server(command, self.options.library)
        return self.server.fork()

    def answer(self, command, limit):
        try:
            return super().answer(command, limit)
        except Trouble:
            if self.server and self.server.is_gone:
                self.close()
            raise

    def end(self):
        self.close()
        return []

    def close(self):
        if self.server:
            self.server.close()
        self.server = None
