"""The pairing systems, one room each; `SYSTEMS` is the closed list of them.

A room is imported when it is first asked for, so that starting up costs nothing for systems not used. Systems
do not import each other: what two of them share lies in `pairing.engine.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pairing.engine.acceleration import fictitious_points
from pairing.engine.paired_round import PairedRound
from pairing.engine.snapshot import TournamentSnapshot

System: TypeAlias = Callable[[TournamentSnapshot], PairedRound]
"""Pair the next round of a snapshot, its acceleration applied; raises PairingImpossible where no legal round exists."""


def _fide_1989(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.fide_1989.system import pair

    return pair(snapshot, fictitious=fictitious_points(snapshot))


SYSTEMS: Mapping[str, System] = {
    "fide-1989": _fide_1989,
}
