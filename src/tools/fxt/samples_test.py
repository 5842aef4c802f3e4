#!/usr/bin/python3
"""The program on traces that other programs wrote.

Those of the original engine lie in conformance/original. Those of other people's programs are no part
of this repository: they are looked for in ../shared/samples beside the checkout, and the tests say so
and do without them where they are absent. Runs outside of Bazel's sandbox.
"""

import gzip
import json
import os
import re
import tempfile

import edit_test
import testing
from testing import fxt

HERE = os.path.dirname(os.path.realpath(__file__))
ORIGINAL = os.path.join(HERE, "..", "..", "..", "conformance", "original")
SAMPLES = os.path.join(HERE, "..", "..", "..", "..", "shared", "samples", "third-party")


def under(directory, endings):
    return [os.path.join(folder, name) for folder, _, names in sorted(os.walk(directory))
            for name in sorted(names) if name.endswith(endings)]


def files():
    """Paths of all traces; a raw buffer image is no trace."""
    original, others = (under(d, (".fxt", ".ftf", ".fxt.gz")) for d in (ORIGINAL, SAMPLES))
    assert len(original) == 50, len(original)
    if not others:
        print("skipped: no samples of other writers")
    return original + others


def plain(path):
    data = open(path, "rb").read()
    return gzip.decompress(data) if path.endswith(".gz") else data


def reject_constant(name):
    raise ValueError("not JSON: " + name)


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), "a member twice: " + repr(names)
    return dict(pairs)


def strict(text):
    return json.loads(text, parse_constant=reject_constant, object_pairs_hook=no_duplicates)


def test_every_sample_survives_the_disassembler_and_the_assembler():
    for path in files():
        with tempfile.TemporaryFile() as text:
            listed = fxt("dump", "--asm", path)
            assert listed.code in (0, 1), (path, listed)
            text.write(listed.out)
            text.seek(0)
            assembled = fxt("asm", "-", stdin=text)
        assert assembled.code == 0, (path, assembled)
        assert assembled.out == plain(path), path


def traces():
    """The samples without those that begin with no record, which are refused."""
    for path in files():
        if "not an FXT trace" in fxt("stat", path).err:
            assert "/malformed/" in path, path
        else:
            yield path


def test_every_sample_becomes_valid_chrome_json():
    for path in traces():
        converted = fxt("json", "--allow-empty", path)
        assert converted.code in (0, 1), (path, converted)
        trace = strict(converted.text)
        assert isinstance(trace["traceEvents"], list), path


def test_every_sample_can_be_asked_and_seen():
    for path in traces():
        for command in (["stat"], ["report"], ["html"], ["sql", "--json"]):
            query = ["select count(*) as n from slice"] if command[0] == "sql" else []
            seen = fxt(*command, "--allow-empty", path, *query)
            assert seen.code in (0, 1) and seen.text, (command, path, seen)
        with tempfile.TemporaryDirectory() as folder:
            exported = fxt("export", "--allow-empty", path, "-o", os.path.join(folder, "tables"))
            assert exported.code in (0, 1), (path, exported)
            rows = open(os.path.join(folder, "tables", "slice.jsonl"), encoding="utf-8").read()
            assert len(rows.splitlines()) == strict(seen.text)["n"], path


def test_every_sample_becomes_valid_json_lines():
    for path in files():
        dumped = fxt("dump", "--json", path)
        assert dumped.code in (0, 1), (path, dumped)
        for line in dumped.text.split("\n"):
            assert line == "" or isinstance(strict(line), dict), path


def clean(path):
    return fxt("check", "-q", path).code == 0


def test_every_sample_can_be_cut_and_filtered():
    for path in files():
        was_clean = clean(path)
        for options in (["cut", "--from=30%", "--to=60%"], ["cut", "-f50%", "--open=close"],
                        ["cut", "-t50%", "--open=drop"], ["filter", "--kind=duration"],
                        ["filter", "-v", "--name=*e*"]):
            part = fxt(*options, path)
            assert part.code in (0, 1), (path, options, part)
            if was_clean:
                checked = fxt("check", data=part.out)
                is_told = part.code == 0 or re.match("fxt: .*: (no record|the part holds|the trace has no) ", part.err)
                assert is_told and checked.code == 0, (path, options, part, checked)


def test_every_sample_is_itself_and_can_be_merged():
    for path in files():
        assert fxt("diff", path, path).text == "", path
        together = fxt("merge", "--align=start", path, path)
        assert together.code in (0, 1), (path, together)
        if clean(path):
            assert fxt("check", data=together.out).code == 0, path


def test_the_intel_pt_trace_is_counted_to_the_record():
    for path in files():
        if not path.endswith("c-demo.fxt.gz"):
            continue
        counts = strict(fxt("stat", "--json", path).text)
        assert counts["events"]["duration_begin"] == 237058, counts
        assert counts["events"]["duration_end"] == 237058, counts
        assert counts["records"]["string"] == 581, counts
        assert counts["records"]["thread"] == 1, counts


def test_writers_with_known_bugs_are_told_so():
    expected = {
        "ftr_generated__counter_MISORDERED.fxt": ["ARG-02"] * 4,
        "ocaml-trace_golden__t2_second.fxt": ["REC-05", "REC-08", "THR-02", "THR-02", "THR-02"],
        "perfetto_unittest__CorruptedFxt.fxt": ["REC-02"],
        "large-blob-size-max.fxt": ["LRG-04"],
    }
    for path in files():
        rules = expected.get(os.path.basename(path))
        if rules is None:
            continue
        checked = fxt("check", path)
        assert checked.code == 1, (path, checked)
        found = [line.split(": ")[2].split(":")[0] for line in checked.lines()]
        assert found == rules, (path, found)


def buffers():
    found = under(ORIGINAL, (".buffer", ".buffer.gz"))
    assert len(found) == 8, found
    return found


def said(trace):
    """What a trace holds, but for its metadata and where it stands."""
    records = [strict(line) for line in fxt("dump", "--json", data=trace).lines()]
    for record in records:
        del record["offset"]
    return [r for r in records if r["record"] not in ("magic", "provider_info", "provider_event")]


def test_every_buffer_becomes_a_well_formed_trace():
    for path in buffers():
        checked = fxt("check", "-snonconforming", path)
        salvaged = fxt("salvage", path)
        assert checked.code == salvaged.code and checked.code in (0, 1), (path, checked, salvaged)
        result = fxt("check", "-snonconforming", data=salvaged.out)
        assert result.code == 0, (path, result)
        assert len(said(salvaged.out)) > 0, path


def test_what_is_salvaged_is_what_the_original_manager_saved():
    for path in buffers():
        saved = path.replace(".buffer", ".fxt")
        if "streaming" in path or not os.path.exists(saved):
            continue
        refused = fxt("check", "-q", "-snonconforming", path).code
        salvaged = said(fxt("salvage", path).out)
        expected = said(plain(saved))
        assert [r for r in expected if r in salvaged] == salvaged, path
        assert len(expected) - len(salvaged) == refused, (path, len(expected), len(salvaged))


def test_a_part_has_the_slices_of_its_time():
    """Of a trace whose outermost durations begin at the end of the file."""
    for path in files():
        if "c-demo" in path:
            edit_test.check_slices(plain(path), 500000, 501000, path)


if __name__ == "__main__":
    testing.main(globals())
