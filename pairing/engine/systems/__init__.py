"""The pairing systems, one room each; `SYSTEMS` is the closed list of them.

A room is imported when it is first asked for, so that starting up costs nothing for systems not used. Systems
do not import each other: what two of them share lies in `pairing.engine.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pairing.engine.acceleration import fictitious_points
from pairing.engine.paired_round import PairedRound
from pairing.engine.points import in_document_points, in_event_points, said_in_event_points
from pairing.engine.rules.order import Order
from pairing.engine.snapshot import InvalidSnapshot, TournamentSnapshot

System: TypeAlias = Callable[[TournamentSnapshot], PairedRound]
"""Pair the next round of a snapshot, its acceleration applied; raises PairingImpossible where no legal round exists."""


def _fide_1989(snapshot: TournamentSnapshot, order: Order | None = None) -> PairedRound:
    from pairing.engine.systems.fide_1989.system import pair

    return pair(snapshot, order=order, fictitious=fictitious_points(snapshot))


def _dutch_1992(snapshot: TournamentSnapshot, order: Order | None = None) -> PairedRound:
    from pairing.engine.systems.dutch_1992.system import pair

    return pair(snapshot, order=order, fictitious=fictitious_points(snapshot))


def _dubov_1997(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.dubov_1997.system import pair

    return pair(snapshot, fictitious=fictitious_points(snapshot))


def _dutch_2026(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.dutch_2026.system import pair

    return pair(snapshot, fictitious=fictitious_points(snapshot))


def _jahr(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.jahr.system import pair

    procedure = snapshot.procedure or "fide-1989"
    if procedure not in ORDERED_PROCEDURES:
        raise InvalidSnapshot(f"{procedure!r} cannot pair by Jahr's order; {', '.join(ORDERED_PROCEDURES)} can")
    return pair(snapshot, procedure=ORDERED_PROCEDURES[procedure])


ORDERED_PROCEDURES: Mapping[str, Callable[[TournamentSnapshot, Order], PairedRound]] = {
    "fide-1989": _fide_1989,
    "dutch-1992": _dutch_1992,
}
"""The procedures that can pair by another order than the TPNs'."""


def _by_document(pair: System) -> System:
    """A system whose document says what results are worth: 2, 1 and 0 are the same points counted in halves.

    Raises DocumentFixesPoints for any others.
    """

    def paired(snapshot: TournamentSnapshot) -> PairedRound:
        in_document, scale = in_document_points(snapshot)
        with said_in_event_points(scale):
            return in_event_points(pair(in_document), scale)

    return paired


def _round_robin(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.round_robin.system import pair

    return pair(snapshot)


SWISS_SYSTEMS: Mapping[str, System] = {
    "fide-1989": _by_document(_fide_1989),
    "dutch-1992": _by_document(_dutch_1992),
    "dubov-1997": _by_document(_dubov_1997),
    "jahr": _by_document(_jahr),
    "dutch-2026": _dutch_2026,
}
"""Systems that pair by what has been played."""

SYSTEMS: Mapping[str, System] = {**SWISS_SYSTEMS, "round-robin": _round_robin}
