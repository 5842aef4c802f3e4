"""The bytes of a vector in words: what each word is, and which rules are broken there."""
from runner.plain import shown

DUMP_WORDS = 48

# The words of a record that are neither header, stream nor argument, in order.
PLAIN = {
    "initialization": ["ticks per second"], "thread": ["process koid", "thread koid"],
    "event": ["timestamp", "THREAD", "LAST"], "userspace_object": ["pointer", "process koid"],
    "kernel_object": ["koid"], "log": ["timestamp", "THREAD"],
    "legacy_switch": ["timestamp", "outgoing", "incoming"],
    "context_switch": ["timestamp", "outgoing thread koid", "incoming thread koid"],
    "thread_wakeup": ["timestamp", "thread koid"],
    "module": ["timestamp", "THREAD"], "backtrace": ["timestamp", "THREAD"],
    "mmap": ["timestamp", "THREAD", "start address", "length", "address in the module"],
    "large_blob": ["format word", "timestamp", "THREAD", "payload size"],
}


def plain_words(record):
    """The names of those words of this record."""
    names = []
    inline = [ref for kind, ref, _ in (n for n in record.notes if n[0] == "thread") if ref == 0]
    for name in PLAIN.get(record.kind, []):
        if name == "THREAD":
            names += ["process koid", "thread koid"] if inline else []
        elif name == "LAST":
            kind = record.words[0] >> 16 & 15
            names += {0: ["scope"], 2: [], 3: [], 4: ["end time"]}.get(kind, ["id"])
        elif name in ("outgoing", "incoming"):
            shift = 28 if name == "outgoing" else 36
            if record.words[0] >> shift & 255 == 0:
                names += [name + " process koid", name + " thread koid"]
        elif name != "timestamp" or record.values.get("blob_format") != 1:
            names.append(name)
    return names


def field_text(field, value):
    """Inline refs as the text of the format writes them."""
    inline = field in ("category", "name") and value >= 0x8000
    return ("%s=0x%x" if inline else "%s=%d") % (field, value)


def word_notes(record, model):
    """{word of the record: what it is}"""
    notes = {}
    fields = ""
    if record.kind and record.kind + ".header" in model.LAYOUT:
        values = model.unpack(record.kind + ".header", record.words[0])
        fields = " " + " ".join(field_text(*item) for item in values.items() if item[0] != "type")
    notes[0] = (record.kind or "unknown") + fields
    for note in record.notes:
        if note[0] == "stream":
            _, at, data, padding, _ = note
            count = (len(data) + len(padding)) // 8
            for word in range(count):
                piece = data[8 * word:8 * word + 8]
                notes[at + word] = "bytes " + shown(piece.decode("latin-1"))
    for at, header in record.begun:
        h = model.unpack("arg.header", header)
        kind = model.ARGS[h["type"]] if h["type"] < len(model.ARGS) else "type %d" % h["type"]
        notes[at] = "argument %s size=%d name=0x%x data=0x%x" % (
            kind, h["size"], h["name"], h["data"])
        for word in range(at + 1, min(at + h["size"], len(record.words))):
            notes.setdefault(word, "value of the argument")
    if record.tail:
        for word in range(record.tail_at, len(record.words)):
            notes[word] = "tail"
    names = iter(plain_words(record))
    for word in range(1, len(record.words)):
        if word not in notes:
            notes[word] = next(names, "")
    return notes


def annotate(vector, options):
    """[offset, the bytes as hex, what they are, the rules that are broken there]"""
    data = bytes.fromhex(vector["bytes"])
    broken = {}
    for finding in vector["findings"][options.edition]:
        broken.setdefault(finding["offset"], []).append(finding["rule"])
    notes = {}
    for item in options.model.read(data):
        if isinstance(item, tuple):
            notes[item[0]] = "zero word" if item[1] == "REC-09" else "refused: " + item[1]
            continue
        for word, note in word_notes(item, options.model).items():
            notes[item.offset + 8 * word] = note
    rows = []
    for at in range(0, len(data), 8):
        if len(rows) == DUMP_WORDS and len(data) - at > 64:
            rows.append([at, "", "%d bytes more" % (len(data) - at), ""])
            break
        rows.append([at, data[at:at + 8].hex(" "), notes.get(at, ""),
                     " ".join(broken.pop(at, []))])
    for offset, rules in broken.items():
        if offset >= len(data):
            rows.append([offset, "", "the end of the trace", " ".join(rules)])
    return rows
