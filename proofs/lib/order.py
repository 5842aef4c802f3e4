"""The order of evaluation, which C leaves open and Frama-C does not: in the trees of clang, nothing that an
expression changes is changed or read beside it, where no operator says which comes first.

A local whose address nobody takes is a place of its own. All else is one place, MEMORY, which a call changes
unless its contract says `assigns \\nothing`."""
import itertools
import json
import subprocess

from lib import scope

MEMORY = "memory"
CALL = "memory, by a call"  # which is over before its result is assigned
CASTS = ("ImplicitCastExpr", "CStyleCastExpr", "ParenExpr", "ConstantExpr")
CONSTANTS = ("IntegerLiteral", "CharacterLiteral", "FloatingLiteral", "StringLiteral", "UnaryExprOrTypeTraitExpr",
             "OffsetOfExpr", "ImplicitValueInitExpr", "DeclRefExpr")
IN_ORDER = ("&&", "||", ",")


def tree_of(program):
    done = subprocess.run(["clang", "-std=c11", "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", program.source],
                          capture_output=True, text=True, cwd=program.directory)
    if done.returncode:
        raise scope.Error("clang fails:\n" + done.stderr)
    return json.loads(done.stdout)


def nodes(tree):
    yield tree
    for part in inner(tree):
        yield from nodes(part)


def inner(tree):
    return [part for part in tree.get("inner", ()) if part.get("kind")]


def is_expression(tree):
    return tree["kind"].endswith(("Expr", "Operator", "Literal"))


def union(pairs):
    pairs = list(pairs)
    return set().union(*(changes for changes, _ in pairs)), set().union(*(reads for _, reads in pairs))


class Function:
    """Looks at one function; `clashes` are the places that are changed and used in no order."""

    def __init__(self, tree, pure):
        self.pure, self.clashes = pure, set()
        self.places = {node["id"]: node["name"] for node in nodes(tree)
                       if node["kind"] in ("VarDecl", "ParmVarDecl") and "name" in node}
        for node in nodes(tree):
            if node.get("castKind") == "ArrayToPointerDecay" or (node["kind"], node.get("opcode")) == (
                    "UnaryOperator", "&"):
                self.places.pop(base(inner(node)[0]), None)
        self.statement(tree)

    def statement(self, tree):
        for part in inner(tree):
            if is_expression(part):
                self.value(part)
            else:
                self.statement(part)

    def clash(self, changed, used):
        self.clashes |= {MEMORY if place == CALL else place for place in changed} & {
            MEMORY if place == CALL else place for place in used}

    def beside(self, trees):
        """What expressions change and read that are evaluated in any order."""
        pairs = [self.value(tree) for tree in trees]
        for (changes, _), (others, reads) in itertools.permutations(pairs, 2):
            self.clash(changes, others | reads)
        return union(pairs)

    def place(self, tree):
        """(the place that the lvalue is, what is changed and read to find it)"""
        kind, parts = tree["kind"], inner(tree)
        if kind == "ParenExpr" or kind == "MemberExpr" and not tree.get("isArrow"):
            return self.place(parts[0])
        if kind == "DeclRefExpr":
            return self.places.get(tree["referencedDecl"]["id"], MEMORY), set(), set()
        if kind == "MemberExpr" or kind == "UnaryOperator" and tree["opcode"] == "*":
            return (MEMORY, *self.value(parts[0]))
        if kind == "ArraySubscriptExpr":
            return (MEMORY, *self.beside(parts))
        return (MEMORY, *self.value(tree))

    def value(self, tree):
        """What an expression changes and reads, as sets of places."""
        kind, parts, sign = tree["kind"], inner(tree), tree.get("opcode")
        if kind in CONSTANTS:
            return set(), set()
        if tree.get("castKind") == "LValueToRValue":
            place, changes, reads = self.place(parts[0])
            return changes, reads | {place}
        if tree.get("castKind") == "ArrayToPointerDecay" or kind == "MemberExpr" or kind == "UnaryOperator" and (
                sign in "&*"):
            return self.place(parts[0] if kind != "MemberExpr" and sign != "*" else tree)[1:]
        if kind in CASTS:
            return self.value(parts[0])
        if kind == "UnaryOperator" and sign in ("++", "--"):
            place, changes, reads = self.place(parts[0])
            return changes | {place}, reads | {place}
        if kind == "ConditionalOperator" or kind == "BinaryOperator" and sign in IN_ORDER:
            return union(map(self.value, parts))
        if kind == "CompoundAssignOperator" or kind == "BinaryOperator" and sign == "=":
            return self.assignment(kind, *parts)
        if kind == "CallExpr":
            return self.call(parts)
        changes, reads = self.beside(parts)
        if kind == "AtomicExpr":
            return changes | {CALL}, reads | {MEMORY}
        if kind not in ("UnaryOperator", "BinaryOperator", "ArraySubscriptExpr", "InitListExpr",
                        "CompoundLiteralExpr"):
            raise scope.Error("what does C say of the order in a %s?" % kind)
        return changes, reads

    def assignment(self, kind, left, right):
        place, changes, reads = self.place(left)
        if kind == "CompoundAssignOperator":
            reads = reads | {place}
        others, used = self.value(right)
        self.clash(changes, others | used)
        self.clash(others, changes | reads)
        self.clash({place}, (changes | others) - {CALL})
        return changes | others | {place}, reads | used

    def call(self, parts):
        changes, reads = self.beside(parts)
        name = next(node for node in nodes(parts[0]) if node["kind"] == "DeclRefExpr")["referencedDecl"]["name"]
        if name not in self.pure:
            changes = changes | {CALL}
        if any("*" in part["type"]["qualType"] or "struct" in part["type"]["qualType"] for part in parts[1:]):
            reads = reads | {MEMORY}
        return changes, reads


def base(tree):
    """The variable whose address is taken, if it is one."""
    while tree["kind"] == "ParenExpr" or tree["kind"] == "MemberExpr" and not tree.get("isArrow"):
        tree = inner(tree)[0]
    return tree["referencedDecl"]["id"] if tree["kind"] == "DeclRefExpr" else None


def check(program, pure):
    """Complaints; `pure` are the functions that assign nothing."""
    for tree in tree_of(program)["inner"]:
        if tree["kind"] == "FunctionDecl" and any(part["kind"] == "CompoundStmt" for part in inner(tree)):
            for clash in sorted(Function(tree, pure).clashes):
                yield "%s: %s is changed and used in one expression, in no order" % (tree["name"], clash)
