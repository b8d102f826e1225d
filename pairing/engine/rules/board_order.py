"""The order of the boards, the same for every system (contract, Order of the boards)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pairing.engine.paired_round import PairedGame, ReasonEntry, ReasonKind, ReasonRun, build_reason_sequence
from pairing.engine.rules.players import PairingPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class ColouredPair:
    """Two players with their colours, not yet on a board."""

    white: PairingPlayer
    black: PairingPlayer
    reasons: tuple[ReasonEntry, ...] = ()


def assign_boards(pairs: Iterable[ColouredPair]) -> tuple[PairedGame, ...]:
    """Return the pairs as numbered boards.

    They are sorted by the higher player's pairing score, then the sum of both scores, then the higher player's rank.
    `pairs` come in the order in which they were formed. The reason for the score group records that order, as only the
    reasons of a round are stored.
    """
    ordered = sorted(enumerate(pairs, start=1), key=lambda numbered: _board_key(numbered[1]))
    return tuple(
        PairedGame(
            board=board,
            white=pair.white.tpn,
            black=pair.black.tpn,
            reasons=build_reason_sequence([_in_turn(why, formed) for why in pair.reasons]),
            formation_number=formed,
        )
        for board, (formed, pair) in enumerate(ordered, start=1)
    )


def _in_turn(why: ReasonEntry, formed: int) -> ReasonEntry:
    if why.kind is not ReasonKind.SCORE_GROUP or isinstance(why, ReasonRun):
        return why
    return replace(why, facts=tuple(sorted({**dict(why.facts), "formed": formed}.items())))


def _board_key(pair: ColouredPair) -> tuple[int, int, int]:
    higher, lower = sorted((pair.white, pair.black), key=rank_key)
    return (-higher.pairing_score, -(higher.pairing_score + lower.pairing_score), higher.number)


def rank_key(contender: PairingPlayer) -> tuple[int, int]:
    """Return a sort key for the system's own order: pairing score, then number; smaller is higher."""
    return (-contender.pairing_score, contender.number)
