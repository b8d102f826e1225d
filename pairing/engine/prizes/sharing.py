"""Prize money of tied players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from pairing.engine.snapshot import PairingNumber

Cents: TypeAlias = int
"""Money in the smallest coin."""

Tied: TypeAlias = Sequence[PairingNumber]
"""Players with equal points, or on one place of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPrizes:
    """What each player gets, and the cents that could not be shared out evenly.

    Every player of the table is in `money`, with 0 where there was no prize left for him. Together with `left_over`
    it is the whole of the prizes for which there were players.
    """

    money: Mapping[PairingNumber, Cents]
    left_over: Cents


def share_equally(prizes: Sequence[Cents], by_points: Sequence[Tied]) -> SharedPrizes:
    """Players with equal points share the prizes of the places they take (Dutch system 1992, F10).

    `by_points` are the groups of equal points from the top; each gets the same, rounded down to the cent.
    """
    money: dict[PairingNumber, Cents] = {}
    left_over = 0
    for tied, pool in _pools(prizes, by_points):
        money.update(dict.fromkeys(tied, pool // len(tied)))
        left_over += pool % len(tied)
    return SharedPrizes(money=money, left_over=left_over)


def share_by_hort(prizes: Sequence[Cents], by_points: Sequence[Tied], by_place: Sequence[Tied]) -> SharedPrizes:
    """Hort's system: half of the prize of one's place, and an equal share of the other halves of one's points.

    `by_points` as above; `by_place` the same players by their final places, those on a shared place together: they
    halve its prizes equally. Each sum is rounded down to the cent.
    """
    of_place = {tpn: Fraction(pool, len(tied)) for tied, pool in _pools(prizes, by_place) for tpn in tied}
    money: dict[PairingNumber, Cents] = {}
    left_over = 0
    for tied, pool in _pools(prizes, by_points):
        shares = {tpn: int((of_place[tpn] + Fraction(pool, len(tied))) / 2) for tpn in tied}
        money.update(shares)
        left_over += pool - sum(shares.values())
    return SharedPrizes(money=money, left_over=left_over)


def _pools(prizes: Sequence[Cents], groups: Sequence[Tied]) -> Iterator[tuple[Tied, Cents]]:
    """Each group with the sum of the prizes of its places."""
    first = 0
    for group in groups:
        yield group, sum(prizes[first : first + len(group)])
        first += len(group)
