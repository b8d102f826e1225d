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
    """A player's share of a list of prizes, and how it was calculated.

    The player is one of `sharers` players who take the places `first` to `last`, whose prizes together are `pool`. An
    equal part of it is rounded down to `cents`. In Hort's system that is half of it; the other half is an equal part of
    the prizes of `own_places`. These are the first and last place of the player and those tied with them; None
    elsewhere.
    """

    cents: Cents
    first: int
    last: int
    pool: Cents
    sharers: int
    own_places: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPrizes:
    """The shares of all players, and the cents that could not be shared evenly.

    Every player of the table is in `shares`, with 0 cents if no prize was left. Together with `left_over` they add up
    to the prizes for which there were players.
    """

    shares: Mapping[PairingNumber, PrizeShare]
    left_over: Cents

    @property
    def cents_by_player(self) -> Mapping[PairingNumber, Cents]:
        return {tpn: share.cents for tpn, share in self.shares.items()}


def share_prizes_equally(prizes: Sequence[Cents], groups: Sequence[TiedPlayers]) -> SharedPrizes:
    """Share the prizes of each group's places equally among its players (with equal points: 1992, F10).

    `groups` are those of the table from the top. Each player of a group gets the same, rounded down to the cent.
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
    """Share by Hort's system: half of the prize of a player's place, and an equal share of the other halves.

    The other halves are those of all players with equal points. `by_points` are the groups of equal points. `by_place`
    has the same players by final place, tied ones together; these share the prizes of their places equally. Each sum is
    rounded down to the cent.
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
    """Yield each group with the first of its places, from 1, and the sum of its prizes."""
    first = 0
    for group in groups:
        yield group, first + 1, sum(prizes[first : first + len(group)])
        first += len(group)
