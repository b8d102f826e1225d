"""The judge of `bench.faults`: it must see what is lost, doubled or wrong, or its zeros would say nothing."""

from __future__ import annotations

import pytest

from bench.faults_event import judge_results, prepare
from tournaments.models import Game, LogEntry
from tournaments.results.recording import enter_result

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def entered() -> list[tuple[str, bool]]:
    """What was tried at board 1, and is there: one answer did not come, one request did not arrive."""
    prepare(0)
    for result in ("1-0", "0-1", "1/2"):
        game = Game.objects.get(round__tournament__slug="evening", board=1)
        enter_result(game, result, revision=game.revision, by=None)
    return [("1/2", False), ("1-0", True), ("0-1", False), ("1/2", True)]


def test_what_is_there_is_neither_lost_nor_doubled(entered):
    assert judge_results({"1": entered, "2": [("1-0", False)]}) == {"lost": 0, "doubled": 0, "wrong": 0, "unsound": 0}


def test_it_sees_harm(entered):
    assert judge_results({"1": [*entered, ("1-0", True)]})["lost"] == 1
    assert judge_results({"1": entered[:3]})["doubled"] == 1
    assert judge_results({"2": [("1-0", True)]})["lost"] == 1
    line = LogEntry.objects.filter(details__board=1).latest("pk")
    LogEntry.objects.create(
        tournament=line.tournament, round=line.round, action=line.action, details=line.details | {"after": "1-0"}
    )
    assert judge_results({"1": [*entered, ("1-0", False)]})["wrong"] == 1
