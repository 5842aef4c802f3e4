"""How vectors stand in corpus/buffers.json and corpus/packets.json: schema/buffers.md. One key a line; the
items of the lists in LONG one a line."""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
LONG = ("pieces", "then", "records", "trace", "parts", "names", "findings")


def expand(size, pieces):
    """The bytes that pieces stand for: zeros, and over them each piece in order."""
    data = bytearray(size)
    for at, text in pieces:
        piece = bytes.fromhex(text)
        assert at + len(piece) <= size, (at, len(piece), size)
        data[at:at + len(piece)] = piece
    return bytes(data)


def pieces_of(data):
    """[offset, hex] of each run of words that are not zero."""
    pieces = []
    for at in range(0, len(data), 8):
        word = data[at:at + 8]
        if not any(word):
            continue
        if pieces and pieces[-1][0] + len(pieces[-1][1]) // 2 == at:
            pieces[-1][1] += word.hex()
        else:
            pieces.append([at, word.hex()])
    return pieces


def one_line(value):
    return json.dumps(value, ensure_ascii=False)


def value_text(key, value, indent):
    inner = indent + "  "
    if isinstance(value, dict):
        return "{\n" + lines_of(value, inner) + indent + "}"
    if key in LONG and isinstance(value, list) and value:
        return "[\n" + ",\n".join(inner + one_line(item) for item in value) + "\n" + indent + "]"
    return one_line(value)


def lines_of(vector, indent):
    rows = ['%s"%s": %s' % (indent, key, value_text(key, value, indent))
            for key, value in vector.items()]
    return ",\n".join(rows) + "\n"


def layout_vector(vector):
    return "{\n" + lines_of(vector, "  ") + "}"
