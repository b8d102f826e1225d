"""Check of the ranks that a file or table gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.ranking import PlayerStanding


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongRank:
    """A wrong rank. Players who are still tied may have any of the ranks they share."""

    tpn: PairingNumber
    given: int
    first: int
    last: int


def find_wrong_ranks(given: Mapping[PairingNumber, int], standings: Iterable[PlayerStanding]) -> tuple[WrongRank, ...]:
    """Return the wrong ranks, in the order of the standings. Players without a given rank are not checked."""
    wrong = []
    place = 0
    for rank, group in groupby(standings, key=lambda standing: standing.rank):
        tied = list(group)
        place += len(tied)
        wrong += [
            WrongRank(tpn=each.tpn, given=given[each.tpn], first=rank, last=place)
            for each in tied
            if not rank <= given.get(each.tpn, rank) <= place
        ]
    return tuple(wrong)
