"""C12 and C13 for several floaters together: events in which the first pairing tried breaks C12."""

from __future__ import annotations

from itertools import combinations

import pytest

from lab.families import Recipe, event_of
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.systems.dutch_1992 import exact_search
from pairing.engine.systems.dutch_1992.candidate_search import BracketContext
from tests.pairing.engine.literal import dutch_1992 as literal
from tests.pairing.engine.literal.compare import by_engine

SMALL = (
    "sparse:12:4:3:2:2:0:90:0:956981",
    "sparse:12:3:3:2:1:0:50:0:422601",
    "cliques-and-hubs:12:4:3:0:1:50:90:0:402378",
    "stars:12:4:3:0:1:0:90:0:655685",
    "sparse:12:4:5:1:1:0:10:0:84184",
)
LARGER = (
    "cliques-and-hubs:60:4:3:1:1:50:90:0:402378",
    "stars:80:3:7:2:2:80:90:0:643387",
    "floaters:60:3:3:2:2:80:90:0:527616",
)


def drawn(recipe: str):
    return event_of(Recipe.read(recipe), system="dutch-1992")


@pytest.mark.parametrize("recipe", SMALL)
def test_the_transcription_agrees_where_the_residents_below_are_crowded(recipe: str, monkeypatch: pytest.MonkeyPatch):
    crowds = []
    asked = exact_search.ExactCandidateSearch._crowd

    def counted(self, question, leaving):
        found = asked(self, question, leaving)
        crowds.append(found[0])
        return found

    monkeypatch.setattr(exact_search.ExactCandidateSearch, "_crowd", counted)
    event = drawn(recipe)
    assert by_engine(event) == literal.pair(event)
    assert any(crowds), "the event does not ask what this test is for"


@pytest.mark.parametrize("recipe", [*SMALL, *LARGER])
def test_fixing_who_stays_finds_the_same_as_weighting_crowds(recipe: str, monkeypatch: pytest.MonkeyPatch):
    event = drawn(recipe)
    paired = PAIRING_SYSTEMS["dutch-1992"](event)
    monkeypatch.setattr(exact_search, "MAX_REWEIGHTINGS", 1)
    assert PAIRING_SYSTEMS["dutch-1992"](event) == paired


@pytest.mark.parametrize("due", ["white", "black"])
def test_b4_the_search_for_clashes_begins_at_a_bound_that_no_pair_undercuts(due):
    """Four of six are due one colour: at least one pair clashes, and half the sum of the values proves it."""
    around = object.__new__(BracketContext)
    around.white, around.black = (0b001111, 0b110000) if due == "white" else (0b110000, 0b001111)
    values = around.conflict_dual_values(0b111111, 6, 10)
    for one, other in combinations(range(6), 2):
        assert values[one] + values[other] <= 2 * (10 if around.is_colour_conflict(one, other) else 0)
    assert sum(values) == 2 * 10
