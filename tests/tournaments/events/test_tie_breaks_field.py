"""The tie-breaks field of the event form."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from tests.factories import make_event
from tournaments.events.forms import TournamentForm
from tournaments.events.tie_break_field import TieBreaksField


@pytest.mark.parametrize("text", ["XYZ", "BH; SB", "BH/C1/C2", "WIN/C1", "BH, bh", ", ".join(["DE"] * 11)])
def test_what_is_refused(text):
    with pytest.raises(ValidationError):
        TieBreaksField().clean(text)


def test_an_unknown_code_names_the_known_ones():
    with pytest.raises(ValidationError, match=r"“Buchholz” isn't a tie-break\. Use one of these: PTS, DE"):
        TieBreaksField().clean("Buchholz")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", []),
        (" , ", []),
        ("bh-c1, BH ,sb", ["BH/C1", "BH", "SB"]),
        ("DE, WIN, DE", ["DE", "WIN", "DE"]),  # allowed again, among fewer players
    ],
)
def test_what_is_read(text, codes):
    assert TieBreaksField().clean(text) == codes


def test_a_list_is_shown_as_it_is_written():
    assert TieBreaksField().prepare_value(["BH/C1", "BH"]) == "BH/C1, BH"
    assert TieBreaksField().prepare_value("bh c1") == "bh c1"


def test_the_events_form_has_the_field(club):
    event = make_event(club, tie_breaks=["BH"])
    form = TournamentForm(instance=event)
    assert form["tie_breaks"].value() == "BH"
    sent = {name: form[name].value() for name in form.fields} | {"tie_breaks": "bh-c1, DE"}
    form = TournamentForm({name: value for name, value in sent.items() if value not in (None, False)}, instance=event)
    assert form.is_valid(), form.errors
    assert form.changed_values["tie_breaks"] == ["BH/C1", "DE"]
