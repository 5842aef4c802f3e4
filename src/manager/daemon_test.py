#!/usr/bin/env python3
"""trace-manager as a program: its options, its messages, its life under systemd.

Usage: daemon_test.py TRACE-MANAGER UNIT...
"""

import configparser
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

MANAGER = os.path.abspath(sys.argv[1])
UNITS = [os.path.abspath(path) for path in sys.argv[2:]]


def run(*arguments, **kwargs):
    return subprocess.run([MANAGER, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, timeout=30, **kwargs)


def connect(path):
    it = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    it.settimeout(10)
    it.connect(path)
    return it


class Daemon(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.directory = os.path.join(self.temporary.name, "sockets")

    def start(self, *arguments):
        process = subprocess.Popen([MANAGER, "--directory", self.directory, *arguments],
                                   stderr=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for _ in range(1000):
            if os.path.exists(os.path.join(self.directory, "controller")):
                return process
            time.sleep(0.01)
        self.fail("no socket")

    def test_help_and_version(self):
        self.assertIn("--config", run("--help").stdout)
        self.assertRegex(run("--version").stdout, r"^trace-manager \d+\.\d+\.\d+\n$")

    def test_wrong_usage_exits_with_2(self):
        for arguments in (["--nonsense"], ["extra"], ["--stop-timeout", "never"],
                          ["--stop-timeout=0"], ["--config"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("see --help", done.stderr)
            self.assertEqual(done.stdout, "")

    def test_broken_configuration_is_told_and_exits_with_1(self):
        path = os.path.join(self.temporary.name, "config.json")
        for text, words in [
            ("{", "config.json:1:"),
            ("[]", "no object"),
            ('{"categories": []}', '"categories" is no object'),
            ('{"categories": {"a": 1}}', "no string"),
            ('{"categories": {"%s": ""}}' % ("a" * 101), "100 bytes"),
            ('{"groups": {"a": "b"}}', "no list"),
            ('{"groups": {"a": [1]}}', "no name"),
            ('{"groups": {"a": [""]}}', "no name"),
            ('{"groups": 1}', '"groups" is no object'),
            ('{"a": 1, "a": 2}', "duplicate"),
        ]:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            done = run("--config", path, "--directory", self.directory)
            self.assertEqual(done.returncode, 1, text)
            self.assertIn(words, done.stderr)
        done = run("--config", path + ".not", "--directory", self.directory)
        self.assertEqual(done.returncode, 1)
        self.assertIn("config.json.not", done.stderr)

    def test_second_manager_is_refused(self):
        self.start()
        done = run("--directory", self.directory)
        self.assertEqual(done.returncode, 1)
        self.assertIn("another trace manager is running", done.stderr)

    def test_directory_that_is_open_to_others_is_refused(self):
        os.mkdir(self.directory)
        os.chmod(self.directory, 0o755)
        done = run("--directory", self.directory)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not this user's alone", done.stderr)
        done = run("--directory", "/tmp/" + "long" * 30)
        self.assertEqual(done.returncode, 1)
        self.assertIn("too long", done.stderr)

    def test_ends_by_a_signal_and_removes_its_sockets(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=20), 0)
            self.assertEqual(os.listdir(self.directory), [])

    def test_takes_the_place_of_one_that_was_killed(self):
        process = self.start()
        process.kill()
        process.wait()
        self.assertIn("registry", os.listdir(self.directory))
        again = self.start()
        time.sleep(0.1)
        connect(os.path.join(self.directory, "controller")).close()
        self.assertIsNone(again.poll())

    def test_takes_over_the_sockets_of_systemd_and_tells_it(self):
        os.mkdir(self.directory, 0o700)
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(notify.close)
        notify.settimeout(10)
        notify.bind(os.path.join(self.temporary.name, "notify"))
        listening = []
        for name in ("controller", "registry"):
            it = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.addCleanup(it.close)
            it.bind(os.path.join(self.directory, name))
            it.listen()
            listening.append(it)
        child = os.fork()
        if child == 0:
            copies = [os.dup(it.fileno()) for it in listening]
            for i, copy in enumerate(copies):
                os.dup2(copy, 3 + i, inheritable=True)
            environment = dict(os.environ, LISTEN_PID=str(os.getpid()), LISTEN_FDS="2",
                               LISTEN_FDNAMES="controller:registry",
                               NOTIFY_SOCKET=os.path.join(self.temporary.name, "notify"))
            os.execve(MANAGER, [MANAGER], environment)
        self.assertEqual(notify.recv(100), b"READY=1")
        client = connect(os.path.join(self.directory, "controller"))
        self.addCleanup(client.close)
        get_providers = (b"\1\0\6\2\1\0\0\0" + b"\0" * 72)
        client.send(get_providers)
        answer = client.recv(1000)
        self.assertEqual(answer[:8], b"\1\0\x41\2\1\0\0\0")
        os.kill(child, signal.SIGTERM)
        self.assertEqual(notify.recv(100), b"STOPPING=1")
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(sorted(os.listdir(self.directory)), ["controller", "registry"],
                         "systemd's sockets are systemd's to remove")

    def test_units_name_these_sockets(self):
        names = set()
        for path in UNITS:
            unit = configparser.ConfigParser(interpolation=None)
            unit.optionxform = str
            self.assertEqual(unit.read(path), [path])
            if not path.endswith(".socket"):
                self.assertEqual(unit["Service"]["Type"], "notify")
                continue
            it = unit["Socket"]
            names.add(it["FileDescriptorName"])
            self.assertEqual(it["ListenSequentialPacket"],
                             "%t/fxt-trace/" + it["FileDescriptorName"])
            self.assertEqual((it["SocketMode"], it["DirectoryMode"]), ("0600", "0700"))
        self.assertEqual(names, {"registry", "controller"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
