"""The check of `lab.faults` notices lost, duplicate and wrong results, so that its zeros mean something."""

from __future__ import annotations

import pytest

from lab.faults_event import judge_pairings, judge_results, prepare
from pairing.rounds.lifecycle.transitions import pair_round
from tournaments.models import Game, LogEntry, Round
from tournaments.results.recording import enter_result

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def entered() -> list[tuple[int, str, bool]]:
    """The attempts at board 1 and the log: one response was lost, two requests did not arrive."""
    prepare(0)
    for result in ("1-0", "0-1", "1/2"):
        game = Game.objects.get(round__tournament__slug="evening", board=1)
        enter_result(game, result, revision=game.revision, by=None)
    return [(0, "1-0", False), (0, "1/2", False), (0, "1-0", True), (1, "0-1", False), (2, "1/2", True)]


def test_what_is_there_is_neither_lost_nor_doubled(entered):
    """Also if a request that never arrived was sent again, and is there once."""
    found = judge_results({"1": entered, "2": [(0, "1-0", False)]})
    assert found == {"lost": 0, "doubled": 0, "wrong": 0, "unsound": 0, "evidence": []}


def test_it_sees_harm(entered):
    assert judge_results({"1": [*entered, (3, "1-0", True)]})["lost"] == 1
    assert judge_results({"1": [*entered[:4], (2, "0-1", True)]})["lost"] == 1
    assert judge_results({"1": entered[:4]})["doubled"] == 1
    told = judge_results({"2": [(0, "1-0", True)]})
    assert (told["lost"], [each["board"] for each in told["evidence"]]) == (1, ["2"])
    line = LogEntry.objects.filter(details__board=1).latest("pk")
    LogEntry.objects.create(
        tournament=line.tournament, round=line.round, action=line.action, details=line.details | {"after": "1-0"}
    )
    assert judge_results({"1": [*entered, (3, "1-0", False)]})["wrong"] == 1


def test_it_sees_rounds_that_are_not_paired_or_paired_twice():
    told = prepare(2)
    first, second = told["waiting"]
    assert judge_pairings([(first, False), (second, False)])["lost"] == 0
    assert judge_pairings([(first, True), (second, False)])["lost"] == 1
    round = Round.objects.get(tournament__slug=first.split("/")[2], number=1)
    pair_round(round.pk, by=None)
    found = judge_pairings([(first, True)])
    assert (found["lost"], found["doubled"], found["wrong"]) == (0, 0, 0)
    LogEntry.objects.create(tournament=round.tournament, round=round, action="round paired", details={})
    round.games.filter(board=1).delete()
    found = judge_pairings([(first, True)])
    assert (found["doubled"], found["wrong"]) == (1, 1)
