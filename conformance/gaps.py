"""Which vectors a rule needs: what coverage_test.py asks for and traceability.py counts."""
import vectors

# Rules that no vector of grade invalid can break, and why.
UNSPECIFIED = {
    "REC-09": "the text does not speak of zero words",
    "REC-10": "the text describes traces of the other byte order",
    "EDN-01": "what breaks it in edition 2020 is valid in edition current",
    "EVT-10": "the text does not speak of the word",
}
# Rules of programs whose memory is bounded: no bytes break them for every reader.
OF_MEMORY = {"LIM-01", "LIM-02"}

# Rules of what is no trace: src/buffer and src/protocol have their tests.
OF_THE_SYSTEM = ("BUF-", "FIF-", "CTL-")


def broken_rules(all_vectors):
    """{id: the rules that the vector breaks}"""
    return {vector["id"]: vectors.broken(vector) for vector in all_vectors}


def gaps_of(rule, kind, all_vectors, broken):
    """How many vectors keep the rule and break it, and what is missing."""
    about = [vector for vector in all_vectors if rule in [vector["tests"]] + vector["touches"]]
    breaks = [vector for vector in all_vectors if rule in broken[vector["id"]]]
    keeps = [vector for vector in about
             if vector["grade"] == "valid" and rule not in broken[vector["id"]]]
    if rule in OF_MEMORY or rule.startswith(OF_THE_SYSTEM):
        return len(keeps), len(breaks), []
    gaps = []
    if kind == "definition":
        if not about:
            gaps.append("no vector is about it")
        return len(about), len(breaks), gaps
    if not keeps and rule != "EVT-10":
        gaps.append("no valid vector keeps it")
    if kind in ("malformed", "nonconforming") and rule not in UNSPECIFIED:
        breaks = [vector for vector in breaks if vector["grade"] == "invalid"]
    if not breaks:
        gaps.append("no vector breaks it")
    return len(keeps), len(breaks), gaps
