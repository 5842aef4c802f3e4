"""The vector of a writer that has more strings to write than a table has places. Of a reader, such a trace shows no more
than the small ones do, and it has a megabyte: so it is made for level write, and no file has it."""

COUNT = (1 << 15) + 5   # names; the last ones are behind the largest index, 32767
ROOM = 2 * 56 * COUNT   # bytes, twice those of a trace with all of it inline


def vector():
    first = [{"record": "magic"}, {"record": "provider_info", "provider_id": 0, "name": "provider"},
             {"record": "initialization", "ticks_per_second": str(10**9)}]
    event = {"event": "instant", "provider": 0, "process": 100, "thread": 101, "category": "category",
             "scope": "thread", "args": {}}
    return {
        "id": "string_table/more-than-places", "grade": "valid", "tests": "STT-03", "touches": [], "edition": "2020",
        "kinds": ["instant", "magic", "string", "thread"], "refuses": [], "canonical": False,
        "why": "%d events, each with a name of its own." % COUNT,
        "mistake": "Gives the 32768th string index 0, or an index of 16 bits.",
        "source": ["# %d events from name=\"name 0\" on, which no file has" % COUNT], "bytes": "", "room": ROOM,
        "findings": {"2020": [], "current": []},
        "records": first + [{"record": "event", "event_type": "instant", "args": []}] * COUNT,
        "events": [dict(event, ts=i, ns=i, name="name %d" % i) for i in range(COUNT)],
    }
