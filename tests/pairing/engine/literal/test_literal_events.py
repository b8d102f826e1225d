"""The random events: reproducible, readable, and with all the planned special cases."""

from __future__ import annotations

import pytest

from pairing.engine.snapshot import Result
from tests.pairing.engine.literal import fide_1989, notation
from tests.pairing.engine.literal.events import play


@pytest.fixture(scope="module")
def rounds():
    return [each for seed in range(200) for each in play("fide-1989", seed, fide_1989.pair)]


def test_same_seed_same_event():
    assert list(play("fide-1989", 7, fide_1989.pair)) == list(play("fide-1989", 7, fide_1989.pair))
    assert list(play("fide-1989", 7, fide_1989.pair)) != list(play("fide-1989", 8, fide_1989.pair))


def test_notation_loses_nothing(rounds):
    for snapshot, _ in rounds:
        again = notation.read(notation.written(snapshot))
        assert notation.written(again) == notation.written(snapshot)
        assert sorted(again.cards, key=lambda card: card.tpn) == sorted(snapshot.cards, key=lambda card: card.tpn)


@pytest.mark.parametrize("line", ["1 2000 x", "1 2000 5", "1 2000 5x1", "one 2000"])
def test_notation_refuses_what_it_cannot_read(line):
    with pytest.raises(ValueError):
        notation.read(f"fide-1989\n{line}")


def test_whatever_may_happen_in_an_event_does_happen(rounds):
    snapshots = [snapshot for snapshot, _ in rounds]
    records = [record for snapshot in snapshots for card in snapshot.cards for record in card.records]
    assert {record.result for record in records} == set(Result) - {Result.ADJOURNED}
    for forfeit in (Result.FORFEIT_WIN, Result.FORFEIT_LOSS):
        assert {record.opponent is None for record in records if record.result is forfeit} == {True, False}
    assert any(paired is None for _, paired in rounds)
    assert {len(snapshot.cards) for snapshot in snapshots} == set(range(6, 15))
    assert {snapshot.acceleration for snapshot in snapshots} == {"none", "progressive", "baku"}
    for happens in (
        fide_1989.is_maxi_event,
        lambda snapshot: snapshot.is_last_round,
        lambda snapshot: snapshot.rounds_announced is None,
        lambda snapshot: snapshot.forbidden_pairs,
        lambda snapshot: any(card.fictitious for card in snapshot.cards),
        lambda snapshot: any(
            first.is_played and first.colour is second.colour is third.colour
            for card in snapshot.cards
            for first, second, third in zip(card.records, card.records[1:], card.records[2:], strict=False)
        ),
    ):
        assert 0 < sum(bool(happens(snapshot)) for snapshot in snapshots) < len(snapshots)
