"""Traces for the tests of the bindings, word by word."""


def trace_of(words):
    return b"".join(word.to_bytes(8, "little") for word in [0x0016547846040010, *words])


def names(count):
    """The trace registers this many names. The last 15 are arguments of its only event."""
    words = []
    for i in range(1, count + 1):
        words += [2 | 2 << 4 | i << 16 | 5 << 32, int.from_bytes(b"%05d" % i, "little")]
    words += [4 | 17 << 4 | 15 << 20 | 1 << 24, 0]
    return trace_of(words + [1 << 4 | i << 16 for i in range(count - 14, count + 1)])


def providers(count):
    """Each provider registers a rate of 1 MHz and the name "n". Then each has an event at tick 1000."""
    sections = [1 << 4 | 2 << 16 | i << 20 for i in range(1, count + 1)]
    words = []
    for section in sections:
        words += [section, 1 | 2 << 4, 10**6, 2 | 2 << 4 | 1 << 16 | 1 << 32, ord("n")]
    for section in sections:
        words += [section, 4 | 2 << 4 | 1 << 24 | 1 << 48, 1000]
    return trace_of(words)
