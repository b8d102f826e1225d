"""The round of a round robin: the row of the table, whatever happened before."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.paired_round import (
    PairedBye,
    PairedGame,
    PairedRound,
    PairingImpossible,
    PlayerScore,
    Reason,
    ReasonKind,
    reason,
)
from pairing.engine.rules.field import take_field
from pairing.engine.snapshot import PairingNumber, Result, TournamentSnapshot
from pairing.engine.systems.round_robin.standing import withdrawn
from pairing.engine.systems.round_robin.tables import Row, schedule, table_row, table_size

_RESTS = frozenset({Result.HALF_POINT_BYE, Result.FULL_POINT_BYE})
ARTICLE = "round-robin C.05 annex 1"


def pair(snapshot: TournamentSnapshot) -> PairedRound:
    """The next round. Numbers are places in the table, so they must be 1, 2, 3, ... without a gap.

    A player who has withdrawn keeps his games, which are scored as forfeited. Raises PairingImpossible where the table
    has no place for a late entrant, or somebody has asked for a bye: in a round robin nobody rests but by the table.
    """
    players = len(snapshot.cards)
    _check_numbers(snapshot)
    _check_byes(snapshot)
    row = schedule(players, max(snapshot.rounds_announced or 0, snapshot.round_number))[snapshot.rounds_paired]
    gone = withdrawn(snapshot)
    games = [game for game in row.games if max(game) <= players]
    resting = next((min(game) for game in row.games if max(game) > players), None)
    return PairedRound(
        system="round-robin",
        round_number=snapshot.round_number,
        games=tuple(
            PairedGame(board=board, white=white, black=black, reasons=_reasons(row, (white, black), gone), formed=board)
            for board, (white, black) in enumerate(games, start=1)
        ),
        bye=None if resting is None else PairedBye(player=resting, reasons=_reasons(row, (resting,), gone)),
        scores=tuple(PlayerScore(tpn=each.tpn, score=each.score) for each in take_field(snapshot)),
    )


def _reasons(row: Row, players: Sequence[PairingNumber], gone: frozenset[PairingNumber]) -> tuple[Reason, ...]:
    table = reason(
        ARTICLE, ReasonKind.TABLE, *players, table=row.table, row=row.row, cycle=row.cycle, rests=len(players) == 1
    )
    left = tuple(reason(ARTICLE, ReasonKind.WITHDRAWN, tpn) for tpn in players if tpn in gone)
    return (table, *left)


def _check_numbers(snapshot: TournamentSnapshot) -> None:
    """Late entrants may take the free number of an odd table; an even one has no place for them."""
    numbers = sorted(card.tpn for card in snapshot.cards)
    if numbers != list(range(1, len(numbers) + 1)):
        raise PairingImpossible("a round robin needs the numbers 1, 2, 3, ... without a gap")
    made = {
        frozenset((card.tpn, record.opponent))
        for card in snapshot.cards
        for record in card.records[:1]
        if record.opponent is not None
    }
    first = {frozenset(game) for game in table_row(table_size(len(numbers)), 1)}
    if made and not made & first:
        raise PairingImpossible(
            "the table has no place for late entrants: it was made for an even number of players",
            players=numbers[-1:],
        )


def _check_byes(snapshot: TournamentSnapshot) -> None:
    asked = [card.tpn for card in snapshot.cards if card.unavailable is not None and card.unavailable.result in _RESTS]
    if asked:
        raise PairingImpossible(
            "in a round robin nobody rests but by the table: a game is lost by forfeit or played on another day",
            players=asked,
        )
