"""The log in sentences: every action that is logged has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.log_actions import PairingAction
from tournaments.audit_log.actions import EventAction, LogAction, LogVisibility, find_log_action
from tournaments.audit_log.logged_results import PROPOSAL_ADOPTED_ACTION
from tournaments.audit_log.sentences import log_line_sentence
from tournaments.models import LogEntry

ROOT = Path(__file__).resolve().parents[3]
ENUMS = (EventAction, PairingAction)
ACTIONS: list[LogAction] = [action for each in ENUMS for action in each]


def test_every_action_says_who_may_notice_it_and_what_was_done():
    assert len(ACTIONS) > 50
    assert all(
        isinstance(action.visibility, LogVisibility) and action.choose_log_sentence({}).strip() for action in ACTIONS
    )
    assert {find_log_action(action.value) for action in ACTIONS} == set(ACTIONS)


@pytest.mark.parametrize("arguments", [("only a word",), ("a word and", LogVisibility.ALL)])
def test_an_action_without_both_is_none(arguments):
    with pytest.raises(TypeError):
        LogAction("Unfinished", {"ACTION": arguments})
    assert find_log_action(arguments[0]) is None


def test_two_actions_cannot_share_a_word():
    with pytest.raises(TypeError):
        LogAction("Twice", {"ACTION": ("round paired", LogVisibility.ALL, "Paired")})


def test_every_action_is_recorded_somewhere():
    """No unused sentence is left; only lines in a database may be that old."""
    code = "".join(
        path.read_text(encoding="utf-8")
        for app in ("tournaments", "pairing", "operations")
        for path in (ROOT / app).rglob("*.py")
    )
    assert [action.name for action in ACTIONS if f"{type(action).__name__}.{action.name}" not in code] == []


def test_no_line_is_written_by_its_word():
    """Code that writes a log line names its action, so every line has a sentence."""
    quoted = {f'"{action.value}"' for action in ACTIONS}
    owners = {"tournaments/audit_log/actions.py", "pairing/log_actions.py", "pairing/models.py"}
    owners.add("tournaments/models/integrity_triggers.py")  # SQL over what stands in the database
    readers = {
        "tournaments/audit_log/logged_results.py": PROPOSAL_ADOPTED_ACTION,
    }
    assert {f'"{word}"' for word in readers.values()} <= quoted
    owners.update(readers)
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for app in ("tournaments", "pairing")
        for path in (ROOT / app).rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in owners and "migrations" not in path.parts
        for word in quoted
        if word in path.read_text(encoding="utf-8")
    ]
    assert found == []


def test_an_unknown_action_is_shown_by_its_name():
    assert log_line_sentence(LogEntry(action="moon landed", details={})) == "moon landed"


@pytest.mark.parametrize("action", ACTIONS)
def test_missing_details_break_no_sentence(action):
    """An older line may have fewer details than today's sentences need."""
    said = log_line_sentence(LogEntry(action=action, details={}))
    assert said
    assert "{" not in said


@pytest.mark.parametrize(
    ("action", "details", "said"),
    [
        ("bye requested", {"name": "Nikt, Jan", "kind": "H"}, "Nikt, Jan: half-point bye"),
        ("bye asked for", {"name": "Nikt, Jan", "kind": "Z"}, "Nikt, Jan requested a bye: zero-point bye"),
        ("checked in", {"name": "Nikt, Jan", "state": "late"}, "Check-in: Nikt, Jan, late"),
        ("checked in", {"name": "Nikt, Jan", "state": ""}, "Check-in: Nikt, Jan, not checked in yet"),
        ("result entered", {"board": 3, "before": "", "after": "1/2"}, "Board 3: ½–½"),
        ("pair forbidden", {"names": ["A", "B"], "remark": ""}, "Kept apart: A; B"),
        ("everybody checked in", {"count": 8, "names": []}, "Checked in 8 players in bulk. Absent: –"),
        (
            "tournament changed",
            {"changes": {"ends_on": ["None", "2026-12-16"], "fide_rated": ["False", "True"], "city": ["", "Leeds"]}},
            "Changed the event: end date: 16 December 2026 (previously: –); FIDE rated: yes (previously: no); "
            "city: Leeds (previously: –)",
        ),
        (
            "result corrected",
            {"board": 1, "before": "1-0", "after": "+/-", "reason": "did not come"},
            "Board 1 corrected: White wins by forfeit (previously: 1–0) did not come",
        ),
    ],
)
def test_sentences(action, details, said):
    assert log_line_sentence(LogEntry(action=action, details=details)) == said
