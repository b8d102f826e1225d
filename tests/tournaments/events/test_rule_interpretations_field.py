"""Rule interpretations in the event form: chosen, stored, and fixed after round 1."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from pairing.engine.rule_interpretations import RULE_INTERPRETATIONS
from tests.factories import draft_of, make_club, make_event
from tournaments.events.event_setup import change_tournament
from tournaments.events.forms import TournamentForm
from tournaments.events.interpretation_texts import INTERPRETATION_TEXTS
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db
SENT = {"name": "Jesień", "rounds_announced": "5", "system": "fide-1989", "acceleration": "none"}


def sent(**more: str) -> dict[str, str]:
    event = make_event(make_club("wzor", "Wzór"), players=0)
    whole = TournamentForm(instance=event)
    data = {name: "" if (value := whole[name].value()) in (None, False) else str(value) for name in whole.fields}
    return data | SENT | {"tie_breaks": ""} | more


def test_there_is_no_other_reading():
    form = TournamentForm(sent(reading_fide_1989_8_2="never"))
    assert "reading_fide_1989_8_2" in form.errors


def test_what_is_not_of_the_system_or_the_default_is_not_kept():
    form = TournamentForm(sent(reading_fide_1989_8_2="event", reading_dubov_1997_5="number"))
    assert form.is_valid(), form.errors
    assert form.cleaned_data["readings"] == {}


def test_a_reading_is_kept_and_a_form_that_does_not_ask_leaves_it():
    form = TournamentForm(sent(reading_fide_1989_8_2="next-round"))
    assert form.is_valid(), form.errors
    assert form.cleaned_data["readings"] == {"fide-1989:8.2": "next-round"}
    assert not [name for name in form.cleaned_data if name.startswith("reading_")]
    event = make_event(make_club("inny", "Inny"), players=0, system="fide-1989")
    changed = change_tournament(event, by=None, readings={"fide-1989:8.2": "next-round"})
    partial = {name: value for name, value in form.data.items() if not name.startswith("reading_")}
    form = TournamentForm(partial, instance=changed)
    assert form.is_valid(), form.errors
    assert "readings" not in form.changed_values


def test_readings_stand_once_round_1_is_paired():
    event = make_event(make_club(), players=6, system="fide-1989")
    draft_of(event, 1)
    with pytest.raises(ArbiterProblem):
        change_tournament(event, by=None, readings={"fide-1989:8.2": "next-round"})
    form = TournamentForm(sent(reading_fide_1989_8_2="next-round"), instance=event, is_paired=True)
    form.is_valid()
    assert form.cleaned_data["readings"] == {}


def test_the_form_shows_the_readings_of_the_events_system_with_their_words(client):
    club = make_club()
    from clubs.models import Role
    from tests.factories import make_user

    client.force_login(make_user("sekretarz", club, Role.SECRETARY))
    event = make_event(club, players=0, system="fide-1989")
    page = client.get(reverse("tournament_edit", args=[club.slug, event.slug])).content.decode()
    assert set(re.findall(r'name="reading_([a-z]+_\d+)_', page)) == {"fide_1989"}
    assert {(each.id, choice.value) for each in RULE_INTERPRETATIONS.values() for choice in each.options} == set(
        INTERPRETATION_TEXTS
    )
