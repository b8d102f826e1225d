"""The next round of a round robin: a row of the table, whatever the results."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.paired_round import (
    PairedBye,
    PairedGame,
    PairedRound,
    PairingImpossible,
    PairingReason,
    PlayerScore,
    ReasonKind,
    make_reason,
)
from pairing.engine.rules.players import players_from_snapshot
from pairing.engine.snapshot import PairingNumber, Result, TournamentSnapshot
from pairing.engine.systems.round_robin.berger_tables import (
    BergerRow,
    berger_table_row,
    berger_table_size,
    round_robin_schedule,
)
from pairing.engine.systems.round_robin.withdrawals import withdrawn_players

_RESTS = frozenset({Result.HALF_POINT_BYE, Result.FULL_POINT_BYE})
ARTICLE_REFERENCE = "round-robin C.05 annex 1"


def pair_next_round(snapshot: TournamentSnapshot) -> PairedRound:
    """Pair the next round. TPNs must be 1, 2, 3, ... without a gap, as they are places in the table.

    A withdrawn player keeps their games, which are scored as forfeited. Raises PairingImpossible if the table has no
    place for a late entrant, or if a player has requested a bye.
    """
    players = len(snapshot.cards)
    _check_numbers(snapshot)
    _check_byes(snapshot)
    row = round_robin_schedule(players, max(snapshot.rounds_announced or 0, snapshot.round_number))[
        snapshot.rounds_paired
    ]
    gone = withdrawn_players(snapshot)
    games = [game for game in row.games if max(game) <= players]
    resting = next((min(game) for game in row.games if max(game) > players), None)
    return PairedRound(
        system="round-robin",
        round_number=snapshot.round_number,
        games=tuple(
            PairedGame(
                board=board,
                white=white,
                black=black,
                reasons=_reasons(row, (white, black), gone),
                formation_number=board,
            )
            for board, (white, black) in enumerate(games, start=1)
        ),
        bye=None if resting is None else PairedBye(player=resting, reasons=_reasons(row, (resting,), gone)),
        scores=tuple(PlayerScore(tpn=each.tpn, score=each.score) for each in players_from_snapshot(snapshot)),
    )


def _reasons(
    row: BergerRow, players: Sequence[PairingNumber], gone: frozenset[PairingNumber]
) -> tuple[PairingReason, ...]:
    table = make_reason(
        ARTICLE_REFERENCE,
        ReasonKind.TABLE,
        *players,
        table=row.table,
        row=row.row,
        cycle=row.cycle,
        rests=len(players) == 1,
    )
    left = tuple(make_reason(ARTICLE_REFERENCE, ReasonKind.WITHDRAWN, tpn) for tpn in players if tpn in gone)
    return (table, *left)


def _check_numbers(snapshot: TournamentSnapshot) -> None:
    """Raises PairingImpossible if the numbers have gaps or a late entrant has no free place in an odd table."""
    numbers = sorted(card.tpn for card in snapshot.cards)
    if numbers != list(range(1, len(numbers) + 1)):
        raise PairingImpossible("a round robin needs the numbers 1, 2, 3, ... without a gap")
    made = {
        frozenset((card.tpn, record.opponent))
        for card in snapshot.cards
        for record in card.records[:1]
        if record.opponent is not None
    }
    first = {frozenset(game) for game in berger_table_row(berger_table_size(len(numbers)), 1)}
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
