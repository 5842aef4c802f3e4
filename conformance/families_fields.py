"""Families about fields: each at the ends of its range and one beyond, and each reserved bit."""
from families_base import MAX, PREAMBLE, a, around, templates, vector
import model

# Fields of headers that are numbers: no types, sizes, lengths, counts or refs, which have families
# of their own. Those of which `values` is narrower than the field have a value beyond.
NUMBERS = {
    "provider_info": ["provider_id"], "provider_section": ["provider_id"],
    "provider_event": ["provider_id", "event_id"],
    "string": ["index"], "thread": ["index"], "blob": ["blob_type"],
    "kernel_object": ["object_type"],
    "legacy_switch": ["cpu", "outgoing_state", "outgoing_priority", "incoming_priority"],
    "context_switch": ["cpu", "outgoing_state"], "thread_wakeup": ["cpu"],
    "module": ["module_id"], "mmap": ["module_id", "flags"],
}
BEYOND = {"event_id": (1, 15), "blob_type": (4, 255), "outgoing_state": (6, 15, 1)}
LEAST = {"blob_type": 1, "flags": 7}
MOST = {"event_id": 0, "blob_type": 2, "outgoing_state": 5}
RULES = {"event_id": "MET-04", "blob_type": "BLB-02", "outgoing_state": "SCH-03",
         "provider_id": "MET-08", "index": {"string": "STR-02", "thread": "THR-02"}}


def held(name, field):
    """The rule that a good value of the field keeps."""
    rule = RULES.get(field, model_rule(name, field))
    return rule[name] if isinstance(rule, dict) else rule


def model_rule(name, field):
    return {"blob": "BLB-01", "kernel_object": "KOB-01", "legacy_switch": "SCH-01",
            "context_switch": "SCH-04", "thread_wakeup": "SCH-05", "module": "PRF-02",
            "mmap": "PRF-03"}.get(name)


def user(name, value):
    """Lines that show that the record had its effect."""
    if name == "string":
        return ["event instant timestamp=11 thread=@1 category=@1 name=@%d" % value]
    if name == "thread":
        return ["event instant timestamp=11 thread=@%d category=@1 name=@2" % value]
    if name.startswith("provider_"):
        return ["initialization ticks_per_second=1000000000",
                "event instant timestamp=11 thread=100/101 category=\"category\" name=\"sentinel\""]
    return []


def fields(out):
    for name, names in NUMBERS.items():
        for field in names:
            t = templates()[name].plain()
            width = model.LAYOUT[t.header.word][field][1]
            low, high = model.LAYOUT[t.header.word][field][2:4]
            least, most = LEAST.get(field, low), MOST.get(field, high)
            if (name, field) in (("provider_section", "provider_id"),
                                 ("provider_event", "event_id")):
                least = most  # 0 is said elsewhere, or the only one
            for value in sorted({least, most}):
                t.header.fields[field] = value
                lines = t.lines() + user(name, value)
                if name in ("provider_section", "provider_event"):
                    lines = ['provider_info provider_id=%d name="provider"'
                             % t.header.fields["provider_id"]] + lines
                switches = name.startswith("provider_") and field == "provider_id"
                frame = PREAMBLE if value else PREAMBLE[:1]  # which introduces provider 0
                out(vector("%s/%s-%s-%d" % (t.area, name, field.replace("_", "-"), value),
                           "The %s of %s record is %d, an end of its range."
                           % (field.replace("_", " "), a(name), value),
                           "Reads the field with fewer than its %d bits, or with a sign." % width,
                           frame + lines if switches else around(lines), held(name, field),
                           edition=t.edition, grade="valid"))
            for value in BEYOND.get(field, ()):
                t.header.fields[field] = value
                what = "running, which no thread that was switched out is" \
                    if (field, value) == ("outgoing_state", 1) else "not defined"
                extra = []
                if name == "provider_event":
                    t.header.fields["provider_id"] = 0
                out(vector("%s/%s-%s-%d" % (t.area, name, field.replace("_", "-"), value),
                           "The %s of %s record is %d, %s. The record is delivered with the "
                           "number." % (field.replace("_", " "), a(name), value, what),
                           "Uses the value as an index into a table of names without a look at its "
                           "size, or drops the record.",
                           around(extra + t.lines()), RULES[field], edition=t.edition))


# Fields that are a word of their own.
WORDS = {
    "thread": ["process_koid", "thread_koid"], "userspace_object": ["pointer"],
    "kernel_object": ["koid"], "legacy_switch": ["timestamp"],
    "context_switch": ["timestamp", "outgoing_koid", "incoming_koid"],
    "thread_wakeup": ["timestamp", "waking_thread"], "log": ["timestamp"], "module": ["timestamp"],
    "mmap": ["timestamp", "start_address", "address_range", "vaddr"],
    "backtrace": ["timestamp", "frame"], "large_blob-0": ["timestamp"], "event": ["timestamp",
                                                                                  "end"],
}
WORD_RULES = {"thread": "THT-01", "userspace_object": "UOB-01", "kernel_object": "KOB-01",
              "legacy_switch": "SCH-01", "context_switch": "SCH-04", "thread_wakeup": "SCH-05",
              "log": "LOG-01", "module": "PRF-02", "mmap": "PRF-03", "backtrace": "PRF-04",
              "large_blob-0": "LRG-03", "event": "EVT-01"}


def words(out):
    for name, tags in WORDS.items():
        for tag in tags:
            for value, what in ((0, "0"), (1 << 32, "2^32"), (1 << 63, "2^63"), (MAX, "2^64 - 1")):
                t = templates()[name].plain().set_word(tag, value)
                if name == "event" and tag == "timestamp":
                    t.set_word("end", MAX)
                if (name, tag, value) == ("event", "end", 0):
                    t.set_word("timestamp", 0)
                lines = t.lines() + user(name, 4)
                rule = "EVT-03" if tag == "end" else WORD_RULES[name]
                out(vector("%s/%s-%s-%s" % (t.area, name, tag.replace("_", "-"),
                                            what.replace(" ", "").replace("^", "-")),
                           "The %s of %s record is %s." % (tag.replace("_", " "), a(name), what),
                           "Keeps 32 bits, or takes the word for a signed or a floating number.",
                           around(lines), rule, edition=t.edition, grade="valid"))


def inline_koids(out):
    """The two koids of an inline thread, in an event."""
    for process, thread, what in ((0, 0, "0"), (1 << 32, (1 << 32) + 1, "from 2^32 on"),
                                  ((1 << 63) + 100, (1 << 63) + 101, "with bit 63"),
                                  (MAX, MAX - 1, "at the end of 64 bits")):
        out(vector("event/koids-%s" % what.replace(" ", "-").replace("^", "-"),
                   "An inline thread with koids %s." % what,
                   "Keeps 32 bits of a koid, so that two threads become one.",
                   around(["event instant timestamp=10 thread=%d/%d category=@1 name=@2"
                           % (process, thread)]), "THR-01", grade="valid"))


def runs(word):
    """The groups of reserved bits: (lowest, highest)."""
    mask = model.reserved(word)
    found, bit = [], 0
    while bit < 64:
        if mask >> bit & 1:
            low = bit
            while bit < 63 and mask >> (bit + 1) & 1:
                bit += 1
            found.append((low, bit))
        bit += 1
    return found


def field_below(word, bit):
    for field, (lo, width, _, _, _) in model.LAYOUT[word].items():
        if lo + width == bit:
            return field.replace("_", " ")
    return "field below"


def dirty(t, index, bit):
    other = t.copy()
    other.words()[index].fields["bits"] = 1 << bit
    return other.lines()


def reserved(out, name, t):
    for index, word in enumerate(t.words()):
        if word.word.startswith("arg") or word.word == "trace_info.header":
            continue
        part = "" if index == 0 else "-format-word"
        for low, high in runs(word.word):
            rows = [([low], "%d" % low, "Bit %d is set, which is reserved" % low,
                     "Reads the %s with a bit too many, or refuses the record."
                     % field_below(word.word, low))]
            if high > low:
                rows.append(([high], "%d" % high, "Bit %d is set, which is reserved" % high,
                             "Reads the %s with every bit that is left, or as a signed number."
                             % field_below(word.word, low)))
            if high > low + 1:
                rows.append((range(low + 1, high), "%d-to-%d" % (low + 1, high - 1),
                             "The reserved bits from %d to %d are set, one in each record"
                             % (low + 1, high - 1), "Refuses a record with reserved bits."))
            for bits, label, why, mistake in rows:
                lines = [line for bit in bits for line in dirty(t, index, bit)]
                out(vector("%s/reserved-%s%s-%s" % (t.area, name, part, label),
                           "%s (%s). A reader ignores it." % (why, word.word), mistake,
                           around(lines), "REC-04", edition=t.edition))


def families(out):
    fields(out)
    words(out)
    inline_koids(out)
    for name, t in templates().items():
        reserved(out, name, t.plain())
