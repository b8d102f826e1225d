"""The Berger tables of the FIDE Handbook (C.05, annex 1): everybody meets everybody, once or twice."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.snapshot import InvalidSnapshot, PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class BergerRow:
    """One row of a table: a round's games as White and Black, in the table's order.

    `table` is how many players it is for, always even; with fewer the last number stands for the rest. `row` is its
    place in the table, from 1, `cycle` whether everybody meets for the first or the second time.
    """

    table: int
    row: int
    cycle: int
    games: tuple[tuple[PairingNumber, PairingNumber], ...]


def berger_table_size(players: int) -> int:
    """For how many players the table is: an odd number takes the next even one."""
    return players + players % 2


def round_robin_schedule(players: int, rounds: int) -> tuple[BergerRow, ...]:
    """All rounds of an event; InvalidSnapshot where there are more than two cycles have, or fewer than two players.

    More rounds than one cycle has make it a double round robin.
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
    # The last two rounds of the first cycle change places, so that nobody has a colour three times running.
    first[-2:] = reversed(first[-2:])
    second = [
        BergerRow(
            table=size, row=row, cycle=2, games=tuple((black, white) for white, black in berger_table_row(size, row))
        )
        for row in rows
    ]
    return (*first, *second)[:rounds]


def berger_table_row(size: int, row: int) -> tuple[tuple[PairingNumber, PairingNumber], ...]:
    """Row `row` (from 1) of the table for an even number of players.

    The last number goes round all others by half the table, with Black in odd rows and White in even ones; the rest
    meet those as far above his opponent as they are below, counted in a circle, the upper one with White.
    """
    circle = size - 1
    pivot = 1 + (row - 1) * (size // 2) % circle
    games = [(pivot, size) if row % 2 else (size, pivot)]
    for step in range(1, size // 2):
        games.append((1 + (pivot - 1 + step) % circle, 1 + (pivot - 1 - step) % circle))
    return tuple(games)
