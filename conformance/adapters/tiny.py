# ../run --adapter 'python3 tiny.py {file}' --level events --kinds magic,instant
import json, struct, sys
def text(ref, stream):
    if ref & 0x8000:
        return {"hex": stream[:ref & 0x7fff].hex()}
    return "" if ref == 0 else None  # no string table here
def words(ref):
    return ((ref & 0x7fff) + 7) // 8 if ref & 0x8000 else 0

def instant(raw, w):
    category, name, koids = w[0] >> 32 & 0xffff, w[0] >> 48, 0 if w[0] >> 24 & 255 else 2
    at, end = 2 + koids, 2 + koids + words(category) + words(name)
    if end > len(w):
        return  # its contents do not fit
    print(json.dumps({
        "event": "instant", "provider": 0, "process": w[2] if koids else None,
        "thread": w[3] if koids else None, "ts": w[1], "category": text(category, raw[8 * at:]),
        "name": text(name, raw[8 * (at + words(category)):]), "args": {},
        "scope": {1: "process", 2: "global"}.get(w[end] if end < len(w) else 0, "thread")}))

data, at = open(sys.argv[1], "rb").read(), 0
while at + 8 <= len(data) and data[:8].hex() != "0016547846040010":  # the other byte order
    h, = struct.unpack_from("<Q", data, at)
    size = 1 if h == 0 else h >> 4 & (0xffffffff if h & 15 == 15 else 0xfff)
    if size == 0 or size > (len(data) - at) // 8:
        sys.exit(1)
    if h & 0xff000f == 4:  # an instant without arguments
        instant(data[at:at + 8 * size], struct.unpack_from("<%dQ" % size, data, at))
    at += 8 * size
sys.exit(len(data) % 8 != 0)
