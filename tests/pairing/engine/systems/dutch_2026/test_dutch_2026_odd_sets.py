"""Reasons of dutch-2026 with tight odd sets: a graph cannot express all that a criterion leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from lab.families import Recipe, event_of
from pairing.engine.matching import EdgeCosts, bitmask_members, bitmask_of, find_min_weight_matching
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.systems.dutch_2026 import counterfactuals as rivals_room
from pairing.engine.systems.dutch_2026 import system
from pairing.engine.systems.dutch_2026.counterfactuals import CriterionCounterfactuals
from pairing.engine.systems.dutch_2026.criteria import all_criterion_costs
from pairing.engine.systems.dutch_2026.reasons import PairedBracket
from tests.pairing.engine.reason_checks import RoundChecker
from tests.pairing.engine.reason_criteria_2026 import check_criteria

SMALL = (
    "chains:13:2:4:3:5:50:60:0:1839",
    "cliques-and-hubs:13:1:7:0:3:50:3:0:684392",
    "cliques-and-hubs:13:1:7:2:1:20:3:0:250452",
    "floaters:9:4:4:1:3:50:60:2:71021",
    "floaters:13:2:7:1:1:50:60:2:750316",
    "floaters:13:2:7:2:5:20:60:2:306224",
    "round-robins:11:1:4:2:5:20:10:0:163299",
    "round-robins:13:4:3:3:1:0:10:5:164255",
    "sparse:13:1:4:2:5:80:30:2:347490",
    "sparse:13:1:5:2:1:80:60:0:190777",
    "stars:12:4:5:0:3:0:90:5:267760",
    "stars:13:1:3:2:5:20:60:0:745876",
    "stars:13:3:7:0:3:50:3:5:361538",
)
LARGE = (
    "chains:100:1:7:0:2:0:90:0:353823",
    "cliques-and-hubs:90:1:5:3:1:20:90:0:953594",
    "floaters:99:1:3:0:5:20:10:2:507673",
    "round-robins:70:3:7:0:2:80:10:5:371666",
    "round-robins:78:2:2:1:2:0:30:0:256327",
    "stars:85:3:5:3:1:80:90:0:541595",
)
ASKED = 12
"""So many players passed over are asked about in each large event."""


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> list[PairedBracket]:
    """The brackets of the rounds paired in this test.

    Where odd sets bind hangs on how the search has ended; what is told must not.
    """
    found: list[PairedBracket] = []
    settle = system.pair_bracket

    def noted(*arguments: object) -> PairedBracket:
        found.append(settle(*arguments))
        return found[-1]

    monkeypatch.setattr(system, "pair_bracket", noted)
    return found


def bound(settled: Sequence[PairedBracket]) -> list[PairedBracket]:
    return [one for one in settled if any(left.borders for left in one.counterfactuals.left)]


def test_the_criterion_named_is_that_of_the_transcription(settled: list[PairedBracket]):
    named: set[str] = set()
    for recipe in SMALL:
        event = event_of(Recipe.read(recipe), system="dutch-2026")
        named |= check_criteria(RoundChecker(event, PAIRING_SYSTEMS["dutch-2026"](event)))
    assert len(bound(settled)) > 3, "the events do not ask what this test is for"
    assert {"C6", "C8", "C12", "C16", "4.3"} <= named
    floated = 0
    alone = [one for one in settled if len(one.candidate.leaving) == 1]
    assert {one.bracket.exit_vertices_mask.bit_count() for one in alone} == {1}
    for one in alone:
        floated_down = {costs.criterion: costs.costly for costs in all_criterion_costs(one.bracket)}
        for vertex in range(len(one.bracket.players)):
            criterion, counts = one.counterfactuals.failed_criterion_for_leaving(vertex)
            if criterion in ("C14", "C16"):
                assert counts == bool(floated_down[criterion][vertex])
                floated += counts
    assert floated


class Weighed:
    """A bracket whose criteria are combined in one weight, each larger than all later ones together."""

    def __init__(self, bracket: PairedBracket) -> None:
        self.graph = bracket.bracket.graph
        self.costs = [*bracket.bracket_with_exits.costs, *all_criterion_costs(bracket.bracket)]
        self.best = self.counts([-1] * len(self.graph))

    def counts(self, within: Sequence[int]) -> list[int] | None:
        """How often each criterion is broken by the best pairing with pairs inside these bitmasks, one per vertex."""
        count = len(self.graph)
        levels: dict[int, list[int]] = {}
        for one in range(count):
            for other in range(count):
                if (self.graph[one] & within[one]) >> other & 1 and within[other] >> one & 1:
                    weight = 0
                    for costs in self.costs:
                        weight = weight * count + (costs.costly[one] >> other & 1)
                    levels.setdefault(weight, [0] * count)[one] |= 1 << other
        pairs = find_min_weight_matching(EdgeCosts([*levels.items()], [0] * count, [0] * count), (1 << count) - 1)
        if pairs is None:
            return None
        return [sum(costs.costly[one] >> other & 1 for one, other in pairs) for costs in self.costs]

    def fails_with(self, pairs: Sequence[tuple[int, int]]) -> str | None:
        """The first criterion that pairings with these pairs keep less well."""
        within = [-1] * len(self.graph)
        for one, other in pairs:
            within[one], within[other] = 1 << other, 1 << one
        found = self.counts(within)
        if found is None:
            return "C6"
        worse = zip(self.costs, found, self.best or (), strict=True)
        return next((costs.criterion for costs, had, best in worse if had != best), None)


def passed_over(settled: PairedBracket) -> Iterator[tuple[int, int]]:
    for number, turn in enumerate(settled.candidate.turns):
        for vertex in turn.passed:
            if settled.bracket.graph[turn.chooser] >> vertex & 1:
                yield number, vertex


def test_the_criterion_named_is_that_of_all_weighed_at_once(
    settled: list[PairedBracket], monkeypatch: pytest.MonkeyPatch
):
    for recipe in LARGE:
        PAIRING_SYSTEMS["dutch-2026"](event_of(Recipe.read(recipe), system="dutch-2026"))
    found, by_itself = set(), set()
    assert len(bound(settled)) > 3, "the events do not ask what this test is for"
    for one in settled:
        weighed, rivals = Weighed(one), CriterionCounterfactuals(one.bracket, one.candidate_set, one.candidate)
        questions = list(passed_over(one))
        for number, vertex in questions[:: max(1, len(questions) // ASKED)]:
            before = [turn[:2] for turn in one.candidate.turns[:number]]
            chooser = one.candidate.turns[number].chooser
            fails = weighed.fails_with([*before, (chooser, vertex)])
            against = rivals.failed_criterion_for_pair(number, vertex)
            assert against.criterion == fails
            found.add(fails)
            with monkeypatch.context() as patch:
                patch.setattr(rivals_room, "MAX_SEQUENTIAL_CHECKS", 0)
                assert rivals.failed_criterion_for_pair(number, vertex) == against, "asked by halves it is the same"
            # Whether the pair itself is the reason: lists of differences are several criteria with the same name.
            named = [costs for costs in weighed.costs if costs.criterion == fails]
            if len(named) < 2:
                assert against.is_by_own_pair == any(costs.costly[chooser] >> vertex & 1 for costs in named)
                by_itself.add(against.is_by_own_pair)
    assert {None, "C6", "C7", "C8", "C12", "C15"} <= found
    assert by_itself == {True, False}


def test_all_who_were_passed_over_are_told_what_each_is_told_alone(settled: list[PairedBracket]):
    for recipe in (*SMALL, *LARGE):
        PAIRING_SYSTEMS["dutch-2026"](event_of(Recipe.read(recipe), system="dutch-2026"))
    said = set()
    for one in settled:
        together, alone = (CriterionCounterfactuals(one.bracket, one.candidate_set, one.candidate) for _ in range(2))
        for number, turn in enumerate(one.candidate.turns):
            told = together.group_by_failed_criterion(number)
            assert sum(told.values()) == bitmask_of(turn.passed), "each is told one thing"
            for against, who in told.items():
                assert {alone.failed_criterion_for_pair(number, vertex) for vertex in bitmask_members(who)} == {against}
                said.add(against.criterion)
    assert {None, "C6", "C7", "C8", "C12", "C15"} <= said
