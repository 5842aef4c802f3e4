#!/usr/bin/python3
"""Scripts of session_fuzzer.c as text.

  fuzz/session/script.py seeds FOLDER    writes those below as seeds
  fuzz/session/script.py show FILE       prints an input, one step a line

A line is a step, whom, and bytes 2 to 7 of its word. `!` ends a step behind which the loop does not
turn."""
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import command  # noqa: E402

REQUESTS = ["SPEC", "INIT", "START", "STOP", "TERMINATE", "PROVIDERS", "CATEGORIES", "WATCH",
            "FLUSH", "STATUS"]  # in the order of their ordinals


def steps():
    with open(os.path.join(HERE, "..", "session_fuzzer.c")) as f:
        found = re.search(r"enum step \{(.*?)STEPS\n", f.read(), re.S)
    return re.findall(r"\w+", found.group(1))


STEPS = steps()

# One provider that traces. INIT: buffering mode - 1, kind of output.
BEGIN = """CALL 0
CONNECT 0 %d
REGISTER 0
ASK 0 INIT %d %d
SETTLE
LISTEN 0
ASK 0 START 0
SETTLE
LISTEN 0
"""
LEASED = BEGIN % (1, 2, 0)
PLAIN = BEGIN % (0, 2, 0)
NINE = "".join("CONNECT 0 1\nREGISTER %d\n" % i for i in range(9))

SEEDS = {
    "stop": LEASED +
        "DEFINE 0;WRITE 0 0 0 9;SETTLE;ASK 0 STOP 1;SETTLE;LISTEN 0;SETTLE;ASK 0 TERMINATE 1",
    "halves": LEASED +
        "DEFINE 0;WRITE 0 0 0 40;SWITCH 0;SETTLE;WRITE 0 0 0 5;LISTEN 0;WRITE 0 1 0 5;SWITCH 0;"
        "WRITE 0 0 0 3;SETTLE;LISTEN 0;SWITCH 0;SETTLE;LISTEN 0;HANG_UP 0",
    "plain": PLAIN +
        "DEFINE 0;WRITE 0 0 0 40;SWITCH 0;SETTLE;WRITE 0 0 0 5;LISTEN 0;LEAVE 0 0;SETTLE;"
        "ASK 0 TERMINATE 1",
    "circular": BEGIN % (1, 1, 0) +
        "DEFINE 0;WRITE 0 5 0 200;SWITCH 0;WRITE 0 1 0 20;ASK 0 FLUSH;SETTLE;SWITCH 0;"
        "WRITE 0 0 0 4;SWITCH 0;WRITE 0 0 0 2;SETTLE;HEAR 0;ASK 0 STOP 0;SETTLE;LISTEN 0;SETTLE;"
        "ASK 0 START 2;SETTLE;LISTEN 0;WRITE 0 0 0 3",
    "oneshot": BEGIN % (0, 0, 0) +
        "DEFINE 0;WRITE 0 0 0 8;FINISH 0;LEAVE 0 0;SETTLE;ASK 0 TERMINATE 1",
    "died": BEGIN % (1, 0, 0) +
        "WRITE 0 0 0 8;LEAVE 0 0;SETTLE;ASK 0 STOP 0;SETTLE;ASK 0 TERMINATE 1",
    "died-before-start": LEASED +
        "WRITE 0 0 0 9;ASK 0 STOP 1;SETTLE;LISTEN 0;SETTLE;ASK 0 START 0;LEAVE 0 0",
    "pipe": BEGIN % (1, 2, 2) +
        "WRITE 0 5 0 100;SWITCH 0;SETTLE;READ 0 0 0 0 8;LISTEN 0;WRITE 0 5 0 100;"
        "ASK 0 TERMINATE 1;SETTLE;READ 0 0 0 0 8",
    "socket-closed": BEGIN % (1, 2, 1) +
        "WRITE 0 5 0 100;SWITCH 0;SETTLE;HARM 0;SETTLE;ASK 0 FLUSH 0 0 1;ASK 0 TERMINATE 1",
    "stalled": BEGIN % (1, 2, 1) +
        "WRITE 0 5 0 200;SWITCH 0;SETTLE;PASS 0 4;SETTLE;HEAR 0",
    "flush": LEASED +
        "WRITE 0 0 0 10;ASK 0 FLUSH 0 0 1;SETTLE;LISTEN 0;SETTLE;HEAR 0;WRITE 0 0 0 10;"
        "ASK 0 FLUSH 0 2;TURN 0 1;WRITE 0 0 0 4;SWITCH 0;SETTLE;HEAR 0",
    "late": LEASED +
        "WRITE 0 0 0 10;ASK 0 STOP 1;SETTLE;PASS 0 3;SETTLE;HEAR 0;ASK 0 START 0;PASS 0 3;"
        "ASK 0 TERMINATE 1;ASK 0 TERMINATE 1;PASS 0 1",
    "two":
        "CALL 0;CALL 1 1;CONNECT 0 1;REGISTER 0 1;CONNECT 0 0;REGISTER 1;ASK 0 SPEC 1;"
        "ASK 0 INIT 2 0 5;ASK 1 INIT 1 0;SETTLE;ASK 0 START 0;ASK 1 WATCH;ASK 0 WATCH;SETTLE;"
        "LISTEN 0;LISTEN 1;ALERT 0 3;WRITE 0 0 0 7;WRITE 1 0 0 7;ASK 1 CATEGORIES;"
        "ASK 1 PROVIDERS;ASK 1 STATUS;SETTLE;HEAR 0;HEAR 1;HANG_UP 0;SETTLE;LISTEN 0;LISTEN 1",
    "deferred": BEGIN.replace("%d %d\nS", "2 0 4\nS") % 1 +
        "WRITE 0 3 0 90;ASK 0 TERMINATE 1;SETTLE;LISTEN 0",
    "scribbles": LEASED +
        "WRITE 0 0 0 7;BREAK 0 0 1 0 3 255;SWITCH 0;SETTLE;CONNECT 0 1;REGISTER 1;SETTLE;"
        "LISTEN 1;WRITE 1 0 0 9;BREAK 0 0 0 2;ASK 0 STOP 1;SETTLE;LISTEN 0;LISTEN 1",
    "garbage": LEASED +
        "WRITE 0 0 0 7;BREAK 0 1 1 5 9;SETTLE;BREAK 0 1 128 0 0 2 1;SETTLE;BREAK 0 2 3;SETTLE;"
        "BLUNDER 0 0;SETTLE;CALL 1;BLUNDER 1 1;BREAK 0 3 1",
    "refused":
        "CALL 0;ASK 0 START 0;ASK 0 INIT 0 5;ASK 0 INIT 0 0 2;ASK 0 INIT 0 3;ASK 0 TERMINATE 1;"
        "ASK 0 INIT 0 4;CONNECT 0 1;REGISTER 0;ASK 0 START 0;SETTLE;LISTEN 0;WRITE 0 0 0 3;"
        "ASK 0 STOP 1;SETTLE;LISTEN 0",
    "late-start": BEGIN % (3, 2, 0) +
        "WRITE 0 0 0 40;SWITCH 0;SETTLE;LISTEN 0;WRITE 0 1 0 5;SWITCH 0;SETTLE;LISTEN 0;"
        "ASK 0 STOP 1;SETTLE;LISTEN 0;SETTLE;ASK 0 START 0;SETTLE;LISTEN 0;WRITE 0 0 0 5;"
        "ASK 0 TERMINATE 1",
    "late-stop": BEGIN % (3, 0, 0) +
        "WRITE 0 0 0 9;FINISH 0;ASK 0 STOP 1;SETTLE;LISTEN 0;SETTLE;ASK 0 START 0;SETTLE;LISTEN 0;"
        "WRITE 0 0 0 5;FINISH 0;SETTLE;ASK 0 TERMINATE 1",
    "quit": LEASED +
        "WRITE 0 0 0 9;QUIT 0;SETTLE;LISTEN 0",
    "nine": NINE + "CALL 0;ASK 0 INIT 1 0;ASK 0 START 0;SETTLE;" +
            "".join("LISTEN %d;WRITE %d 0 0 %d;" % (i, i, i) for i in range(9)) + "ASK 0 STOP 1",
}


def word_of(line):
    words = line.replace("!", "").split()
    numbers = [REQUESTS.index(word) if word in REQUESTS else int(word) for word in words[1:]]
    word = bytearray(8)
    word[0] = STEPS.index(words[0])
    word[1:1 + len(numbers)] = numbers
    word[1] |= 0x80 if "!" in line else 0
    return bytes(word)


def write_seeds(folder):
    for name, text in SEEDS.items():
        with open(os.path.join(folder, "script-%s.session" % name), "wb") as f:
            f.write(b"".join(map(word_of, text.replace(";", "\n").strip().split("\n"))))


def show(path):
    with open(path, "rb") as f:
        data = f.read()
    for at in range(0, len(data) - 7, 8):
        word = data[at:at + 8]
        step = STEPS[word[0] % len(STEPS)]
        what = REQUESTS[word[2] % len(REQUESTS)] if step == "ASK" else str(word[2])
        print(step, word[1] & 0x7f, what, *word[3:], "!" if word[1] & 0x80 else "")
    if len(data) % 8 != 0:
        print("%d bytes that are no step" % (len(data) % 8))


if __name__ == "__main__":
    sys.exit(command.run(__doc__ + "\n", command.one_of(seeds=write_seeds, show=show), [2]))
