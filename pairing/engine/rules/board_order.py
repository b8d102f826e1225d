"""The order of the boards, the same for every system (contract, Order of the boards)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.engine.paired_round import (
    PairedGame,
    ReasonEntry,
    ReasonFact,
    ReasonKind,
    ReasonRun,
    build_reason_sequence,
    with_facts,
)
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
            reasons=build_reason_sequence([_with_pair_facts(why, pair, formed) for why in pair.reasons]),
            formation_number=formed,
        )
        for board, (formed, pair) in enumerate(ordered, start=1)
    )


def _with_pair_facts(why: ReasonEntry, pair: ColouredPair, formed: int) -> ReasonEntry:
    """Add to the reason for the score group what it cannot know: the order of the pairs, and both players' scores."""
    if why.kind is not ReasonKind.SCORE_GROUP or isinstance(why, ReasonRun):
        return why
    facts: dict[str, ReasonFact] = {
        "formed": formed,
        "white_half_points": pair.white.pairing_score,
        "black_half_points": pair.black.pairing_score,
    }
    if pair.white.fictitious or pair.black.fictitious:
        facts["extra"] = True
    return with_facts(why, **facts)


def _board_key(pair: ColouredPair) -> tuple[int, int, int]:
    higher, lower = sorted((pair.white, pair.black), key=rank_key)
    return (-higher.pairing_score, -(higher.pairing_score + lower.pairing_score), higher.number)


def rank_key(contender: PairingPlayer) -> tuple[int, int]:
    """Return the key that sorts by pairing score, then by number. The smallest key ranks first."""
    return (-contender.pairing_score, contender.number)
