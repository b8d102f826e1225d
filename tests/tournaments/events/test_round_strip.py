"""The round links on an event's pages: those of a long event fit a phone and show the current round."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import make_event, played
from tournaments.models import Round
from tournaments.templatetags.rounds import round_strip

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def squares(rounds: int, number: int | str = "", begun: int = 0) -> str:
    states = [Round.State.FINISHED] * begun + [Round.State.WAITING] * (rounds - begun)
    made = [Round(number=place, state=state) for place, state in enumerate(states, start=1)]
    return " ".join(
        f"{each.first}-{each.last}@{each.round.number}" if each.last else str(each.round.number)
        for each in round_strip(made, number)
    )


@pytest.mark.parametrize(
    ("strip", "wanted"),
    [
        (squares(3), "1 2 3"),
        (squares(15, 9), " ".join(map(str, range(1, 16)))),
        (squares(35, 35, 35), "1 2-32@17 33 34 35"),
        (squares(35, 18, 35), "1 2-15@9 16 17 18 19 20 21-34@28 35"),
        (squares(35, 1, 35), "1 2 3 4-34@19 35"),
        (squares(35, "", 6), "1 2-3@3 4 5 6 7 8 9-34@22 35"),
        (squares(16), "1 2 3 4-15@10 16"),
    ],
)
def test_a_long_event_shows_its_ends_and_where_one_is(strip, wanted):
    assert strip == wanted


@pytest.mark.parametrize(
    ("states", "due"),
    [("WWW", [1]), ("FFW", [3]), ("FDW", []), ("PWW", []), ("FFF", []), ("F" * 20 + "W" * 15, [21])],
)
def test_the_round_to_be_paired_next_is_marked(states, due):
    names = {"W": Round.State.WAITING, "D": Round.State.DRAFT, "P": Round.State.PUBLISHED, "F": Round.State.FINISHED}
    rounds = [Round(number=place, state=names[each]) for place, each in enumerate(states, start=1)]
    assert [each.round.number for each in round_strip(rounds, "") if each.is_due] == due


def test_omitted_rounds_are_one_click_away_and_visitors_get_no_draft(client, club):
    event = make_event(club, players=4, rounds=31, system="dutch-2026")
    played(event, 1)
    page = client.get(reverse("round", args=[club.slug, event.slug, 1])).text
    assert "Rounds 4 to 30" in page
    assert reverse("round", args=[club.slug, event.slug, 18]) not in page
