"""The small errors for `lab.mutants`, such as somebody might make, one at a time."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv}
NAMED = {"min": "max", "max": "min", "any": "all", "all": "any", "white": "black", "black": "white"}
WORDS_FOR_PEOPLE = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext", "pgettext_lazy", "reverse"}

Change = Callable[[ast.AST], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """A small error in the code.

    `function` is the outermost function or method (`Class.method`), `first_line` its first line, with its decorators;
    `before` and `after` are the statement's source, `tree` the whole module with the error.
    """

    path: Path
    line: int
    function: str
    first_line: int
    before: str
    after: str
    tree: ast.Module

    def __str__(self) -> str:
        removed = "\n".join(f"-{line}" for line in self.before.splitlines())
        added = "\n".join(f"+{line}" for line in self.after.splitlines())
        return f"@@ {self.path}:{self.line} {self.function} @@\n{removed}\n{added}"


class Possible(NamedTuple):
    """A possible mutation: in a module, by its place and its variant."""

    path: Path
    place: int
    way: int


def possible_mutations(path: Path, text: str) -> Iterator[Possible]:
    """Every mutation of a module's functions, in order of lines."""
    for number, place in enumerate(_places(ast.parse(text))):
        if place.first_line:
            for way, _change in enumerate(_changes(place.node)):
                yield Possible(path, number, way)


def make_mutation(possible: Possible, text: str) -> Mutation:
    tree = ast.parse(text)
    place = list(_places(tree))[possible.place]
    before, line = _shown(place.statement), getattr(place.node, "lineno", place.statement.lineno)
    _changes(place.node)[possible.way](place.node)
    return Mutation(
        path=possible.path,
        line=line,
        function=place.function,
        first_line=place.first_line,
        before=before,
        after=_shown(place.statement),
        tree=ast.fix_missing_locations(tree),
    )


@dataclass(frozen=True, slots=True)
class _Place:
    node: ast.AST
    statement: ast.stmt
    function: str
    first_line: int


def _shown(statement: ast.stmt) -> str:
    """A statement's source; only the head of a compound one."""
    lines = ast.unparse(statement).splitlines()
    if isinstance(statement, ast.If | ast.For | ast.While | ast.With | ast.Try):
        return lines[0] if len(lines) == 1 or lines[1].strip() != "pass" else "\n".join(lines[:2])
    return "\n".join(lines)


def _places(tree: ast.Module) -> Iterator[_Place]:
    """Every node in a statement, with the statement and the outermost function; no types, no docstrings."""
    for statement in tree.body:
        yield from _of_statement(statement, "", 0)


def _of_statement(statement: ast.stmt, function: str, first_line: int) -> Iterator[_Place]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        if not first_line:
            function = f"{function}.{statement.name}".lstrip(".")
            first_line = min([statement.lineno, *(each.lineno for each in statement.decorator_list)])
        for each in statement.body:
            yield from _of_statement(each, function, first_line)
        return
    if isinstance(statement, ast.ClassDef):
        for each in statement.body:
            yield from _of_statement(each, f"{function}.{statement.name}".lstrip("."), first_line)
        return
    if _only_declares(statement):
        return
    place = _Place(statement, statement, function if first_line else "", first_line)
    yield place
    for field, value in ast.iter_fields(statement):
        if field == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.stmt):
                yield from _of_statement(child, function, first_line)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                for each in child.body:
                    yield from _of_statement(each, function, first_line)
            elif isinstance(child, ast.AST):
                yield from _of_expression(child, place)


def _only_declares(statement: ast.stmt) -> bool:
    """Imports, docstrings, type aliases, and code only for the type checker or the command line."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return True
    if isinstance(statement, ast.If) and ast.unparse(statement.test) in {"TYPE_CHECKING", "__name__ == '__main__'"}:
        return True
    return isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass | ast.Assert | ast.Global | ast.Nonlocal)


def _of_expression(node: ast.AST, around: _Place) -> Iterator[_Place]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORDS_FOR_PEOPLE:
        return
    yield _Place(node, around.statement, around.function, around.first_line)
    for child in ast.iter_child_nodes(node):
        yield from _of_expression(child, around)


def _changes(node: ast.AST) -> list[Change]:
    """The possible changes of a node, in place."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            return [_set("ops", lambda old: [COMPARED[type(old[0])]()])]
        case ast.BinOp(left=left, right=right, op=op) if type(op) in COUNTED and not _is_text(left, right):
            return [_set("op", lambda old: COUNTED[type(old)]())]
        case ast.AugAssign(op=op) if type(op) in COUNTED:
            return [_set("op", lambda old: COUNTED[type(old)]()), _left_out]
        case ast.BoolOp():
            return [_set("op", lambda old: ast.Or() if isinstance(old, ast.And) else ast.And())]
        case ast.If() | ast.While() | ast.IfExp():
            return [_set("test", _denied)]
        case ast.Constant(value=bool()):
            return [_set("value", lambda old: not old)]
        case ast.Constant(value=int()):
            return [_set("value", lambda old: old + 1), _set("value", lambda old: old - 1)]
        case ast.Name(id=name) if name in NAMED and isinstance(node.ctx, ast.Load):
            return [_set("id", lambda old: NAMED[old])]
        case ast.Attribute(attr=name) if name in NAMED and isinstance(node.ctx, ast.Load):
            return [_set("attr", lambda old: NAMED[old])]
        case ast.Call(args=[first, second, *_others]) if not _are_alike(first, second):
            return [_set("args", lambda old: [old[1], old[0], *old[2:]])]
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break():
            return [_left_out]
    return []


def _set(field: str, new: Callable) -> Change:
    return lambda node: setattr(node, field, new(getattr(node, field)))


def _denied(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else _not(test)


def _not(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(op=ast.Not(), operand=test)


def _left_out(node: ast.AST) -> None:
    """Replace the statement with one that does nothing, in the same place of the tree."""
    node.__class__ = ast.Pass


def _is_text(*nodes: ast.expr) -> bool:
    return any(
        isinstance(node, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
        for node in nodes
    )


def _are_alike(first: ast.expr, second: ast.expr) -> bool:
    return isinstance(first, ast.Starred) or isinstance(second, ast.Starred) or ast.dump(first) == ast.dump(second)
