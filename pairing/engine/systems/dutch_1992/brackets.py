"""A3, A5, A8 and C1: the brackets, and what the steps of the procedure hand to one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from pairing.engine.paired_round import Reason
from pairing.engine.reason_runs import Told
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber


@cache
def article(number: str) -> str:
    """An article of this document, as reasons name it."""
    return f"dutch-1992 {number}"


class Floater(NamedTuple):
    """A player moved down, and why, bracket by bracket."""

    player: Contender
    reasons: tuple[Reason, ...]


class Pair(NamedTuple):
    """Two players paired, the one whose turn it was first."""

    chooser: Contender
    opponent: Contender
    reasons: tuple[Told, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A score group with those moved down to it, once C1 has taken its players out.

    `company` are its members in A2 order, the first `moved_down` of them moved down. `without_opponent` are C1's
    players; `following` the residents of the next lower score group, None in the lowest bracket.
    """

    score: HalfPoints
    company: Company
    moved_down: int
    without_opponent: tuple[Contender, ...]
    following: tuple[Contender, ...] | None
    arrivals: Mapping[PairingNumber, tuple[Reason, ...]]

    @property
    def size(self) -> int:
        return len(self.company.players)

    @property
    def is_heterogeneous(self) -> bool:
        """A3: some are moved down, but less than half."""
        return 0 < 2 * self.moved_down < self.size

    def x(self, pairs: int) -> int:
        """A8, C14: the pairs that must violate a preference; one less with every pair less."""
        white, black = (self.company.due(colour).bit_count() for colour in (Colour.WHITE, Colour.BLACK))
        most = self.size // 2
        return max(0, max(0, max(white, black) - (self.size + 1) // 2) - (most - pairs))


def make_bracket(
    score: HalfPoints,
    arrivals: Sequence[Floater],
    residents: Sequence[Contender],
    following: Sequence[Contender] | None,
) -> Bracket:
    """C1: those without any compatible opponent in the bracket are moved down first; not so in the lowest one."""
    # Whoever was moved down has a higher score than a resident, so the floaters come first in A2 order.
    everyone = Company([*sorted((one.player for one in arrivals), key=a2), *residents])
    lonely = [
        player
        for player, neighbours in zip(everyone.players, everyone.neighbours, strict=True)
        if not neighbours and following is not None
    ]
    company = everyone
    if lonely:
        gone = {player.tpn for player in lonely}
        company = Company([player for player in everyone.players if player.tpn not in gone])
    return Bracket(
        score=score,
        company=company,
        moved_down=sum(floater.player.tpn in company.places for floater in arrivals),
        without_opponent=tuple(lonely),
        following=None if following is None else tuple(following),
        arrivals={floater.player.tpn: floater.reasons for floater in arrivals},
    )


def a2(player: Contender) -> tuple[int, int]:
    """A2: by pairing score, then by number; smaller is higher."""
    return (-player.pairing_score, player.number)
