"""Each mutant has one error, and nothing else is changed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lab.mutants import renewed
from lab.mutations import make_mutation, possible_mutations


def mutants_of(text: str) -> set[str]:
    """The mutated bodies of `f`, one for each mutant."""
    whole = f"def f(a, b):\n    {text}\n"
    made = [make_mutation(each, whole) for each in possible_mutations(Path("x.py"), whole)]
    assert all((each.function, each.first_line) == ("f", 1) for each in made)
    return {ast.unparse(each.tree).partition("\n")[2].strip() for each in made}


@pytest.mark.parametrize(
    "text",
    ["pass", "'a docstring'", "import os", "return a", "assert a", "x: list[1] = a", "return _('many', 'words')"],
)
def test_what_cannot_be_wrong_has_no_mutants(text):
    assert mutants_of(text) == set()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("return a < b", {"return a <= b"}),
        ("return a >= b", {"return a > b"}),
        ("return a is b", {"return a is not b"}),
        ("return a in b", {"return a not in b"}),
        ("return a - b", {"return a + b"}),
        ("return a + 'text'", set()),
        ("return a and b", {"return a or b"}),
        ("return True", {"return False"}),
        ("return a[3]", {"return a[2]", "return a[4]"}),
        ("return min(a)", {"return max(a)"}),
        ("return a.white", {"return a.black"}),
        ("return g(a, b)", {"return g(b, a)"}),
        ("return g(a, a)", set()),
        ("g(a)", {"pass"}),
        ("a += b", {"a -= b", "pass"}),
        ("return a if b else a", {"return a if not b else a"}),
        ("raise a", {"pass"}),
    ],
)
def test_each_mutant_differs_in_one_place(text, wrong):
    assert mutants_of(text) == wrong


def test_a_condition_is_denied_once():
    assert "if not a:" in next(iter(mutants_of("if a:\n        return b")))
    assert "if a:" in next(iter(mutants_of("if not a:\n        return b")))


def test_methods_and_decorated_functions_are_known_by_their_first_line():
    text = "class C:\n    @cached\n    def g(self):\n        return [x < 1 for x in self]\n\nLIMIT = 3\n"
    made = [make_mutation(each, text) for each in possible_mutations(Path("x.py"), text)]
    assert {(each.function, each.first_line, each.line) for each in made} == {("C.g", 2, 4)}
    assert str(made[0]).splitlines()[0] == "@@ x.py:4 C.g @@"


def test_a_map_is_renewed_for_some_files():
    old = {
        "functions": ["a.py:f", "a.py:g"],
        "calls": {"test_a.py::one": [0, 1], "test_a.py::gone": [0], "test_b.py::two": [1]},
        "seconds": {"test_a.py::one": 2.0, "test_a.py::gone": 1.0, "test_b.py::two": 3.0},
    }
    new = {
        "functions": ["a.py:h", "a.py:f"],
        "calls": {"test_a.py::one": [0, 1]},
        "seconds": {"test_a.py::one": 0.5},
    }
    whole = renewed(old, new)
    named = {test: {whole["functions"][each] for each in called} for test, called in whole["calls"].items()}
    assert named == {"test_a.py::one": {"a.py:f", "a.py:h"}, "test_b.py::two": {"a.py:g"}}
    assert whole["seconds"]["test_a.py::one"] == 0.5
