"""Prize money of tied players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from pairing.engine.snapshot import PairingNumber

Cents: TypeAlias = int
"""Money in the smallest coin."""

TiedPlayers: TypeAlias = Sequence[PairingNumber]
"""Players with equal points, or on one place of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeShare:
    """What one player gets of a list of prizes, and how it came about.

    He is one of `sharers` players who take the places `first` to `last`, whose prizes together are `pool`; an equal
    part of it is rounded down to `cents`. In Hort's system that is half of it, and the other half an equal part of
    the prizes of `own_places`: the first and the last of those that he and the players on his place take; they are
    None elsewhere.
    """

    cents: Cents
    first: int
    last: int
    pool: Cents
    sharers: int
    own_places: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPrizes:
    """What each player gets, and the cents that could not be shared out evenly.

    Every player of the table is in `shares`, with 0 cents where there was no prize left for him. Together with
    `left_over` they are the whole of the prizes for which there were players.
    """

    shares: Mapping[PairingNumber, PrizeShare]
    left_over: Cents

    @property
    def cents_by_player(self) -> Mapping[PairingNumber, Cents]:
        return {tpn: share.cents for tpn, share in self.shares.items()}


def share_prizes_equally(prizes: Sequence[Cents], groups: Sequence[TiedPlayers]) -> SharedPrizes:
    """The tied players of each group share the prizes of the places they take (of equal points: 1992, F10).

    `groups` are those of the table from the top; each player of one gets the same, rounded down to the cent.
    """
    shares: dict[PairingNumber, PrizeShare] = {}
    left_over = 0
    for tied, first, pool in _pools(prizes, groups):
        cents, rest = divmod(pool, len(tied))
        shares |= dict.fromkeys(
            tied, PrizeShare(cents=cents, first=first, last=first + len(tied) - 1, pool=pool, sharers=len(tied))
        )
        left_over += rest
    return SharedPrizes(shares=shares, left_over=left_over)


def share_prizes_by_hort(
    prizes: Sequence[Cents], by_points: Sequence[TiedPlayers], by_place: Sequence[TiedPlayers]
) -> SharedPrizes:
    """Hort's system: half of the prize of one's place, and an equal share of the other halves of one's points.

    `by_points` as above; `by_place` the same players by their final places, those on a shared place together: they
    halve its prizes equally. Each sum is rounded down to the cent.
    """
    own: dict[PairingNumber, tuple[TiedPlayers, int, Cents]] = {}
    for of_place in _pools(prizes, by_place):
        own |= dict.fromkeys(of_place[0], of_place)
    shares: dict[PairingNumber, PrizeShare] = {}
    left_over = 0
    for tied, first, pool in _pools(prizes, by_points):
        of_group = {
            tpn: PrizeShare(
                cents=int((Fraction(of_place, len(level)) + Fraction(pool, len(tied))) / 2),
                first=first,
                last=first + len(tied) - 1,
                pool=pool,
                sharers=len(tied),
                own_places=(own_first, own_first + len(level) - 1),
            )
            for tpn in tied
            for level, own_first, of_place in (own[tpn],)
        }
        shares |= of_group
        left_over += pool - sum(share.cents for share in of_group.values())
    return SharedPrizes(shares=shares, left_over=left_over)


def _pools(prizes: Sequence[Cents], groups: Sequence[TiedPlayers]) -> Iterator[tuple[TiedPlayers, int, Cents]]:
    """Each group with the first of its places, from 1, and the sum of the prizes of all of them."""
    first = 0
    for group in groups:
        yield group, first + 1, sum(prizes[first : first + len(group)])
        first += len(group)
