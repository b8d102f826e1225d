"""Pairing with a progress observer gives the same result, reports progress, and stops when the observer says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lab.worst_cases import WORST_CASES
from pairing.engine.progress import report_progress_to
from pairing.engine.simulator import SimulationPlan, simulate_event
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS


class Enough(Exception):
    pass


@pytest.fixture(scope="module")
def event():
    return simulate_event(
        SimulationPlan(players=60, rounds=5, system="fide-1989", seed=3), PAIRING_SYSTEMS["fide-1989"]
    )


def test_stopped_in_the_middle_of_a_great_group():
    """Long before its end, though there is only one group."""
    snapshot = replace(WORST_CASES["one-group-few-colours"](), system="dutch-1992")
    told = []

    def watcher(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) == 5:
            raise Enough

    with pytest.raises(Enough), report_progress_to(watcher):
        PAIRING_SYSTEMS["dutch-1992"](snapshot)
    assert len(told) == 5


def test_nobody_is_told_after_the_block(event):
    told = []
    with report_progress_to(lambda *news: told.append(news)):
        pass
    PAIRING_SYSTEMS["dutch-1992"](replace(event, system="dutch-1992"))
    assert told == []


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_groups_are_counted_and_the_pairing_is_the_same(event, system):
    snapshot = replace(event, system=system)
    told = []
    with report_progress_to(lambda *news: told.append(news)):
        watched = PAIRING_SYSTEMS[system](snapshot)
    assert watched == PAIRING_SYSTEMS[system](snapshot)
    assert told == sorted(told)
    (total,) = {total for _done, total in told if total}
    assert 3 < total <= 2 * 5 + 1
    assert total - 1 <= told[-1][0] <= total
