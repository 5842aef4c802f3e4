"""What a run leaves for machines, and the page index.html for people."""
import base64
import datetime
import glob
import json
import os
import shlex
import zlib
from html import escape

from runner.annotate import annotate
from runner.grades import class_of, effect_of
from runner.files import look_at_folder, write_file
from runner.plain import CRASHED, GARBAGE, HUNG, NO_ANSWER, PASSED, SKIPPED, UNSUPPORTED, Usage, printable, why
from runner.results import EITHER, counts_of, problem


class Damaged(Usage):
    """A file of matrix/ that is not what --record writes."""


def prepare(results, options):
    """Before the run, which may take minutes."""
    if options.report:
        look_at_folder("--report " + options.report, options.report, make=True)
        options.columns = recorded(options)
    if options.record:
        path = record_path(options)
        look_at_folder(path, os.path.dirname(path), make=True)
        look_at_record(results, options)


def write(results, options):
    for name, make in (("results.tap", tap), ("results.xml", junit), ("results.json", as_json),
                       ("index.html", html)):
        write_file("--report " + options.report, os.path.join(options.report, name),
                   make(results, options))


def tap(results, options):
    lines = ["TAP version 13", "1..%d" % len(results)]
    for number, result in enumerate(results, 1):
        name = "%d - %s" % (number, result.vector["id"])
        text = result.what().replace("#", "\\#")
        if result.status is None:
            lines.append("ok %s # SKIP not run" % name)
        elif result.status in NO_ANSWER and result.as_expected():
            lines.append("ok %s # SKIP %s" % (name, result.text.replace("#", "\\#")))
        elif result.is_known():
            reason = printable(result.expectation.reason).replace("#", "\\#")
            lines += ["not ok %s # TODO %s" % (name, reason), "# " + text]
        elif result.as_expected():
            lines.append("ok %s" % name)
            lines += ["# " + text] if result.outcome() != PASSED else []
        else:
            lines += ["not ok %s" % name, "# " + text]
    if problem(results, options):
        lines.append("Bail out! " + problem(results, options))
    return "\n".join(lines) + "\n"


def quoted(text):
    """As the value of an attribute."""
    return '"%s"' % escape(text).replace("\n", "&#10;")


def junit(results, options):
    counts = counts_of(results)
    bad = [r for r in results if not r.as_expected()]
    errors = sum(1 for r in bad if r.status in (CRASHED, HUNG, GARBAGE))
    cut = bool(problem(results, options))
    skipped = sum(1 for r in results if r.as_expected() and (
        r.is_known() or r.outcome() in NO_ANSWER + (EITHER,)))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<testsuite name="fxt conformance, level %s" tests="%d" failures="%d" errors="%d" '
             'skipped="%d">' % (
                 options.level, len(results) + cut, len(bad) - errors, errors + cut, skipped)]
    for r in results:
        area, _, name = r.vector["id"].partition("/")
        lines.append("<testcase classname=%s name=%s time=%s>" % (
            quoted(area), quoted(name), quoted("%.3f" % r.seconds)))
        text = quoted(r.what())
        if r.status in NO_ANSWER and r.as_expected():
            lines.append("<skipped message=%s/>" % quoted(r.text or "not run"))
        elif r.is_known():
            lines.append("<skipped message=%s>%s</skipped>" % (
                quoted("known: " + printable(r.expectation.reason)), escape(r.what())))
        elif not r.as_expected():
            tag = "error" if r.status in (CRASHED, HUNG, GARBAGE) else "failure"
            lines.append("<%s message=%s type=%s>%s</%s>" % (
                tag, text, quoted(r.vector["tests"]), escape(printable(r.vector["why"], 4000)), tag))
        elif r.outcome() == EITHER:
            lines.append("<skipped message=%s/>" % text)
        elif r.status != PASSED:
            lines.append("<system-out>%s</system-out>" % escape(r.what()))
        lines.append("</testcase>")
    if cut:
        lines.append('<testcase classname="run" name="%s"><error message=%s/></testcase>' % (
            "interrupted" if options.interrupted else "evidence", quoted("%s: %d of %d vectors were run" % (
                problem(results, options), sum(counts.values()), len(results)))))
    return "\n".join(lines + ["</testsuite>"]) + "\n"


def column(results, options):
    """What is kept of a run."""
    return {
        "name": options.record or "this run",
        "release": options.release or "",
        "date": datetime.date.today().isoformat(),
        "command": options.adapter, "level": options.level, "edition": options.edition,
        "kinds": options.kinds_text, "without": sorted(options.without), "grades": sorted(options.grades),
        "any_types": options.any_types, "transport": "pipe" if options.pipe else "file",
        "corpus": options.fingerprint,
        "status": {r.vector["id"]: r.status for r in results if r.status},
    }


def as_json(results, options):
    out = column(results, options)
    out["results"] = [{"id": r.vector["id"], "tests": r.vector["tests"], "status": r.status,
                       "class": class_of(r.vector, options.level), "effect": effect_of(r, options.level),
                       "as_expected": r.as_expected(), "vacuous": r.vacuous, "text": r.text,
                       "seconds": round(r.seconds, 4)} for r in results]
    out["interrupted"] = bool(options.interrupted)
    out["problem"] = problem(results, options)
    out["counts"] = counts_of(results)
    return json.dumps(out, indent=1) + "\n"


def record_path(options):
    return os.path.join(options.report or options.here, "matrix", options.record + ".json")


def look_at_record(results, options):
    """A run replaces one of the same command, if no vector loses its result."""
    path = record_path(options)
    old = runs_to_keep(path, options).get(options.level)
    if not old:
        return
    given = {r.vector["id"] for r in results if not r.unsupported}
    left = sorted(id for id, status in old["status"].items()
                  if status not in (UNSUPPORTED, SKIPPED) and id not in given)
    if old["command"] != options.adapter:
        reason = "was recorded with --adapter " + printable(shlex.quote(old["command"]), 400)
    elif left:
        reason = "has results of %d vector%s that this run leaves out, such as %s" % (
            len(left), "s" if len(left) > 1 else "", printable(left[0]))
    else:
        return
    raise Usage("--record %s: %s %s: choose another name, or remove that file" % (
        options.record, printable(path, 400), reason))


def record(results, options):
    """Keeps the run as the one of its level in matrix/NAME.json."""
    path = record_path(options)
    runs = dict(runs_to_keep(path, options), **{options.level: column(results, options)})
    if not options.report:
        runs = {level: shortened(run, options) for level, run in runs.items()}
    write_file(path, path, json.dumps(runs, indent=1, sort_keys=True) + "\n")
    print("recorded in " + path)


def shortened(run, options):
    """Of the suite's own columns, which are of its corpus: only what did not pass."""
    if run["corpus"] != options.fingerprint or len(run["status"]) != len(options.vectors):
        return run
    return dict(run, others=PASSED, status={id: status for id, status in run["status"].items() if status != PASSED})


def runs_to_keep(path, options):
    """Of a file that is written anew. One that is damaged has none."""
    try:
        return load_runs(path, options) if os.path.lexists(path) else {}
    except Damaged:
        return {}


KEPT = ("name", "release", "date", "command", "edition", "kinds", "corpus")


def load_runs(path, options):
    """{level: column}"""
    try:
        with open(path, encoding="utf-8") as f:
            runs = json.load(f)
        for run in runs.values():
            if not all(isinstance(run[key], str) for key in KEPT):
                raise ValueError("not made by --record")
            run["status"] = dict(run["status"])
            if run["corpus"] == options.fingerprint and "others" in run:
                run["status"] = dict(dict.fromkeys((v["id"] for v in options.vectors), run.pop("others")), **run["status"])
        return runs
    except OSError as error:
        raise Usage("cannot read %s: %s" % (printable(path, 400), why(error)))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Damaged("cannot read %s: %s; remove it, or record it again" % (
            printable(path, 400), printable(str(error))))


def recorded(options):
    """What the suite and the report have of this level, but not of the program that runs now. Of
    two columns of one name, the report's."""
    columns = {}
    for folder in (options.here, options.report):
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "matrix", "*.json"))):
            name = os.path.basename(path)[:-len(".json")]
            run = load_runs(path, options).get(options.level) if name != options.record else None
            if run:
                columns[name] = dict({key: run[key] for key in KEPT}, name=name, status=run["status"],
                                     same=run["corpus"] == options.fingerprint)
    return list(columns.values())


def html(results, options):
    live = column(results, options)
    live["live"] = True
    live["status"] = {r.vector["id"]: r.outcome() for r in results if r.status}
    live["text"] = {r.vector["id"]: r.text for r in results if r.text}
    live["effect"] = {r.vector["id"]: effect for r in results for effect in [effect_of(r, options.level)] if effect}
    live["got"] = {r.vector["id"]: r.got for r in results if r.got}
    live["expected"] = {r.vector["id"]: r.expectation.reason for r in results
                        if r.expectation and r.as_expected()}
    live["unexpected"] = [r.vector["id"] for r in results if not r.as_expected()]
    key = {"events": "events", "records": "records", "write": "events", "timeline": "timeline"}.get(options.level)
    vectors = []
    for result in results:
        vector = result.vector
        one = {name: vector.get(name, "") for name in ("id", "grade", "tests", "edition", "why",
                                                       "mistake", "kinds")}
        one["class"] = class_of(vector, options.level)
        one["source"] = [line[:300] for line in vector["source"][:80]]
        one["dump"] = annotate(vector, options)
        one["expected"] = ([json.dumps(line)[:400] for line in vector[key][:40]] if key else
                           ["%s @ 0x%x" % (f["rule"], f["offset"])
                            for f in vector["findings"][options.edition]])
        if options.level == "write":
            one["mistake"] = ""  # is one of readers
        vectors.append(one)
    data = {"columns": [live] + options.columns, "vectors": vectors, "level": options.level,
            "edition": options.edition, "rules": {rule: (kind, text, options.sources.get(rule, ""))
                                                 for rule, (kind, text) in options.rules.items()}}
    text = json.dumps(data, separators=(",", ":")).encode("ascii")
    with open(os.path.join(os.path.dirname(__file__), "matrix.html"), encoding="utf-8") as f:
        return f.read().replace("@DATA@", base64.b64encode(zlib.compress(text, 9)).decode("ascii"))
