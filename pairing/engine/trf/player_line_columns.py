"""The columns of a player's line (TRF16, annex 2 of FIDE's C.04), counted in characters from 0 here.

The format has no space for a pairing number or rank of five digits. It takes the blank column before its field: TPN,
RANK and an opponent's number begin with it.
"""

from __future__ import annotations

from pairing.engine.snapshot import Result

TPN = slice(3, 8)
MAX_TPN = 99_999
MAX_ROUNDS, MAX_PLAYERS, MAX_LINES = 99, 10_000, 200_000
"""Limits of an event and its file, wherever they come from."""
SEX = slice(9, 10)
TITLE = slice(10, 13)
NAME = slice(14, 47)
RATING = slice(48, 52)
FEDERATION = slice(53, 56)
FIDE_NUMBER = slice(57, 68)
BIRTH_DATE = slice(69, 79)
POINTS = slice(80, 84)
RANK = slice(84, 89)
GAPS = (8, 13, 47, 52, 56, 68, 79, 89)
"""Columns between the fields, always blank."""

FIRST_BLOCK = 90
BLOCK_WIDTH = 10
"""Round n begins at FIRST_BLOCK + (n - 1) * BLOCK_WIDTH: opponent (5), blank, colour, blank, result, blank."""

RESULTS_BY_LETTER = {result.value: result for result in Result if result is not Result.ABSENT}
"""The letters of a result column. An absence has the letter of a forfeit loss, without an opponent."""


def opponent_column_of_round(round_number: int) -> int:
    """Return the column (from 1) of the opponent in that round."""
    return FIRST_BLOCK + (round_number - 1) * BLOCK_WIDTH + 2


def colour_column_of_round(round_number: int) -> int:
    """Return the column (from 1) of the player's colour in that round."""
    return opponent_column_of_round(round_number) + 5


def result_column_of_round(round_number: int) -> int:
    """Return the column (from 1) of the player's result in that round."""
    return opponent_column_of_round(round_number) + 7
