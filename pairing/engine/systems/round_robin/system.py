"""The next round of a round robin: the table's row, which does not depend on the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
from pairing.engine.snapshot import (
    ABSENT_RECORD,
    InvalidSnapshot,
    PairingCard,
    PairingNumber,
    Result,
    TournamentSnapshot,
)

_RESTS = frozenset({Result.HALF_POINT_BYE, Result.FULL_POINT_BYE})
ARTICLE_REFERENCE = "round-robin C.05 annex 1"


def pair_next_round(snapshot: TournamentSnapshot) -> PairedRound:
    """Pair the next round. TPNs must be 1, 2, 3, ... without gaps, because they are places in the table.

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


_STAYED_AWAY = frozenset({Result.ABSENT, Result.ZERO_POINT_BYE, Result.FORFEIT_LOSS})


def withdrawn_players(snapshot: TournamentSnapshot) -> frozenset[PairingNumber]:
    """Return players who have left by the next round. After the last round, return players who missed it."""
    is_over = snapshot.rounds_announced is not None and snapshot.rounds_paired >= snapshot.rounds_announced
    return frozenset(card.tpn for card in snapshot.cards if _has_left(card, is_over=is_over))


def annulled_players(snapshot: TournamentSnapshot) -> frozenset[PairingNumber]:
    """Return players who withdrew before playing half of their games, so that their results do not count."""
    in_all = _games_in_all(snapshot)
    gone = withdrawn_players(snapshot)
    return frozenset(card.tpn for card in snapshot.cards if card.tpn in gone and 2 * _games_played(card) < in_all)


def without_annulled_games(snapshot: TournamentSnapshot) -> TournamentSnapshot:
    """Return the event as it counts in the table, without games against players who withdrew early."""
    gone = annulled_players(snapshot)
    if not gone:
        return snapshot
    return replace(snapshot, cards=tuple(_without(card, gone) for card in snapshot.cards))


def _without(card: PairingCard, gone: frozenset[PairingNumber]) -> PairingCard:
    return replace(
        card,
        records=tuple(
            ABSENT_RECORD if card.tpn in gone or record.opponent in gone else record for record in card.records
        ),
    )


def _has_left(card: PairingCard, *, is_over: bool) -> bool:
    if card.unavailable is not None and card.unavailable.result is Result.ABSENT:
        return True
    return is_over and bool(card.records) and card.records[-1].result in _STAYED_AWAY


def _games_played(card: PairingCard) -> int:
    return sum(record.is_played for record in card.records)


def _games_in_all(snapshot: TournamentSnapshot) -> int:
    """Return how many games each player has: one per round, minus the byes of an odd table."""
    players = len(snapshot.cards)
    rounds = snapshot.rounds_announced or berger_table_size(players) - 1
    cycles = -(-rounds // (berger_table_size(players) - 1))
    return rounds - cycles * (players % 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class BergerRow:
    """A round's games as White and Black, in the table's order.

    `table` is its number of players, always even; with an odd field the last number means the bye. `row` is the row
    number, from 1. `cycle` is 1 for the first meeting, 2 for the second.
    """

    table: int
    row: int
    cycle: int
    games: tuple[tuple[PairingNumber, PairingNumber], ...]


def berger_table_size(players: int) -> int:
    """Return the size of the table: the number of players, rounded up to an even number."""
    return players + players % 2


def round_robin_schedule(players: int, rounds: int) -> tuple[BergerRow, ...]:
    """Return all rounds of an event. If there are more rounds than one cycle has, it is a double round robin.

    Raises InvalidSnapshot if there are more rounds than two cycles, or fewer than two players.
    """
    size = berger_table_size(players)
    if players < 2:
        raise InvalidSnapshot("a round robin needs two players")
    if rounds > 2 * (size - 1):
        raise InvalidSnapshot(f"{players} players meet one another twice in {2 * (size - 1)} rounds, not {rounds}")
    rows = list(range(1, size))
    if rounds < size:
        return tuple(
            BergerRow(table=size, row=row, cycle=1, games=berger_table_row(size, row)) for row in rows[:rounds]
        )
    first = [BergerRow(table=size, row=row, cycle=1, games=berger_table_row(size, row)) for row in rows]
    # The last two rounds of the first cycle are swapped, so nobody has a colour three times running.
    first[-2:] = reversed(first[-2:])
    second = [
        BergerRow(
            table=size, row=row, cycle=2, games=tuple((black, white) for white, black in berger_table_row(size, row))
        )
        for row in rows
    ]
    return (*first, *second)[:rounds]


def berger_table_row(size: int, row: int) -> tuple[tuple[PairingNumber, PairingNumber], ...]:
    """Return row `row` (from 1) of the table for an even number of players.

    The last number's opponent moves on by half the table each row. The last number has Black in odd rows, White in even
    ones. The others meet in pairs at equal distances from that opponent on a circle. The upper one has White.
    """
    circle = size - 1
    pivot = 1 + (row - 1) * (size // 2) % circle
    games = [(pivot, size) if row % 2 else (size, pivot)]
    for step in range(1, size // 2):
        games.append((1 + (pivot - 1 + step) % circle, 1 + (pivot - 1 - step) % circle))
    return tuple(games)
