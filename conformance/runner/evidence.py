"""What a run shows of the program. A pass is no evidence if a program that does nothing would pass, too:

    either way   any exit code passes the vector
    idle         the program printed nothing, as expected
    constant     the program answers every trace alike; or, at level exit, it never told a malformed trace
                 from a valid one

The last is known only after the run. If its vectors do not tell, two small traces do."""
import json
import struct
import tempfile

from runner.levels import is_either_way, malformed_rules
from runner.lines import given
from runner.plain import PASSED, Trouble
from runner.prefork import transport_of
from runner.results import CONSTANT, EITHER, IDLE

LIMIT = 1 << 20  # bytes of an answer

# The magic number record and an instant event. Without its last word it is cut off [REC-03].
TRACE = struct.pack("<5Q8s8s", 0x0016547846040010, 0x8001800100000064, 77, 78, 79, b"c", b"n")
SCRIPT = json.dumps({"event": "instant", "provider": 0, "process": 78, "thread": 79, "ts": 77, "ns": 77, "category": "c",
                     "name": "n", "scope": "thread", "args": {}}).encode("ascii") + b"\n"


def vacuous(vector, answer, options):
    """Why a pass shows nothing of the program, or ""."""
    if options.level == "exit":
        return EITHER if is_either_way(vector, options) else ""
    return IDLE if options.level in ("events", "records", "timeline") and not answer.out else ""


def said_of(answer, options):
    """What of an answer is compared."""
    return answer.code != 0 if options.level == "exit" else hash(answer.out)


def judge(results, options):
    """Marks the passes that are no evidence, after the run."""
    if options.interrupted:
        return
    shown = is_told_apart if options.level == "exit" else varies
    if not shown(results, options):
        for result in results:
            if result.status == PASSED and not result.vacuous:
                result.vacuous = CONSTANT


def is_told_apart(results, options):
    """Whether the program accepted a valid trace, and complained about a malformed one."""
    passed = [result for result in results if result.status == PASSED]
    told = {bool(malformed_rules(result.vector, options)) for result in passed if not result.vacuous}
    return len(told) > 1 or bool(told) and controls(options) == [False, True]


def varies(results, options):
    """Whether the program gave different answers."""
    answers = {result.answer for result in results if result.answer is not None}
    return len(answers) > 1 or any(answer not in answers for answer in controls(options))


def controls(options):
    """What the program says of the two traces; None where it gives no answer."""
    traces = [given(SCRIPT, options)] if options.level == "write" else [(TRACE, ".fxt"), (TRACE[:-8], ".fxt")]
    answers = []
    with tempfile.TemporaryDirectory(prefix="fxt-conformance-") as folder:
        transport = transport_of(options, folder)
        try:
            for data, suffix in traces:
                try:
                    answers.append(said_of(transport.ask("control" + suffix, data, LIMIT), options))
                except Trouble:
                    answers.append(None)
        finally:
            transport.close()
    return answers
