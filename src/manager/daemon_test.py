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

    def start(self, *arguments, environment=(), **kwargs):
        process = subprocess.Popen([MANAGER, "--directory", self.directory, *arguments],
                                   stderr=subprocess.PIPE, universal_newlines=True,
                                   env={**os.environ, **dict(environment)}, **kwargs)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while process.poll() is None:
            try:
                connect(os.path.join(self.directory, "controller")).close()
                break
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.01)
        self.ask_for_providers()
        return process

    def ask_for_providers(self):
        """Who answers also catches signals."""
        with connect(os.path.join(self.directory, "controller")) as client:
            client.send(b"\1\0\6\2\1\0\0\0" + b"\0" * 72)
            self.assertEqual(client.recv(1000)[:8], b"\1\0\x41\2\1\0\0\0")

    def test_help_and_version(self):
        self.assertIn("--config", run("--help").stdout)
        self.assertRegex(run("--version").stdout, r"^trace-manager \d+\.\d+\.\d+\n$")

    def test_closed_standard_descriptors(self):
        process = self.start(preexec_fn=lambda: os.closerange(0, 3))
        connect(os.path.join(self.directory, "controller")).close()
        process.terminate()
        self.assertEqual(process.wait(30), 0)

    def test_wrong_usage_exits_with_2(self):
        for arguments in (["--nonsense"], ["extra"], ["--stop-timeout", "never"],
                          ["--stop-timeout=0"], ["--stop-timeout="], ["--stop-timeout=1s"],
                          ["--stop-timeout=86401"], ["--config"]):
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
            ('{"categories": {"a": "%s"}}' % ("a" * 101), "100 bytes"),
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

    def test_a_member_of_the_configuration_that_means_nothing_is_told(self):
        path = os.path.join(self.temporary.name, "config.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write('{"group\\u001b": {"a": ["b"]}}')
        manager = self.start("--config", path)
        manager.send_signal(signal.SIGTERM)
        self.assertEqual(manager.stderr.read(), 'trace-manager: %s: "group\\x1b" is ignored: '
                         'it is neither "categories" nor "groups"\n' % path)
        self.assertEqual(manager.wait(), 0)

    def test_help_that_cannot_be_printed_is_an_error(self):
        for option in ("--help", "--version"):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([MANAGER, option], stdout=full, stderr=subprocess.PIPE,
                                      universal_newlines=True, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (1, "trace-manager: write error: No space left on device\n"))

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

    def test_manager_that_cannot_begin_leaves_no_socket(self):
        os.makedirs(os.path.join(self.directory, "controller"), mode=0o700)
        os.chmod(self.directory, 0o700)
        done = run("--directory", self.directory)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(os.listdir(self.directory), ["controller"])

    def test_ends_by_a_signal_and_removes_its_sockets(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.start()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=20), 0)
            self.assertEqual(os.listdir(self.directory), [])

    def test_goes_on_after_a_hangup_that_nohup_ignores(self):
        process = self.start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        self.ask_for_providers()
        process.terminate()
        self.assertEqual(process.wait(timeout=20), 0)

    def test_takes_the_place_of_one_that_was_killed(self):
        process = self.start()
        process.kill()
        process.wait()
        self.assertIn("registry", os.listdir(self.directory))
        self.start()

    def test_packet_that_breaks_a_rule_is_logged(self):
        process = self.start("--stop-timeout=0.5")
        client = connect(os.path.join(self.directory, "controller"))
        self.addCleanup(client.close)
        client.send(b"nonsense")
        self.assertEqual(client.recv(1000), b"", "the connection ends")
        self.assertRegex(process.stderr.readline(), r"^trace-manager: .*client.*\n$")

    def notified(self, name):
        """A socket that waits for what the manager tells systemd."""
        it = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(it.close)
        it.settimeout(10)
        it.bind(name)
        return it

    def start_by_systemd(self, names, notify, process=None, count=None, leave_out=()):
        """Passes a socket for each name, and says that they are for that process, and so many."""
        os.makedirs(self.directory, 0o700, exist_ok=True)
        listening = []
        for name in names:
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
            environment = dict(os.environ, LISTEN_PID=str(process or os.getpid()),
                               LISTEN_FDS=str(count or len(names)),
                               LISTEN_FDNAMES=":".join(names), NOTIFY_SOCKET=notify)
            for name in leave_out:
                del environment[name]
            os.execve(MANAGER, [MANAGER, "--directory", self.directory + "/own"], environment)
        return child

    def test_takes_over_the_sockets_of_systemd_and_tells_it(self):
        notify = self.notified(os.path.join(self.temporary.name, "notify"))
        child = self.start_by_systemd(("controller", "another", "registry"), notify.getsockname())
        self.assertEqual(notify.recv(100), b"READY=1")
        self.ask_for_providers()
        os.kill(child, signal.SIGTERM)
        self.assertEqual(notify.recv(100), b"STOPPING=1")
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(sorted(os.listdir(self.directory)), ["another", "controller", "registry"],
                         "systemd's sockets are systemd's to remove")

    def expect_own_sockets(self, names, **more):
        """It uses none of those that systemd passes."""
        notify = self.notified("\0" + self.directory)
        child = self.start_by_systemd(names, "@" + self.directory, **more)
        self.assertEqual(notify.recv(100), b"READY=1")
        self.assertEqual(sorted(os.listdir(self.directory + "/own")), ["controller", "registry"])
        os.kill(child, signal.SIGTERM)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        notify.close()
        for name in names:
            os.remove(os.path.join(self.directory, name))

    def test_sockets_for_another_process_are_left_alone(self):
        self.expect_own_sockets(("controller", "registry"), process=1)

    def test_sockets_are_left_alone_if_systemd_does_not_say_which_they_are(self):
        for name in ("LISTEN_FDS", "LISTEN_FDNAMES"):
            with self.subTest(name):
                self.expect_own_sockets(("controller", "registry"), leave_out=(name,))

    def test_sockets_of_other_names_are_left_alone(self):
        self.expect_own_sockets(("registrz", "controlles"))

    def test_sockets_without_a_name_are_left_alone(self):
        notify = self.notified("\0" + self.directory)
        child = self.start_by_systemd(("controller", "registry"), "@" + self.directory, count=9)
        self.assertEqual(notify.recv(100), b"READY=1")
        self.ask_for_providers()
        os.kill(child, signal.SIGTERM)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_one_socket_of_two_is_wrong_usage(self):
        child = self.start_by_systemd(("registry",), "")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 2)

    def test_notify_socket_that_is_no_address_is_ignored(self):
        for path in ("relative", "/" + "long" * 30):
            process = self.start(environment={"NOTIFY_SOCKET": path})
            process.terminate()
            self.assertEqual(process.wait(timeout=20), 0)

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
