#!/usr/bin/python3
"""Writes what runs of the contracts of the public functions and of the packets (src/protocol).

  translate.py DIRECTORY   write contracts.c, contracts.h and wrap.txt there, as the builds do
  translate.py --left      print how many clauses run, and each that is left out, with the reason: left.tsv

contracts.c has a function __wrap_NAME for each function NAME: it evaluates the requires
clauses, calls NAME, evaluates the ensures clauses, and compares what the assigns clause does not
name. The linker puts it in the place of NAME with the options of wrap.txt."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import acsl  # noqa: E402
from acsl import Unsupported  # noqa: E402
from terms import BOOL, CONTROL, HEADERS, INT, PUBLIC, Logic, Scope, declared  # noqa: E402



class Writer:
    """The C file."""
    def __init__(self):
        self.logic = Logic()
        self.written, self.out = {}, []

    def define(self, name, busy=()):
        """Writes a definition, after those that it calls. Raises if it cannot be translated."""
        if name in busy:
            return
        if name in self.written:
            if self.written[name]:
                raise Unsupported(self.written[name])
            return
        definition = self.logic.definitions[name]
        states = self.logic.states(name)
        scope = Scope(self.logic, {label: label for label in states}, dict(definition.params), place=name)
        if len(states) == 1:
            scope.states["Here"] = states[0]
        try:
            lines = tail(definition, scope)
            for called in dict.fromkeys(scope.calls):
                self.define(called, busy + (name,))
        except Unsupported as reason:
            self.written[name] = "%s: %s" % (name, reason)
            raise Unsupported(self.written[name])
        self.written[name] = None
        params = ["enum acsl_state " + state for state in states]
        params += [declared(type, param) for param, type in definition.params]
        self.out += ["static %s(%s)" % (declared(definition.type, name), ", ".join(params) or "void"), "{"]
        self.out += lines + ["}", ""]

    def term(self, scope, make):
        """The result of make(scope), after what it needs."""
        scope.calls = []
        found = make(scope)
        for called in dict.fromkeys(scope.calls):
            self.define(called)
        return found


def tail(definition, scope):
    """The statements of a body. A call of itself in the end becomes a jump, because the data may be
    long."""
    jumps = []

    def again(arguments):
        lines = []
        for argument, (name, type) in zip(arguments, definition.params):
            text = scope.number(argument) if type == INT else scope.value(argument)[0]
            lines.append("%s = %s;" % (declared(type, "next_" + name), text))
        jumps.append("again:;")
        return lines + ["%s = next_%s;" % (name, name) for name, _ in definition.params] + ["goto again;"]

    def statements(node):
        kind, parts = node.kind, node.parts
        if definition.name in scope.logic.called(node):
            if kind == "call" and parts[0] == definition.name:
                return again(parts[2])
            if kind == "if":
                return ["if (%s) {" % scope.truth(parts[0])] + indented(statements(parts[1])) + ["}"] + \
                    statements(parts[2])
            if kind in ("&&", "||", "==>"):
                left = scope.truth(parts[0])
                return ["if (%s)" % (left if kind == "||" else "!" + left),
                        "    return %s;" % ("false" if kind == "&&" else "true")] + statements(parts[1])
        return ["return %s;" % (scope.truth(node) if definition.type == BOOL else scope.value(node)[0])]

    lines = statements(definition.body)
    return jumps[:1] + indented(lines)


def indented(lines):
    return ["    " + line for line in lines]


def quoted(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def wrapper(writer, function, table):
    """The wrapper of a function. Adds to `table` what of it runs, and what does not."""
    out, left = [], []
    counts = {"requires": 0, "ensures": 0, "assigns": 0}
    names = dict(function.params)
    before = Scope(writer.logic, {"Here": "ACSL_NOW", "Pre": "ACSL_NOW"}, names)
    after = Scope(writer.logic, {"Here": "ACSL_NOW", "Post": "ACSL_NOW", "Pre": "ACSL_BEFORE"}, names,
                  function.type)
    place = lambda clause: quoted("%s:%d" % (function.path, clause.line))

    def check(clause, scope):
        try:
            text = writer.term(scope, lambda s: s.truth(clause.body))
        except Unsupported as reason:
            left.append((clause, str(reason)))
            return
        counts[clause.kind] += 1
        out.append("    if (!%s)" % text)
        out.append("        acsl_broken(%s, %s);" % (place(clause), quoted(clause.text)))

    for clause in function.clauses:
        if clause.kind == "requires":
            check(clause, before)
    assigns = [clause for clause in function.clauses if clause.kind == "assigns"]
    for clause in assigns:
        for node in clause.body:
            if not (node.kind == "name" and node.parts[0] == "\\nothing"):
                ranges = writer.term(before, lambda s: s.assigned(node))
                guards = "".join("if (%s != NULL) " % pointer for pointer in before.behind(node))
                out.append("    %sacsl_assigns(&call, %s);" % (guards, ", ".join(ranges)))
    out.append("    acsl_keep(&call);")
    real, name = ("", "contract_") if function.inline else ("__real_", "__wrap_")
    called = "%s(%s)" % (real + function.name, ", ".join(name for name, _ in function.params))
    void = function.type == ("void",)
    out.append("    %s;" % (called if void else declared(function.type, "result = " + called)))
    for clause in function.clauses:
        if clause.kind == "ensures":
            check(clause, after)
    for clause in assigns[:1]:
        counts["assigns"] += len(assigns)
        text = " ".join(clause.text for clause in assigns)
        out.append("    acsl_frame(&call, %s, %s);" % (place(clause), quoted(text)))
    out.append("    acsl_end(&call);")
    if not void:
        out.append("    return result;")
    params = ", ".join(declared(type, name) for name, type in function.params)
    head = declared(function.type, "%s" + function.name) + "(" + (params or "void") + ")"
    if not function.inline:
        writer.out += [head % real + ";", head % name + ";"]
    writer.out += [head % name, "{", "    struct acsl_call call;",
                   "    acsl_begin(&call, %s);" % quoted(function.name)] + out + ["}", ""]
    table.append((function, counts, left))
    return head % name + ";"


def same(logic):
    """The functions that compare structs, those of members first. Arrays are of numbers."""
    done, out = [], []

    def add(name):
        if name in done:
            return
        done.append(name)
        terms = []
        for field, type in logic.structs[name].items():
            if type[0] == "struct":
                add(type[1])
                terms.append("same_%s(&a->%s, &b->%s)" % (type[1], field, field))
            elif type[0] == "array":
                terms.append("memcmp(a->%s, b->%s, sizeof a->%s) == 0" % (field, field, field))
            else:
                terms.append("a->%s == b->%s" % (field, field))
        out.extend(["static bool same_%s(const struct %s *a, const struct %s *b)" % (name, name, name), "{",
                    "    return %s;" % " &&\n           ".join(terms), "}", ""])
    for name in sorted(logic.compared):
        add(name)
    return out


HEAD = """/* Generated by fuzz/contracts/translate.py from spec/acsl. Do not edit. */
/* clang-format off */
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wparentheses-equality"
"""
INLINE = """/* The linker puts nothing in the place of an inline function: these are called by name. */
#ifndef FXT_FUZZ_CONTRACTS_H
#define FXT_FUZZ_CONTRACTS_H

"""


def left_of(rows):
    out = ["# How many clauses run of all; then each that is left out, and why. Written by translate.py --left.",
           "# Each terminates clause is left to the time limit of the fuzzers."]
    out.append("%d functions" % len(rows))
    for kind in ("requires", "ensures", "assigns"):
        every = sum(clause.kind == kind for function, _, _ in rows for clause in function.clauses)
        out.append("%s\t%d of %d" % (kind, sum(counts[kind] for _, counts, _ in rows), every))
    for function, _, left in rows:
        for clause, reason in left:
            out.append("%s\t%s: %s" % (function.name, reason, clause.text))
    return "\n".join(out) + "\n"


def translated():
    """The files by their names, and left.tsv."""
    writer, table, wrapped, inline = Writer(), [], [], []
    for header, contracts in HEADERS.items():
        for function in acsl.functions(contracts, acsl.macros(header)):
            declaration = wrapper(writer, function, table)
            if function.inline:
                inline.append(declaration)
            else:
                wrapped.append(function.name)
    includes = "".join("#include <fxt/%s.h>\n" % name for name in PUBLIC)
    files = ["fuzz/contracts/acsl.h", "fuzz/contracts/contracts.h"]
    files += ["src/protocol/%s.h" % name for name in CONTROL]
    head = HEAD + "#include <string.h>\n\n" + includes + "\n" + "".join('#include "%s"\n' % name for name in files) + "\n"
    return {
        "contracts.h": HEAD + INLINE + includes + "\n" + "\n".join(inline) + "\n\n#endif\n",
        "contracts.c": head + "\n".join(same(writer.logic) + writer.out),
        "wrap.txt": "".join("-Wl,--wrap=%s\n" % name for name in wrapped),
    }, left_of(table)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    files, left = translated()
    if sys.argv[1] == "--left":
        print(left, end="")
        return
    for name, text in files.items():
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main()
