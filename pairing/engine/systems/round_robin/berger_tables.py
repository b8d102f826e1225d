"""The Berger tables of the FIDE Handbook (C.05, annex 1): everyone meets everyone, once or twice."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.snapshot import InvalidSnapshot, PairingNumber


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
    """Return all rounds of an event; more rounds than one cycle make it a double round robin.

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
