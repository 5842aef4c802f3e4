#!/usr/bin/python3
"""Scripts of engine_fuzzer.c as text.

  fuzz/engine/script.py seeds FOLDER    writes those below as seeds
  fuzz/engine/script.py show FILE       prints an input

The first line is the mode, the manager, further words, pages of the buffer, threads, and after how
many stores the last process is killed. The other lines are steps: what, bytes 1 and 2."""
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import command  # noqa: E402

MODES = ["oneshot", "circular", "streaming"]
MANAGERS = ["saves", "lies", "dead"]
WORDS = {"junk": 0x40, "heavy": 0x80}
PAGES = [1, 2, 4, 16]


def steps():
    with open(os.path.join(HERE, "..", "engine_fuzzer.c")) as f:
        found = re.search(r"enum step \{(.*?)STEPS\n", f.read(), re.S)
    return re.findall(r"^ *(\w+),", found.group(1), re.M)


STEPS = steps()

TURN = "BLOB %d 224;BLOB %d 150;"  # in a buffer of one page
SEEDS = {
    "oneshot": "oneshot saves 1 2 0;EVENT 0;EVENT 1;NAMED 0 3;BLOB 1 140;FOREIGN 0 7;EVENT 1;"
               "RELEASE 0;STOP 0;START 0 2;EVENT 0;EVENT 1",
    "oneshot-full": "oneshot saves 1 2 0;EVENT 0;BLOB 0 160;BLOB 1 140;BLOB 0 140;NAMED 1 9;EVENT 0;"
                    "STOP 1;START 1 1;EVENT 0;EVENT 1",
    "circular": "circular saves 1 2 0;EVENT 0;EVENT 1;" + 3 * (TURN % (0, 0) + "EVENT 1 1;") +
                "SWITCH 1 30;SWITCH 2 9;EVENT 0;STOP 0;START 0 1;EVENT 0;EVENT 1",
    "circular-held": "circular saves junk 1 3 0;HOLD 0;RESERVE 0 30;" + 4 * (TURN % (1, 2)) +
                     "COMMIT 0;RELEASE 0;EVENT 0;EVENT 1;SWITCH 1 40;SWITCH 1 60;SWITCH 2 50",
    "circular-killed": "circular saves 2 3 90;" + 3 * (TURN % (0, 1)) + "HOLD 2;NAMED 2 7;SWITCH 1 9;"
                       "LIFE 60 0;EVENT 0;EVENT 1;EVENT 2;LIFE 0 0;" + TURN % (0, 0) + "EVENT 1",
    "circular-refused": "circular saves 1 2 0;HOLD 0;END 0;EVENT 0;EVENT 0;STOP 1;SWITCH 1 26;SWITCH 2 6",
    "streaming": "streaming saves 1 2 0;EVENT 0;EVENT 1;" + 4 * (TURN % (0, 1)) + "FLUSH 0;EVENT 0;"
                 "SWITCH 1 40;SWITCH 1 20;SWITCH 1 70",
    "streaming-lies": "streaming lies heavy 1 2 0;" + 3 * (TURN % (0, 1)) + "FLUSH 1;STOP 0;START 0 2;"
                      "EVENT 0;EVENT 1",
    "streaming-late": "streaming lies 1 1 0;EVENT 0;" + TURN % (0, 0) + "STOP 0;START 0 0;EVENT 0;" +
                      2 * (TURN % (0, 0)) + "EVENT 0",
    "streaming-dead": "streaming dead 1 2 70;" + 3 * (TURN % (0, 1)) + "EVENT 1",
    "streaming-names": "streaming saves 1 2 0;" + "".join("NAMED 0 %d;" % i for i in range(40)) +
                       TURN % (0, 0),
    "threads-end": "circular saves 1 3 0;EVENT 0;END 0;EVENT 1;EVENT 0;END 1;EVENT 2;BLOB 0 20;"
                   "EVENT 0;SWITCH 1 50;HOLD 2;END 2;EVENT 2",
    "foreign": "circular saves 4 1 0;" + "".join("FOREIGN 0 %d;" % (3 * i) for i in range(60)),
    "large": "circular saves 16 2 0;LARGE 0 224;LARGE 0 100;LARGE 1 130;EVENT 1;LARGE 0 170;LARGE 0 180",
}


def split(words):
    numbers = [int(word) for word in words if word.isdigit()]
    return [word for word in words if not word.isdigit()], numbers


def input_of(text):
    lines = text.replace(";", "\n").strip().split("\n")
    words, (pages, threads, kill) = split(lines[0].split())
    first = 16 * MANAGERS.index(words[1]) + sum(WORDS[word] for word in words[2:])
    while first % 3 != MODES.index(words[0]):
        first += 1
    data = bytearray([first, PAGES.index(pages) | (threads - 1) << 2, kill % 256, kill // 256])
    for line in lines[1:]:
        words, numbers = split(line.split())
        numbers += [0, 0]
        data += bytes([STEPS.index(words[0]), numbers[0], numbers[1]])
    return bytes(data)


def write_seeds(folder):
    for name, text in SEEDS.items():
        with open(os.path.join(folder, "script-%s.engine" % name), "wb") as f:
            f.write(input_of(text))


def show(path):
    with open(path, "rb") as f:
        data = f.read().ljust(4, b"\0")
    print(MODES[data[0] % 3], MANAGERS[(data[0] >> 4 & 3) % 3],
          *[word for word, bit in WORDS.items() if data[0] & bit],
          PAGES[data[1] & 3], 1 + (data[1] >> 2) % 4, data[2] + 256 * data[3])
    for at in range(4, len(data) - 2, 3):
        print(STEPS[data[at] % len(STEPS)], data[at + 1], data[at + 2])


if __name__ == "__main__":
    sys.exit(command.run(__doc__ + "\n", command.one_of(seeds=write_seeds, show=show), [2]))
