"""The rooms of src/ and who may include whom: the one list.

Bazel visibility is computed from it, and layering_test.py reads it to check every #include.
"""

# room: the rooms whose headers it may include, besides its own and src/include. What those may
# include, it may include too.
SEES = {
    "base": [],
    "wire": ["base"],
    "read": ["wire"],
    "write": ["wire"],
    "buffer": ["wire"],
    "check": ["read", "write", "buffer"],
    "convert": ["check"],
    "cli": ["convert"],
    "timeline": ["cli"],
    "protocol": ["wire"],
    "socket": [],
    "loop": ["socket"],
    "events": ["check"],
    "engine": ["write", "buffer"],
    "recorder": ["engine", "loop", "socket"],
    "provider": ["engine", "protocol", "loop", "socket"],
    "manager": ["check", "cli", "protocol", "loop", "socket"],
    "client": ["protocol", "socket"],
    "kernel": ["cli", "provider", "recorder"],
    "auto": [],
}

# The tests of these rooms read what the room wrote, by public headers.
TESTS_SEE = {
    "engine": ["check", "loop"],
    "recorder": ["check"],
    "manager": ["provider", "client"],
    "kernel": ["check"],
}

# Link whatever they need, but of the rooms include public headers only.
_CLIENTS = [
    "//:__pkg__",
    "//bench:__subpackages__",
    "//conformance:__subpackages__",
    "//fuzz:__subpackages__",
    "//packaging:__pkg__",
    "//proofs:__subpackages__",
    "//src/tools:__subpackages__",
]

def _reaches(room, target):
    seen = [room]
    for _ in SEES:  # as many rounds as rooms: no path is longer
        for r in list(seen):
            seen.extend([s for s in SEES[r] if s not in seen])
    return target in seen

def visible_to(room):
    """Returns the visibility of a target in `room`.

    Args:
      room: name of a directory of src/ listed in SEES.
    """
    rooms = [r for r in SEES if _reaches(r, room)]
    for r in TESTS_SEE:
        if r not in rooms and [s for s in TESTS_SEE[r] if _reaches(s, room)]:
            rooms.append(r)
    return _CLIENTS + ["//src/%s:__subpackages__" % r for r in rooms]
