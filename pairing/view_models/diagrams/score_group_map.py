"""Map of a round's score groups: games within a group and games between groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairing.explanations.reason_sentences import points_text
from pairing.view_models.sheets.round_pairings import PairingSheet, SheetBoard

WIDTH = 760
LEFT, RIGHT, TOP = 72, 24, 24
ROW_HEIGHT = 56
MAX_BOARD_STEP = 44


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMark:
    """A board in the map, labelled with its `number`."""

    x: int
    y: int
    number: int
    is_top_of_float: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatLine:
    """A board between two score groups: a line from the higher score to the lower."""

    number: int
    x: int
    top: int
    bottom: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGroupRow:
    """A score group in the map and its table: the numbers of players, boards and byes.

    `floated` are the boards between this group and another.
    """

    points: str
    y: int
    players: int
    within: tuple[SheetBoard, ...]
    floated: tuple[SheetBoard, ...]
    byes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGroupMap:
    """Everything a template needs to draw the map and its table."""

    rows: tuple[ScoreGroupRow, ...]
    board_marks: tuple[BoardMark, ...]
    float_lines: tuple[FloatLine, ...]
    height: int
    radius: int
    width: int = WIDTH
    left: int = LEFT

    @property
    def has_board_numbers(self) -> bool:
        """Return True if the marks are large enough for board numbers."""
        return self.radius >= 9


def score_group_map(sheet: PairingSheet) -> ScoreGroupMap | None:
    """Return the map of a whole round, or None if the scores used for pairing are not known."""
    boards = [board for board in sheet.boards if board.white.score is not None and board.black.score is not None]
    if not boards:
        return None
    byes = [bye for bye in sheet.byes if bye.is_pairing_allocated and bye.player.score is not None]
    scores = sorted(
        {score for board in boards for score in _scores(board)} | {_known(bye.player.score) for bye in byes}
    )
    scores.reverse()
    y_of = {score: TOP + ROW_HEIGHT * place + ROW_HEIGHT // 2 for place, score in enumerate(scores)}
    x_of = _columns(boards)
    spots, ties = [], []
    for board in boards:
        high, low = max(_scores(board)), min(_scores(board))
        x = x_of[board.board]
        spots.append(BoardMark(x=x, y=y_of[low], number=board.board))
        if high != low:
            spots.append(BoardMark(x=x, y=y_of[high], number=board.board, is_top_of_float=True))
            ties.append(FloatLine(number=board.board, x=x, top=y_of[high], bottom=y_of[low]))
    rows = tuple(
        ScoreGroupRow(
            points=points_text(score),
            y=y_of[score],
            players=sum(_scores(board).count(score) for board in boards)
            + sum(bye.player.score == score for bye in byes),
            within=tuple(board for board in boards if _scores(board) == (score, score)),
            floated=tuple(board for board in boards if score in _scores(board) and len(set(_scores(board))) > 1),
            byes=tuple(bye.player.name for bye in byes if bye.player.score == score),
        )
        for score in scores
    )
    return ScoreGroupMap(
        rows=rows,
        board_marks=tuple(spots),
        float_lines=tuple(ties),
        height=TOP + ROW_HEIGHT * len(scores) + TOP // 2,
        radius=max(2, min(14, _step(boards) // 2 - 1)),
    )


def _step(boards: Sequence[SheetBoard]) -> int:
    """Return the width of a board in the map."""
    return max(1, min(MAX_BOARD_STEP, (WIDTH - LEFT - RIGHT) // len(boards)))


def _columns(boards: Sequence[SheetBoard]) -> dict[int, int]:
    """Return each board's x, in the order of the boards."""
    step = _step(boards)
    return {board.board: LEFT + step * place + step // 2 for place, board in enumerate(boards)}


def _scores(board: SheetBoard) -> tuple[int, int]:
    return _known(board.white.score), _known(board.black.score)


def _known(score: int | None) -> int:
    """Return a score of a board or bye that is known to have one."""
    return score or 0
