"""The order of the boards, the same for every system (contract, Order of the boards)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pairing.engine.paired_round import PairedGame, Reason
from pairing.engine.rules.field import Contender


@dataclass(frozen=True, slots=True, kw_only=True)
class ColouredPair:
    """Two players with their colours, not yet on a board."""

    white: Contender
    black: Contender
    reasons: tuple[Reason, ...] = ()


def seat(pairs: Iterable[ColouredPair]) -> tuple[PairedGame, ...]:
    """The pairs as numbered boards: by the higher player's pairing score, both scores together, his rank."""
    ordered: Sequence[ColouredPair] = sorted(pairs, key=_board_key)
    return tuple(
        PairedGame(board=board, white=pair.white.tpn, black=pair.black.tpn, reasons=pair.reasons)
        for board, pair in enumerate(ordered, start=1)
    )


def _board_key(pair: ColouredPair) -> tuple[int, int, int]:
    higher, lower = sorted((pair.white, pair.black), key=rank)
    return (-higher.pairing_score, -(higher.pairing_score + lower.pairing_score), higher.number)


def rank(contender: Contender) -> tuple[int, int]:
    """A player's rank in the system's own order: pairing score, then number; smaller is higher."""
    return (-contender.pairing_score, contender.number)
