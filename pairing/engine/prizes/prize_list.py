"""Prize lists in which nobody gets more than one prize, and everybody the best he has a claim to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.prizes.sharing import Cents
from pairing.engine.snapshot import PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """One prize. `open_to` is None for everyone, else the players who can win it (juniors, members, ...)."""

    name: str
    cents: Cents
    open_to: frozenset[PairingNumber] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """Who gets a prize; None where nobody is left for it.

    `tied_with` are players on the same place with the same claim: the table does not say who of them gets it, the
    first by number stands here, and the arbiter may decide otherwise.
    """

    prize: Prize
    winner: PairingNumber | None
    tied_with: tuple[PairingNumber, ...] = ()


def award_prizes(prizes: Sequence[Prize], ranks: Mapping[PairingNumber, int]) -> tuple[Award, ...]:
    """Every prize with its winner, in the order of `prizes`.

    The dearest prize is given first, prizes of one worth in the order listed, each to the best ranked player who
    can win it and has none yet: so nobody's prize could be exchanged for a better one he has a claim to.
    """
    order = sorted(ranks, key=lambda tpn: (ranks[tpn], tpn))
    awards: dict[int, Award] = {}
    winners: set[PairingNumber] = set()
    for place in sorted(range(len(prizes)), key=lambda place: -prizes[place].cents):
        prize = prizes[place]
        waiting = [tpn for tpn in order if tpn not in winners and (prize.open_to is None or tpn in prize.open_to)]
        winner = waiting[0] if waiting else None
        tied = tuple(tpn for tpn in waiting[1:] if ranks[tpn] == ranks[waiting[0]])
        awards[place] = Award(prize=prize, winner=winner, tied_with=tied)
        if winner is not None:
            winners.add(winner)
    return tuple(awards[place] for place in range(len(prizes)))
