"""The pairing systems, one package each. `PAIRING_SYSTEMS` lists them all.

A system is imported when first used, so unused systems do not slow down the start. Systems do not import each other.
Shared rules are in `pairing.engine.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pairing.engine.acceleration import fictitious_points
from pairing.engine.paired_round import PairedRound
from pairing.engine.point_systems import (
    convert_errors_to_event_points,
    convert_to_event_points,
    convert_to_standard_points,
)
from pairing.engine.rules.players import PlayerOrder
from pairing.engine.snapshot import InvalidSnapshot, TournamentSnapshot

PairingSystemFunction: TypeAlias = Callable[[TournamentSnapshot], PairedRound]
"""Pairs the next round of a snapshot, with its acceleration; raises PairingImpossible if there is no legal round."""


def _fide_1989(snapshot: TournamentSnapshot, order: PlayerOrder | None = None) -> PairedRound:
    from pairing.engine.systems.fide_1989.system import pair_next_round

    return pair_next_round(snapshot, order=order, fictitious=fictitious_points(snapshot))


def _dutch_1992(snapshot: TournamentSnapshot, order: PlayerOrder | None = None) -> PairedRound:
    from pairing.engine.systems.dutch_1992.system import pair_next_round

    return pair_next_round(snapshot, order=order, fictitious=fictitious_points(snapshot))


def _dubov_1997(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.dubov_1997.system import pair_next_round

    return pair_next_round(snapshot, fictitious=fictitious_points(snapshot))


def _dutch_2026(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.dutch_2026.system import pair_next_round

    return pair_next_round(snapshot, fictitious=fictitious_points(snapshot))


def _jahr(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.jahr.system import pair_next_round

    procedure = snapshot.procedure or "fide-1989"
    if procedure not in CUSTOM_ORDER_PROCEDURES:
        raise InvalidSnapshot(f"{procedure!r} cannot pair by Jahr's order; {', '.join(CUSTOM_ORDER_PROCEDURES)} can")
    return pair_next_round(snapshot, procedure=CUSTOM_ORDER_PROCEDURES[procedure])


CUSTOM_ORDER_PROCEDURES: Mapping[str, Callable[[TournamentSnapshot, PlayerOrder], PairedRound]] = {
    "fide-1989": _fide_1989,
    "dutch-1992": _dutch_1992,
}
"""The procedures that can use an order other than the TPNs'."""


def _by_document(pair: PairingSystemFunction) -> PairingSystemFunction:
    """Wrap a system whose document fixes the points. 2, 1 and 0 are the same points counted in halves.

    Raises IncompatiblePointSystem for any others.
    """

    def pair_in_document_points(snapshot: TournamentSnapshot) -> PairedRound:
        in_document, scale = convert_to_standard_points(snapshot)
        with convert_errors_to_event_points(scale):
            return convert_to_event_points(pair(in_document), scale)

    return pair_in_document_points


def _round_robin(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.round_robin.system import pair_next_round

    return pair_next_round(snapshot)


def _keizer(snapshot: TournamentSnapshot) -> PairedRound:
    from pairing.engine.systems.keizer import pair_next_round

    return pair_next_round(snapshot)


SWISS_SYSTEMS: Mapping[str, PairingSystemFunction] = {
    "fide-1989": _by_document(_fide_1989),
    "dutch-1992": _by_document(_dutch_1992),
    "dubov-1997": _by_document(_dubov_1997),
    "jahr": _by_document(_jahr),
    "dutch-2026": _dutch_2026,
}
"""Systems that pair by the results so far."""

PAIRING_SYSTEMS: Mapping[str, PairingSystemFunction] = {
    **SWISS_SYSTEMS,
    "round-robin": _round_robin,
    "keizer": _keizer,
}
