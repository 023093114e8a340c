"""The mutants of a Python source: each is the source with one small fault in it.

The operators are those that Papadakis and others ("Mutation testing advances", Advances in
Computers 112, 2019) call sufficient, and a few that suit Python: another relation, another
connective, another operation, a number moved, a condition turned, a statement left out.
Texts are not mutated: what a message says is held by the catalog's tests.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple


class Mutant(NamedTuple):
    """One fault: ``source[start:end]``, counted in bytes of UTF-8, becomes ``text``."""

    path: str
    line: int
    start: int
    end: int
    text: str
    scope: tuple[int, int] | None
    """The first and last line of the function it stands in; nothing for the module itself."""

    def of(self, source: bytes) -> bytes:
        """Return the source with this fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def lines(self, source: bytes) -> tuple[str, str]:
        """Return the lines it stands in, before and after, without blanks around them."""
        first = source.rfind(b"\n", 0, self.start) + 1
        last = source.find(b"\n", self.end)
        before = source[first:last]
        after = source[first : self.start] + self.text.encode() + source[self.end : last]
        return _folded(before), _folded(after)


_RELATIONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
_OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_NOT_RUN = ("overload", "Protocol", "abstractmethod")


def mutants_of(path: str, source: str) -> list[Mutant]:
    r"""Return every mutant of a source, in the order of their places.

    >>> [each.text for each in mutants_of("a.py", "def f(x):\n    return x < 2\n")]
    ['x <= 2', 'x > 2', '3']
    """
    return sorted(_Walk(path, source).mutants, key=lambda each: each[:5])


class _Walk(ast.NodeVisitor):
    def __init__(self, path: str, source: str) -> None:
        self._path = path
        self._scope: tuple[int, int] | None = None
        self._starts = [0]
        for line in source.encode().splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self.mutants: set[Mutant] = set()
        self.visit(ast.parse(source))

    def _add(self, node: ast.expr | ast.stmt, text: str) -> None:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        self.mutants.add(Mutant(self._path, node.lineno, start, end, text, self._scope))

    def _turned(self, test: ast.expr) -> None:
        """Turn a condition that is no comparison or connective of its own."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self._add(test, ast.unparse(test.operand))
        elif not isinstance(test, ast.Compare | ast.BoolOp | ast.Constant):
            self._add(test, f"(not ({ast.unparse(test)}))")

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any("Protocol" in ast.unparse(base) for base in node.bases):
            for each in node.body:
                self.visit(each)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if any(name in ast.unparse(d) for d in node.decorator_list for name in _NOT_RUN):
            return
        self.generic_visit(_only_defaults(node))
        outer, first = self._scope, node.body[0].lineno
        self._scope = outer or (first, node.end_lineno or first)
        for each in node.body:
            self.visit(each)
        self._scope = outer

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Asserts tell the type checker what holds; they decide nothing."""

    def visit_Call(self, node: ast.Call) -> None:
        """The ``strict`` of ``zip`` is an assert, too."""
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            node = ast.Call(node.func, node.args, [])
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Whether it is raised is its condition's business; what it says, the catalog's."""

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._add(node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for number, operator in enumerate(node.ops):
            for other in _RELATIONS[type(operator)]:
                ops = [*node.ops[:number], other(), *node.ops[number + 1 :]]
                self._add(node, ast.unparse(ast.Compare(node.left, ops, node.comparators)))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._add(node, f"({ast.unparse(ast.BoolOp(other, node.values))})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = _OPERATIONS.get(type(node.op))
        texts = isinstance(node.left, ast.Constant | ast.JoinedStr) and not isinstance(
            getattr(node.left, "value", ""), int | float
        )
        if other and not texts:
            self._add(node, f"({ast.unparse(ast.BinOp(node.left, other(), node.right))})")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if other := _OPERATIONS.get(type(node.op)):
            self._add(node, ast.unparse(ast.AugAssign(node.target, other(), node.value)))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(node, str(not node.value))
        elif isinstance(node.value, int):
            self._add(node, str(node.value + 1))
        elif isinstance(node.value, float):
            for value in {node.value * 2 or 1.0, node.value / 2} - {node.value}:
                self._add(node, repr(value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """The places of what stands in a formatted text are not told before Python 3.12."""

    def visit_If(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            self._turned(node.test)
            self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self.visit_If(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit_If(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._turned(test)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in _NAMES and isinstance(node.ctx, ast.Load):
            self._add(node, _NAMES[node.id])

    def visit_Break(self, node: ast.Break) -> None:
        self._add(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._add(node, "break")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not isinstance(node.value, ast.Name) or node.value.id not in ("Literal", "tuple"):
            self.generic_visit(node)


def _only_defaults(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
    """Return the values that arguments have where none is given: they run with the module."""
    values: list[ast.expr] = [*node.args.defaults]
    values += [each for each in node.args.kw_defaults if each is not None]
    return ast.Tuple(values, ast.Load())


def _folded(text: bytes) -> str:
    return " ".join(text.decode().split())


def changed_lines(diff: str) -> Iterator[tuple[str, int]]:
    r"""Yield the path and the number of each line that a unified diff adds.

    >>> list(changed_lines("+++ b/a.py\n@@ -1,0 +5,2 @@\n+x\n+y\n"))
    [('a.py', 5), ('a.py', 6)]
    """
    path, line = "", 0
    for each in diff.splitlines():
        if each.startswith("+++ "):
            path = each[4:].removeprefix("b/")
        elif each.startswith("@@"):
            line = int(each.split("+")[1].split()[0].split(",")[0])
        elif each.startswith("+"):
            yield path, line
            line += 1
