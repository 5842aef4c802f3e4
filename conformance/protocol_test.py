#!/usr/bin/env python3
"""The adapters of PROTOCOL.md: the text has them as they are, and those that can be built here pass
what they claim. A language whose compiler is not installed is skipped."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = sys.executable

# Name: the command that makes the program from its source; none: it is run as it is.
BUILD = {
    "tiny.c": ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-o", "tiny"],
    "tiny.py": None,
    "tiny.rs": ["rustc", "--edition=2021", "-o", "tiny"],
    "tiny.go": ["go", "build", "-o", "tiny"],
    "tiny.js": None,
    "tiny.ml": ["ocamlc", "-o", "tiny"],
}


def text_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return f.read()


class Protocol(unittest.TestCase):
    def test_text_has_the_files_as_they_are(self):
        blocks = dict(re.findall(r"`adapters/([^`]*)`\n\n```\w+\n(.*?)```\n", text_of(
            "PROTOCOL.md"), re.S))
        self.assertEqual(set(blocks), set(BUILD))
        for name, block in blocks.items():
            self.assertEqual(block, text_of("adapters/" + name), name)

    def test_an_adapter_has_30_lines_at_most(self):
        for name in BUILD:
            lines = text_of("adapters/" + name).split("\n")[:-1]
            self.assertLessEqual(len(lines), 30, name)
            self.assertLessEqual(max(map(len, lines)), 102, name)

    def adapter(self, name):
        """The command, in a folder that goes with the test."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source = os.path.join(folder.name, name)
        shutil.copyfile(os.path.join(HERE, "adapters", name), source)
        command = BUILD[name]
        if command is None:
            interpreter = PYTHON if name.endswith(".py") else "node"
            if not works(interpreter):
                self.skipTest("%s is not installed" % interpreter)
            return "%s %s {file}" % (interpreter, source)
        if not works(command[0]):
            self.skipTest("%s is not installed" % command[0])
        subprocess.run(command + [name], cwd=folder.name, check=True, env=of_go(folder.name))
        return "%s {file}" % os.path.join(folder.name, "tiny")

    def passes(self, name):
        command = [PYTHON, os.path.join(HERE, "run"), "--adapter", self.adapter(name),
                   "--level", "events", "--kinds", "magic,instant", "--run", "framing/*", "--run",
                   "event/instant*"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(int(re.search(r"(\d+) passed", done.stdout).group(1)), 5)


# Prints the line that it parses. Each integer is text.
OF_JAVASCRIPT = """
const text = (key, value) => typeof value === "bigint" || Number.isInteger(value) ? String(value) : value;
console.log(JSON.stringify(event(process.argv[1]), text));
"""


# A writer of everything: it makes JSON of plain lines, for the model.
OF_PLAIN_LINES = r"""
import json, re, struct, sys
sys.path.insert(0, sys.argv[1])
import python_model
HEX = ("payload", "build_id", "blob")
def text(word, key=""):
    data = re.sub(rb"%(..)", lambda m: bytes([int(m[1], 16)]), word[1:-1].encode("ascii"))
    return data.hex() if key in HEX else {"hex": data.hex()}
def value(word, key):
    if re.fullmatch("-?[0-9]+", word) and key != "double":
        return int(word)
    return text(word, key) if word[:1] == '"' else {"true": True, "false": False}[word] if key == "bool" else word
def json_of(script):
    for line in script.splitlines():
        words = line.split(" ")
        if words[:2] == ["write", "initialization"]:
            yield {"write": "initialization", "ticks_per_second": int(words[2])}
        elif words[0] == "write":
            yield {"write": "provider", "id": int(words[2]), "name": bytes.fromhex(text(words[3])["hex"]).decode()}
        elif words[0] == "event":
            event = {"event": words[1]}
        elif words[0] == "frame":
            event.setdefault("frames", []).append(int(words[1]))
        elif words[0] == "args":
            event.update(args={}, types={})
        elif words[0] == "arg":
            name = bytes.fromhex(text(words[2])["hex"]).decode()
            event["args"][name] = value(words[3], words[1]) if words[1] != "null" else None
            event["types"][name] = words[1]
        elif words[0] == "done":
            if event["event"] == "backtrace":
                event.setdefault("frames", [])
            for key in {"log": ("message",), "module": ("name",)}.get(event["event"], ()):
                event[key] = bytes.fromhex(event[key]["hex"]).decode()
            yield event
        else:
            event[words[0]] = value(words[1], words[0])
while len(head := sys.stdin.buffer.read(4)) == 4:
    script = sys.stdin.buffer.read(struct.unpack("<I", head)[0]).decode("ascii")
    code, out = python_model.write("".join(json.dumps(event) + "\n" for event in json_of(script)).encode())
    sys.stdout.buffer.write(struct.pack("<II", code, len(out)) + out)
    sys.stdout.buffer.flush()
"""

# A writer that selects a known provider by a section: if its name is the same, or always.
SECTIONS = r"""
import sys
sys.path.insert(0, sys.argv[1])
import python_model
of_model, known = python_model.model.encode, {}
def encode(kind, values, args=()):
    if kind == "magic":
        known.clear()
    if kind == "provider_info":
        id, name = values["provider_id"], values["name"]
        if known.get(id) == name or id in known and sys.argv[2] == "always":
            kind, values = "provider_section", {"provider_id": id}
        known[id] = name
    return of_model(kind, values, args)
python_model.model.encode = encode
python_model.main("write", "--pipe")
"""

# Name: as in BUILD.
WRITERS = {
    "write.c": ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-o", "write"],
    "write.cpp": ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-o", "write"],
    "write.rs": ["rustc", "--edition=2021", "-o", "write"],
    "write.go": ["go", "build", "-o", "write"],
    "write.ml": ["ocamlc", "-o", "write"],
}


class Writer(unittest.TestCase):
    def run_suite(self, *words):
        return subprocess.run([PYTHON, os.path.join(HERE, "run"), "--level", "write"] + list(words),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")

    def passed(self, *words):
        done = self.run_suite(*words)
        self.assertEqual(done.returncode, 0, done.stdout)
        return int(re.search(r"(\d+) passed", done.stdout).group(1))

    def adapter(self, text, *words):
        """Of a program in Python, by the pipe."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        program = os.path.join(folder.name, "program.py")
        with open(program, "w", encoding="utf-8") as f:
            f.write(text)
        return ["--adapter", " ".join((PYTHON, program, os.path.join(HERE, "adapters")) + words), "--pipe"]

    def test_plain_lines_say_all_that_json_says(self):
        self.assertGreater(self.passed("--plain", *self.adapter(OF_PLAIN_LINES)), 900)

    def test_a_known_provider_is_selected_by_a_section_or_by_an_info_record(self):
        vectors = ["--run", "metadata/*", "--run", "trace/*"]
        by_info = self.passed(*vectors, "--adapter", "%s %s/adapters/python_model.py write --pipe" % (PYTHON, HERE), "--pipe")
        self.assertEqual(by_info, self.passed(*vectors, *self.adapter(SECTIONS, "if-equal")))
        self.assertRegex(self.run_suite(*vectors, *self.adapter(SECTIONS, "always")).stdout,
                         r"trace/providers-renamed: differs: provider 1: name: expected ")

    def writes(self, name):
        command, kinds = WRITERS[name], re.search(r"--plain --kinds \\\n *(\S+)\n", text_of("PROTOCOL.md")).group(1)
        if not works(command[0]):
            self.skipTest("%s is not installed" % command[0])
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(HERE, "adapters", name), folder)
            subprocess.run(command + [name], cwd=folder, check=True, env=of_go(folder))
            self.assertGreater(self.passed("--plain", "--adapter", os.path.join(folder, "write") + " {file}", "--kinds", kinds), 300)

    def test_javascript_keeps_the_bits_of_integers(self):
        source = re.search(r"^    const event = .*?;\n", text_of("PROTOCOL.md"), re.M | re.S).group(0)
        flags = next((flags for flags in ([], ["--harmony-json-parse-with-source"]) if node(
            *flags, "-e", "JSON.parse('1', (key, value, { source }) => source)") is not None), None)
        if flags is None:
            self.skipTest("there is no Node.js with source text access")
        numbers = [0, -1, 2**53, 2**53 + 1, -2**63, 2**64 - 1]
        line = json.dumps({"ts": 2**64 - 1, "args": {"a": 0.5, "b": "9007199254740993", "c": numbers}})
        self.assertEqual(json.loads(node(*flags, "-e", source + OF_JAVASCRIPT, line)), {
            "ts": str(2**64 - 1), "args": {"a": 0.5, "b": "9007199254740993", "c": list(map(str, numbers))}})

    def test_one_that_writes_switches_without_args_as_legacy_ones_passes_in_both_editions(self):
        for edition in ("2020", "current"):
            done = subprocess.run(
                [PYTHON, os.path.join(HERE, "run"), "--adapter", "%s %s write --pipe" % (
                    PYTHON, os.path.join(HERE, "adapters", "python_model.py")), "--pipe",
                 "--level", "write", "--edition", edition, "--run", "scheduling/*"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertGreater(int(re.search(r"(\d+) passed", done.stdout).group(1)), 10)


def node(*words):
    """What it prints, or None."""
    try:
        return subprocess.run(("node",) + words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def of_go(folder):
    """The environment. Go wants places of its own."""
    return dict(os.environ, GOCACHE=folder + "/cache", GOPATH=folder + "/path")


def works(compiler):
    """Whether it is there, and runs in the environment of a test."""
    word = {"go": "version", "ocamlc": "-version"}.get(compiler, "--version")
    try:
        done = subprocess.run([compiler, word], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        return done.returncode == 0
    except OSError:
        return False


def add(case, name, method):
    setattr(case, "test_%s_passes" % name.replace(".", "_"), lambda self: getattr(self, method)(name))


for each in BUILD:
    add(Protocol, each, "passes")
for each in WRITERS:
    add(Writer, each, "writes")

if __name__ == "__main__":
    unittest.main()
