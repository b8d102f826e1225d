"""Upfloats by 2.5 where only moved-up players count: earlier rounds are paired again to find them.

A report file says who met, not why. So each earlier round is paired again by the rules. If the rules give the same
board, they show whether its players were moved up. If not, the scores of the two decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pairing.engine.paired_round import PairedRound, PairingImpossible, ReasonKind
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.rules.snapshot_before import snapshot_before_round
from pairing.engine.snapshot import PairingNumber, TournamentSnapshot

UpfloatRounds: TypeAlias = Mapping[PairingNumber, frozenset[int]]
"""The rounds in which each player was moved up."""

PairEarlierRound: TypeAlias = Callable[[TournamentSnapshot, UpfloatRounds], PairedRound]
"""Pairs a round, given who was moved up before it."""


def find_upfloat_rounds(
    snapshot: TournamentSnapshot, field: tuple[PairingPlayer, ...], pair_anew: PairEarlierRound
) -> UpfloatRounds:
    """Return who was moved up, round by round from the first; `field` has the float marks."""
    rounds: dict[PairingNumber, frozenset[int]] = {player.tpn: frozenset() for player in field}
    cards = {card.tpn: card for card in snapshot.cards}
    for number in range(1, snapshot.rounds_paired + 1):
        opponents, moved = _as_the_rules_have_it(snapshot_before_round(snapshot, number), rounds, pair_anew)
        for player in field:
            opponent = cards[player.tpn].records[number - 1].opponent
            if opponent is None:
                continue
            by_the_rules = opponents.get(player.tpn) == opponent
            if player.tpn in moved if by_the_rules else player.floats[number - 1] is FloatDirection.UP:
                rounds[player.tpn] |= {number}
    return rounds


def _as_the_rules_have_it(
    before: TournamentSnapshot, rounds: UpfloatRounds, pair_anew: PairEarlierRound
) -> tuple[Mapping[PairingNumber, PairingNumber], frozenset[PairingNumber]]:
    """Return everyone's opponent and the players moved up by the rules; empty if no round is possible."""
    try:
        paired = pair_anew(before, dict(rounds))
    except PairingImpossible:
        return {}, frozenset()
    opponents = {game.white: game.black for game in paired.games} | {game.black: game.white for game in paired.games}
    moved = frozenset(
        why.players[0]
        for game in paired.games
        for why in game.reasons
        if why.kind is ReasonKind.FLOATED and why.get_fact("direction") == "up"
    )
    return opponents, moved
