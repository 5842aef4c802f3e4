"""Reads the ACSL of spec/acsl: a recursive-descent parser for the part of the language that is used
there, and for as much C as the public headers need. It knows nothing of Frama-C."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)|(?P<name>\\?[A-Za-z_]\w*)|(?P<number>0[xX][0-9a-fA-F]+|\d+)"
    r"|(?P<sign><==>|==>|\.\.|->|&&|\|\||==|!=|<=|>=|[-+*/%<>!?:;,.&(){}\[\]=])")
COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
C_TYPES = ("char", "bool", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int32_t", "int64_t", "size_t")


class Error(Exception):
    pass


class Unsupported(Exception):
    """What the translation leaves out, with the reason."""


class Node:
    def __init__(self, kind, *parts):
        self.kind, self.parts = kind, parts


class Definition:
    """A predicate, or a logic function of `type`."""
    def __init__(self, name, labels, params, type, body):
        self.name, self.labels, self.params, self.type, self.body = name, labels, params, type, body


class Clause:
    def __init__(self, kind, line, text, body):
        self.kind, self.line, self.text, self.body = kind, line, text, body


class Function:
    def __init__(self, path, clauses, name, type, params, inline):
        self.path, self.clauses, self.name = path, clauses, name
        self.type, self.params, self.inline = type, params, inline


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def blank(match):
    """Takes a comment out and leaves the lines and columns as they are."""
    return re.sub(r"[^\n]", " ", match.group())


class Parser:
    """Of the text of one annotation, or of one declaration, that begins in a line of a file."""
    def __init__(self, path, text, line):
        self.path, self.text, self.first = path, text, line
        self.tokens = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise Error("%s:%d: cannot read %r" % (path, self.line_of(at), text[at:at + 20]))
            if match.lastgroup != "space":
                self.tokens.append((match.lastgroup, match.group(), at))
            at = match.end()
        self.at = 0

    def line_of(self, position):
        return self.first + self.text.count("\n", 0, position)

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def kind(self):
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def fail(self, wanted):
        place = self.tokens[self.at][2] if self.at < len(self.tokens) else len(self.text)
        raise Error("%s:%d: %s expected, not '%s'" % (self.path, self.line_of(place), wanted, self.peek()))

    def take(self, wanted=None):
        token = self.peek()
        if token == "" or wanted not in (None, token):
            self.fail(wanted or "more")
        self.at += 1
        return token

    def accept(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def name(self):
        if self.kind() != "name":
            self.fail("a name")
        return self.take()

    # Types and declarations.

    def is_type(self):
        return self.peek() in ("struct", "enum", "const", "integer", "void") + C_TYPES

    def type(self):
        while self.peek() in ("const", "static", "inline"):
            self.take()
        word = self.name()
        base = (word, self.name()) if word in ("struct", "enum") else (word,)
        while self.accept("const") or self.peek() == "*":
            if self.accept("*"):
                base = ("pointer", base)
        return base

    def params(self):
        found = []
        self.take("(")
        if self.peek() == "void" and self.peek(1) == ")":
            self.take()
        while not self.accept(")"):
            base = self.type()
            name = self.name()
            if self.accept("["):
                while not self.accept("]"):
                    self.take()
                base = ("pointer", base)
            found.append((name, base))
            self.accept(",")
        return found

    # Expressions, the loosest first.

    def expression(self):
        condition = self.equivalence()
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.take(":")
        return Node("if", condition, yes, self.expression())

    def equivalence(self):
        left = self.implication()
        while self.accept("<==>"):
            left = Node("<==>", left, self.implication())
        return left

    def implication(self):
        left = self.either()
        return Node("==>", left, self.implication()) if self.accept("==>") else left

    def either(self):
        left = self.both()
        while self.accept("||"):
            left = Node("||", left, self.both())
        return left

    def both(self):
        left = self.relation()
        while self.accept("&&"):
            left = Node("&&", left, self.relation())
        return left

    def relation(self):
        terms, signs = [self.sum()], []
        if self.accept("\\in"):
            self.take("{")
            return Node("in", terms[0], self.list("}"))
        while self.peek() in COMPARISONS:
            signs.append(self.take())
            terms.append(self.sum())
        found = None
        for left, sign, right in zip(terms, signs, terms[1:]):
            one = Node(sign, left, right)
            found = Node("&&", found, one) if found else one
        return found or terms[0]

    def sum(self):
        left = self.product()
        while self.peek() in ("+", "-"):
            left = Node(self.take(), left, self.product())
        return left

    def product(self):
        left = self.unary()
        while self.peek() in ("*", "/", "%"):
            left = Node(self.take(), left, self.unary())
        return left

    def unary(self):
        if self.peek() in ("!", "-", "*", "&"):
            return Node("unary" + self.take(), self.unary())
        if self.peek() == "(" and self.peek(1) in ("struct", "const") + C_TYPES:
            self.take()
            base = self.type()
            self.take(")")
            return Node("cast", base, self.unary())
        return self.postfix()

    def postfix(self):
        left = self.primary()
        while True:
            if self.accept("->"):
                left = Node("->", left, self.name())
            elif self.peek() == "." and self.take():
                left = Node(".", left, self.name())
            elif self.accept("["):
                left = Node("index", left, self.range_or_expression())
                self.take("]")
            else:
                return left

    def range_or_expression(self):
        low = self.expression()
        return Node("range", low, self.expression()) if self.accept("..") else low

    def list(self, end):
        found = []
        while not self.accept(end):
            found.append(self.expression())
            self.accept(",")
        return found

    def primary(self):
        if self.accept("("):
            inner = self.range_or_expression()
            self.take(")")
            return inner
        if self.kind() == "number":
            return Node("number", int(self.take(), 0))
        name = self.name()
        if name in ("\\forall", "\\exists"):
            return self.quantified(name)
        if name == "\\let":
            name = self.name()
            self.take("=")
            value = self.expression()
            self.take(";")
            return Node("let", name, value, self.expression())
        if name in ("\\at", "\\old"):
            self.take("(")
            inner = self.expression()
            label = "Pre"
            if name == "\\at":
                self.take(",")
                label = self.name()
            self.take(")")
            return Node("at", inner, label)
        labels = []
        if self.accept("{"):
            while not self.accept("}"):
                labels.append(self.name())
                self.accept(",")
        if self.accept("("):
            return Node("call", name, labels, self.list(")"))
        return Node("name", name)

    def quantified(self, kind):
        self.take("integer")
        names = [self.name()]
        while self.accept(","):
            names.append(self.name())
        self.take(";")
        return Node(kind, names, self.expression())

    # Annotations.

    def definitions(self):
        while self.at < len(self.tokens):
            what = self.take()
            if what not in ("predicate", "logic"):
                self.fail("predicate or logic")
            base = self.type() if what == "logic" else ("bool",)
            name = self.name()
            labels = []
            if self.accept("{"):
                while not self.accept("}"):
                    labels.append(self.name())
                    self.accept(",")
            params = self.params() if self.peek() == "(" else []
            self.take("=")
            body = self.expression()
            self.take(";")
            yield Definition(name, labels, params, base, body)

    def clauses(self):
        while self.at < len(self.tokens):
            kind, _, start = self.tokens[self.at]
            kind = self.take()
            if kind not in ("requires", "terminates", "assigns", "ensures"):
                self.fail("a clause")
            if self.kind() == "name" and self.peek(1) == ":":
                self.at += 2
            if kind == "assigns":
                body = self.list(";")
            else:
                body = self.expression()
                self.take(";")
            end = self.tokens[self.at - 1][2]
            text = re.sub(r"\s+", " ", self.text[start:end])
            yield Clause(kind, self.line_of(start), text, body)


def annotations(path):
    """(line, text, C text up to the next annotation) of each annotation of a file."""
    text = text_of(path)
    found = list(re.finditer(r"/\*@(.*?)\*/", text, re.S))
    for match, following in zip(found, found[1:] + [None]):
        inner = re.sub(r"//[^\n]*", blank, match.group(1))
        inner = re.sub(r"(?m)^(\s*)@", r"\1 ", inner)
        inner = re.sub(r"@\s*$", blank, inner)
        behind = text[match.end():following.start() if following else len(text)]
        yield text.count("\n", 0, match.start(1)) + 1, inner, behind


def is_logic(text):
    return text.split(None, 1)[0] in ("predicate", "logic")


def logic(path):
    for line, text, _ in annotations(path):
        if text.strip() and is_logic(text):
            yield from Parser(path, text, line).definitions()


def macros(path):
    """The macros with one parameter that declare a function, {name: (parameter, text)}."""
    found = {}
    for name, param, body in re.findall(r"#define (FXT_\w+)\((\w+)\)((?:.*\\\n)*.*\n)", text_of(path)):
        if "FXT_API" in body:
            found[name] = (param, body.replace("\\\n", " ").replace("FXT_API", ""))
    return found


def functions(path, macros):
    """The functions with a contract in a file."""
    for line, text, behind in annotations(path):
        if not text.strip() or is_logic(text):
            continue
        declaration = re.sub(r"/\*.*?\*/", " ", behind, flags=re.S).split(";")[0]
        used = re.fullmatch(r"\s*(FXT_\w+)\((\w+)\)\s*", declaration)
        if used:
            param, body = macros[used.group(1)]
            declaration = re.sub(r"(##)?\b%s\b" % param, used.group(2), body.replace("##" + param, "##" + param))
            declaration = declaration.replace("##", "")
        clauses = list(Parser(path, text, line).clauses())
        c = Parser(path, declaration, line)
        inline = "inline" in declaration.split()
        base = c.type()
        yield Function(path, clauses, c.name(), base, c.params(), inline)


def structs(path):
    """{name: {field: type}} of a header; ("array", type) is an array."""
    text = re.sub(r"/\*.*?\*/", blank, text_of(path), flags=re.S)
    found = {}
    for match in re.finditer(r"^struct (\w+) \{\n(.*?)^\};", text, re.S | re.M):
        fields = found[match.group(1)] = {}
        for declaration in match.group(2).split(";")[:-1]:
            base, name, array = re.fullmatch(
                r"\s*((?:const )?(?:struct |enum )?\w+ \**)(\w+)\s*(\[.*\])?\s*", declaration, re.S).groups()
            base = Parser(path, base, 1).type()
            fields[name] = ("array", base) if array else base
    return found
