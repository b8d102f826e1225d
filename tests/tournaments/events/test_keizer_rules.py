"""The rules of a Keizer season in the event's form: a usual set, or options of its own."""

from __future__ import annotations

import pytest

from tests.factories import make_club, make_event
from tournaments.events.event_repetition import COPIED_FIELDS
from tournaments.events.forms import TournamentForm
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

VALUES = {
    "name": "Winter",
    "system": "keizer",
    "rounds_announced": "30",
    "acceleration": "none",
    "first_colour": "w",
    "requested_bye_worth": "H",
    "requested_byes_allowed": "2",
    "late_entry_worth": "Z",
}


def form(**values: str) -> TournamentForm:
    return TournamentForm(VALUES | values, instance=Tournament())


@pytest.mark.parametrize(
    ("values", "options"),
    [
        ({"keizer_rules": "classic", "keizer_options": "gap=6"}, []),
        ({"keizer_rules": "keizer-for-clubs"}, ["bye=1/2", "excused=7/20", "duty=7/10"]),
        ({"keizer_rules": "own", "keizer_options": "gap = 6, frozen=on,"}, ["gap=6", "frozen=on"]),
        ({"keizer_rules": "own", "keizer_options": "gap=6", "system": "dutch-2026"}, []),
    ],
)
def test_the_rules_are_stored_as_options(values, options):
    filled = form(**values)
    assert filled.is_valid(), filled.errors
    assert filled.cleaned_data["keizer_options"] == options
    assert "keizer_rules" not in filled.changed_values


@pytest.mark.parametrize("wrong", ["gab=6", "gap=0", "bye=much", "gap"])
def test_a_wrong_option_says_what_to_write(wrong):
    errors = form(keizer_rules="own", keizer_options=f"step=2, {wrong}").errors
    assert f"“{wrong}” can't be used. Enter options in the form gap=6." in errors["keizer_options"][0]


def test_tie_breaks_of_the_system_are_for_its_events_only():
    assert form(system="dutch-2026", tie_breaks="BH, KT").errors["tie_breaks"] == ["Only for Keizer events: KT."]
    filled = form(tie_breaks="BH", acceleration="baku")
    assert filled.is_valid(), filled.errors
    assert (filled.cleaned_data["tie_breaks"], filled.cleaned_data["acceleration"]) == ([], "none")


def test_the_form_shows_the_rules_and_a_repeated_event_keeps_them():
    event = make_event(make_club(), system="keizer", keizer_options=["gap=6"])
    shown = TournamentForm(instance=event)
    assert (shown["keizer_rules"].value(), shown["keizer_options"].value()) == ("own", "gap=6")
    assert "keizer_options" in COPIED_FIELDS
    preset = Tournament(system="keizer", keizer_options=["bye=1/2", "excused=7/20", "duty=7/10"])
    assert TournamentForm(instance=preset)["keizer_rules"].value() == "keizer-for-clubs"
