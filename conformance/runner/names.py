"""`--rules FILE`: what the findings of a checker by somebody else are called. A line is a name of theirs, and the rules
that it stands for, or `-` if it stands for none:

    bad-string-ref   STR-02
    "bad argument"   ARG-02 ARG-03
    style            -
"""
import re
import shlex

from runner.plain import Usage, one_of, printable, why


class Names:
    """Rules that one name stands for are told apart by nobody: they are one group."""
    def __init__(self, place):
        self.place = place
        self.theirs = {}  # {name: one of its rules, or None}
        self.groups = {}  # {rule: its group}

    def add(self, name, rules):
        self.theirs[name] = rules[0] if rules else None
        group = frozenset(rules).union(*(self.groups.get(rule, ()) for rule in rules))
        self.groups.update(dict.fromkeys(group, group))

    def of(self, name):
        """The group of a name of theirs; None if it stands for no rule. KeyError if there is no such name."""
        if not self.place and re.fullmatch("[A-Z]+-[0-9]+", name):
            return self.groups.get(name, frozenset([name]))
        return self.groups.get(self.theirs[name])


def of_rules(rules):
    """The rules by their own names, which is what a checker prints without --rules."""
    names = Names("")
    for rule in rules:
        names.add(rule, [rule])
    return names


def load(path, rules):
    names = Names(" of a name in " + printable(path, 400))
    try:
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")
    except (OSError, ValueError) as error:
        raise Usage("cannot read --rules %s: %s" % (printable(path, 400), why(error)))
    for number, line in enumerate(lines, 1):
        try:
            words = shlex.split(line, comments=True)
            if words:
                add_line(names, words, rules)
        except (Usage, ValueError) as error:
            raise Usage("%s:%d: %s" % (printable(path, 400), number, error))
    if not names.groups:
        raise Usage("--rules %s has no rule: a line is NAME RULE..." % printable(path, 400))
    return names


def add_line(names, words, rules):
    name, *ours = words
    if not ours:
        raise Usage("%s stands for nothing: a line is NAME RULE..., or NAME -" % printable(name))
    if name in names.theirs:
        raise Usage("%s is listed already" % printable(name))
    names.add(name, [] if ours == ["-"] else [one_of(rule, rules, "rule") for rule in ours])
