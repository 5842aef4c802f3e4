"""ACSL terms as C: what a predicate, a logic function or a clause of a contract says, as an expression."""
import acsl
from acsl import Unsupported

PUBLIC = ["status", "version", "record", "read", "write", "explain", "intern", "buffer", "tables", "events", "check"]
CONTROL = ["fifo", "name", "packet", "controller"]
# The headers, and where the contracts of their functions are.
HEADERS = {"src/include/fxt/%s.h" % name: "spec/acsl/contracts/%s.h" % name for name in PUBLIC}
HEADERS.update({"src/protocol/%s.h" % name: "src/protocol/%s.h" % name for name in CONTROL})
LOGIC = ["spec/acsl/%s.h" % name
         for name in ("word", "layout", "utf8", "read", "write", "buffer", "check", "control")]

INT, BOOL = ("integer",), ("bool",)

# Of a quantifier without bounds, the one value that can make it true.
WITNESSES = {
    ("valid_record", "w"): "l_word(p)",  # word_at says what it is, but for multiples of 2^64
}


def is_integer(type):
    return type == INT or type[0] == "enum" or type == ("bool",) or type[0] in acsl.C_TYPES


def c_type(type):
    """The type in C; what is pointed at is constant."""
    if type[0] == "pointer":
        return ("" if type[1][0] == "pointer" else "const ") + c_type(type[1]) + " *"
    return " ".join(type)


def declared(type, name):
    text = c_type(type)
    return text + name if text.endswith("*") else text + " " + name


def number(value):
    if value < 2 ** 31:
        return "%d" % value
    if value < 2 ** 64:
        return "UINT64_C(%d)" % value
    return "((integer)UINT64_C(%d) << 64 | UINT64_C(%d))" % divmod(value, 2 ** 64)


class Logic:
    """All predicates and logic functions, and the structs of C."""
    def __init__(self):
        self.definitions, self.overloads, self.structs, self.compared = {}, {}, {}, set()
        for path in HEADERS:
            self.structs.update(acsl.structs(path))
        for path in LOGIC + list(HEADERS.values()):
            for definition in acsl.logic(path):
                self.overload(definition)
        self.reading = {name for name in self.definitions if self.reads_itself(name)}
        while True:
            more = {name for name, d in self.definitions.items()
                    if name not in self.reading and not d.labels and
                    any(called in self.reading or self.definitions[called].labels
                        for called in self.called(d.body) if called in self.definitions)}
            if not more:
                break
            self.reading |= more

    def overload(self, definition):
        """Two of one name differ in the type of their first parameter; the second gets a name of its own."""
        name = definition.name
        self.overloads.setdefault(name, []).append(definition)
        definition.name += "_" * (len(self.overloads[name]) - 1)
        self.definitions[definition.name] = definition

    def select(self, name, types):
        for definition in self.overloads[name]:
            if [t == INT for t in types] == [t == INT for _, t in definition.params]:
                return definition
        raise Unsupported("arguments of " + name)

    def nodes(self, node):
        if isinstance(node, acsl.Node):
            yield node
            for part in node.parts:
                yield from self.nodes(part)
        elif isinstance(node, list):
            for part in node:
                yield from self.nodes(part)

    def called(self, node):
        return [n.parts[0] for n in self.nodes(node) if n.kind in ("call", "name")]

    def reads_itself(self, name):
        return any(n.kind in ("->", "index", "unary*") for n in self.nodes(self.definitions[name].body))

    def states(self, name):
        """The names of its parameters that are states."""
        definition = self.definitions[name]
        return definition.labels or (["Here"] if name in self.reading else [])


class Scope:
    """Where a term stands: the states of its labels, and the types of its names."""
    def __init__(self, logic, states, names, result=None, place=None):
        self.logic, self.states, self.names = logic, states, names
        self.result, self.place = result, place
        self.calls = []

    def inside(self, state=None, names=()):
        scope = Scope(self.logic, dict(self.states), dict(self.names), self.result, self.place)
        scope.calls = self.calls
        if state:
            scope.states["Here"] = state
        scope.names.update((name, INT) for name in names)
        return scope

    def state(self, label):
        if label in self.states:
            return self.states[label]
        raise Unsupported("label " + label)

    # Terms. Each of these returns C text and a type.

    def place_of(self, node):
        """An lvalue: its text, its type, and the state in which it is read, None for a variable."""
        kind, parts = node.kind, node.parts
        if kind == "at":
            return self.inside(self.state(parts[1])).place_of(parts[0])
        if kind == "name" and parts[0] == "\\result":
            return "result", self.result, None
        if kind == "name" and parts[0] in self.names:
            return parts[0], self.names[parts[0]], None
        if kind == "->":
            text, type = self.value(parts[0])
            return "(%s)->%s" % (text, parts[1]), self.field(type[1], parts[1]), self.state("Here")
        if kind == ".":
            text, type, state = self.place_of(parts[0])
            return "%s.%s" % (text, parts[1]), self.field(type, parts[1]), state
        if kind == "unary*":
            text, type = self.value(parts[0])
            return "(*%s)" % text, type[1], self.state("Here")
        if kind == "index":
            text, type, state = self.array(parts[0])
            return "%s[acsl_index(%s)]" % (text, self.number(parts[1])), type[1], state
        return None

    def array(self, node):
        place = self.place_of(node)
        if place and place[1][0] == "array":
            return place
        text, type = self.value(node)
        return "(%s)" % text, type, self.state("Here")

    def field(self, type, name):
        return self.logic.structs[type[1]][name]

    def value(self, node):
        """Any term, of type integer, a pointer or a struct; a predicate is of type bool."""
        kind, parts = node.kind, node.parts
        place = self.place_of(node)
        if place:
            text, type, state = place
            if type[0] == "array":
                return text, ("pointer", type[1])
            if state:
                text = "ACSL_AT(%s, %s)" % (state, text)
            return ("(integer)" + text, INT) if is_integer(type) and type != INT else (text, type)
        if kind == "at":
            return self.inside(self.state(parts[1])).value(parts[0])
        if kind == "number":
            return "(integer)" + number(parts[0]), INT
        if kind == "name":
            return self.constant(parts[0])
        if kind == "unary-":
            return "-" + self.number(parts[0]), INT
        if kind == "unary&":
            text, type, _ = self.place_of(parts[0])
            return "(&%s)" % text, ("pointer", type)
        if kind == "cast":
            return "((%s)%s)" % (c_type(parts[0]), self.value(parts[1])[0]), parts[0]
        if kind in ("+", "-", "*", "/", "%"):
            return self.arithmetic(kind, *parts)
        if kind == "call" and parts[0] in self.logic.definitions:
            return self.call(*parts)
        if kind == "if":
            (yes, type), (no, _) = self.value(parts[1]), self.value(parts[2])
            return "(%s ? %s : %s)" % (self.truth(parts[0]), yes, no), type
        return self.predicate(node), BOOL

    def constant(self, name):
        if name in self.logic.definitions:
            return self.call(name, [], [])
        if name == "\\null":
            return "NULL", ("pointer", ("void",))
        if name in ("\\true", "\\false"):
            return name[1:], BOOL
        if name in ("true", "false"):
            return "(integer)" + name, INT
        if name.startswith("FXT_"):
            return "(integer)" + name, INT
        raise Unsupported(name)

    def number(self, node):
        text, type = self.value(node)
        if type != INT:
            raise Unsupported("%s where a number is expected" % node.kind)
        return text

    def arithmetic(self, sign, left, right):
        a, type = self.value(left)
        if type[0] == "pointer":
            if right.kind == "range":
                raise Unsupported("a range that is not in \\valid or \\separated")
            by = self.number(right) if sign == "+" else "-" + self.number(right)
            return "((%s)acsl_move(%s, sizeof(%s), %s))" % (c_type(type), a, c_type(type[1]), by), type
        a, b = self.number(left), self.number(right)
        if sign in "/%":
            if right.kind != "number" or right.parts[0] == 0:
                if sign == "%" or right.kind == "number":
                    raise Unsupported("division by what may be 0")
            return "(%s %s %s)" % (a, sign, b), INT
        return "acsl_%s(%s, %s)" % ({"+": "add", "-": "sub", "*": "mul"}[sign], a, b), INT

    def call(self, name, labels, arguments):
        values = [self.value(argument) for argument in arguments]
        definition = self.logic.select(name, [type for _, type in values])
        self.calls.append(definition.name)
        wanted = self.logic.states(definition.name)
        if not definition.labels and len(labels) > 1 or definition.labels and labels and \
                len(labels) != len(wanted):
            raise Unsupported("%d labels for %s" % (len(labels), name))
        given = [self.state(label) for label in (labels or ["Here"] * len(wanted))[:len(wanted)]]
        texts = given + [text for text, _ in values]
        return "%s(%s)" % (definition.name, ", ".join(texts)), definition.type

    def truth(self, node):
        """A term as a condition in C."""
        text, type = self.value(node)
        return text if type == BOOL else "(%s != 0)" % text

    def predicate(self, node):
        kind, parts = node.kind, node.parts
        if kind in ("&&", "||"):
            return "(%s %s %s)" % (self.truth(parts[0]), kind, self.truth(parts[1]))
        if kind == "==>":
            return "(!%s || %s)" % (self.truth(parts[0]), self.truth(parts[1]))
        if kind == "<==>":
            return "(%s == %s)" % (self.truth(parts[0]), self.truth(parts[1]))
        if kind == "unary!":
            return "!" + self.truth(parts[0])
        if kind in acsl.COMPARISONS:
            return self.comparison(kind, *parts)
        if kind == "in":
            return "(%s)" % " || ".join(self.comparison("==", parts[0], one) for one in parts[1])
        if kind in ("\\forall", "\\exists"):
            return self.quantified(kind, *parts)
        if kind == "let":
            return "({ integer %s = %s; %s; })" % (
                parts[0], self.number(parts[1]), self.inside(names=parts[:1]).truth(parts[2]))
        if kind == "call" and parts[0] in ("\\valid", "\\valid_read"):
            return "(%s)" % " && ".join("acsl_valid(%s)" % ", ".join(self.range(one)) for one in parts[2])
        if kind == "call" and parts[0] == "\\separated":
            ranges = ", ".join("{%s}" % ", ".join(self.range(one)) for one in parts[2])
            return "acsl_separated((const struct acsl_range[]){%s}, %d)" % (ranges, len(parts[2]))
        raise Unsupported(parts[0] if kind == "call" else kind)

    def comparison(self, sign, left, right):
        (a, type), (b, other) = self.value(left), self.value(right)
        if type[0] == "struct":
            if sign not in ("==", "!="):
                raise Unsupported("order of structs")
            self.logic.compared.add(type[1])
            return "%ssame_%s(&%s, &%s)" % ("!" if sign == "!=" else "", type[1], a, b)
        if type == BOOL or other == BOOL:
            a, b = self.truth(left), self.truth(right)
        return "(%s %s %s)" % (a, sign, b)

    def range(self, node):
        """What \\valid and \\separated take, and a place that is assigned: base, size, first, last."""
        low = high = None
        if node.kind == "+" and node.parts[1].kind == "range":
            low, high = node.parts[1].parts
            node = node.parts[0]
        text, type = self.value(node)
        if type[0] != "pointer":
            raise Unsupported("a set that is no range of a pointer")
        return [text, "sizeof(%s)" % c_type(type[1]), self.number(low) if low else "0",
                self.number(high) if high else "0"]

    def assigned(self, node):
        if node.kind == "index" and node.parts[1].kind == "range":
            text, type, _ = self.array(node.parts[0])
            low, high = node.parts[1].parts
            return [text, "sizeof(%s)" % c_type(type[1]), self.number(low), self.number(high)]
        text, type, _ = self.place_of(node)
        return ["&" + text, "sizeof(%s)" % text, "0", "0"]

    def behind(self, node):
        """The pointers that are members and lead to the place: where one is NULL, there is no place."""
        return dict.fromkeys(self.value(inner.parts[0])[0] for inner in self.logic.nodes(node)
                             if inner.kind == "->" and inner.parts[0].kind == "->")

    # Quantifiers.

    def quantified(self, kind, names, body):
        if kind == "\\exists":
            return self.witnessed(names, body)
        if body.kind != "==>":
            raise Unsupported("a quantifier without bounds")
        inner = self.inside(names=names)
        bounds = list(conjuncts(body.parts[0]))
        text = "all = %s;" % inner.truth(body.parts[1])
        used = set()
        for i, name in reversed(list(enumerate(names))):
            (low, first), (high, last) = bounds_of(name, bounds, names[i + 1:], used)
            scope = self.inside(names=names[:i])
            start = scope.number(low) if first == "<=" else "acsl_add(%s, 1)" % scope.number(low)
            text = "for (integer %s = %s; all && %s %s %s; %s++) { %s }" % (
                name, start, name, last, scope.number(high), name, text)
        if len(used) < len(bounds):
            raise Unsupported("a condition on what a quantifier is about")
        return "({ bool all = true; %s all; })" % text

    def witnessed(self, names, body):
        witness = WITNESSES.get((self.place, names[0]))
        if not witness or len(names) != 1:
            raise Unsupported("\\exists without a witness")
        text = self.value(acsl.Parser("the witness", witness, 1).expression())[0]
        return "({ integer %s = %s; %s; })" % (names[0], text, self.inside(names=names).truth(body))


def conjuncts(node):
    if node.kind == "&&":
        for part in node.parts:
            yield from conjuncts(part)
    else:
        yield node


def bounds_of(name, bounds, later, used):
    """((least, sign), (most, sign)) of a variable. A bound by a variable of the inner loops gives way to
    that variable's own."""
    low = high = None
    for bound in bounds:
        if bound.kind not in ("<", "<="):
            raise Unsupported("a bound of a quantifier that is no <")
        left, right = bound.parts
        if right.kind == "name" and right.parts[0] == name:
            used.add(bound)
            low = left, bound.kind
        if left.kind == "name" and left.parts[0] == name:
            used.add(bound)
            high = right, bound.kind
            if right.kind == "name" and right.parts[0] in later:
                high = bounds_of(right.parts[0], bounds, [], used)[1]
    if not low or not high:
        raise Unsupported("a quantifier without bounds")
    return low, high
