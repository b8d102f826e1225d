"""The log speaks in sentences: every action that is recorded anywhere has one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tournaments.log.sentences import SENTENCES, sentence
from tournaments.models import LogEntry

ROOT = Path(__file__).resolve().parents[2]
RECORDING = {"record", "_set_state", "_set_result"}


def recorded_actions() -> set[str]:
    """The actions named where lines are written, or handed to a function that writes them."""
    actions = set()
    for folder in ("tournaments", "pairing"):
        for path in (ROOT / folder).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                actions |= _actions_of(node)
    return actions


def _actions_of(node: ast.AST) -> set[str]:
    values: list[ast.expr] = []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RECORDING:
        values = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "action")]
    elif isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["action"]:
        values = [node.value]
    constants = [part for value in values for part in ast.walk(value) if isinstance(part, ast.Constant)]
    return {part.value for part in constants if isinstance(part.value, str) and " " in part.value}


def test_every_recorded_action_has_its_sentence():
    recorded = recorded_actions()
    assert {"round paired", "player withdrawn", "result corrected"} <= recorded
    assert recorded - set(SENTENCES) == set()


def test_no_sentence_stands_for_an_action_that_is_never_recorded():
    assert set(SENTENCES) - recorded_actions() == set()


def test_an_unknown_action_is_shown_by_its_name():
    assert sentence(LogEntry(action="moon landed", details={})) == "moon landed"


@pytest.mark.parametrize("action", sorted(SENTENCES))
def test_missing_details_break_no_sentence(action):
    """An older line may know less than today's sentences ask for."""
    said = sentence(LogEntry(action=action, details={}))
    assert said
    assert "{" not in said


@pytest.mark.parametrize(
    ("action", "details", "said"),
    [
        ("bye requested", {"name": "Nikt, Jan", "kind": "H"}, "Nikt, Jan: half-point bye"),
        ("result entered", {"board": 3, "before": "", "after": "1/2"}, "Board 3: ½-½ (before: open)"),
        ("pair forbidden", {"names": ["A", "B"], "remark": ""}, "Must not meet: A; B"),
        (
            "result corrected",
            {"board": 1, "before": "1-0", "after": "+/-", "reason": "did not come"},
            "Board 1 corrected: White wins by forfeit (before: 1-0) did not come",
        ),
    ],
)
def test_sentences(action, details, said):
    assert sentence(LogEntry(action=action, details=details)) == said
