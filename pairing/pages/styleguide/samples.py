"""Sample players, boards and rounds in every state."""

from __future__ import annotations

from typing import Any

from pairing.explanations.named_reasons import NO_EXPLANATION, ExplainedReason, Explanation, WarningWithNames
from pairing.view_models.sheets.players_and_results import SheetPlayer
from pairing.view_models.sheets.round_pairings import SheetBoard, SheetBye
from tournaments.models import Game, Round
from tournaments.problems import ArbiterProblem

TOKENS = (
    ("page", "surface", "surface-sunk", "ink", "ink-soft", "line", "line-strong"),
    ("accent", "accent-strong", "accent-wash", "on-accent", "square-dark", "on-square-dark", "club"),
    ("good", "good-wash", "care", "care-wash", "problem", "problem-wash", "focus"),
)
ICONS = (
    *("alert", "calendar", "cake", "check", "clock", "first", "help", "language", "last", "look", "money", "more"),
    *("on", "people", "phone", "printer", "redo", "screen", "search", "told", "trophy", "undo"),
)
ROUNDS = [
    Round(number=number, state=state)
    for number, state in enumerate(
        (Round.State.FINISHED, Round.State.FINISHED, Round.State.PUBLISHED, Round.State.DRAFT, Round.State.WAITING), 1
    )
]

_NAMES = (
    ("Szachownicki, Zdzisław", "", 2054, 5),
    ("Топалски-Шахов, Любомир", "FM", 2208, 5),
    ("Gońcowska-Skoczkowa, Świętosława Żaneta", "WFM", 2098, 4),
    ("Věžička, Dobromil", "", 1972, 4),
    ("Pionkiewicz-Przelotowa, Dobrochna Wielisława", "", 1898, 3),
    ("Szach, Jan", "", 0, 1),
)


def _player(place: int) -> SheetPlayer:
    name, title, rating, score = _NAMES[place % len(_NAMES)]
    return SheetPlayer(entry=place, tpn=place + 1, name=name, title=title, rating=rating, score=score)


def _board(number: int, result: str = "") -> SheetBoard:
    return SheetBoard(
        game=number, board=number, white=_player(2 * number), black=_player(2 * number + 1), result=result, revision=0
    )


def sample_board_lines(*, is_draft: bool = False) -> list[dict[str, Any]]:
    """Return boards in every state, of a running round or of a draft."""
    why = Explanation(
        summary="Both had 2½ points and had not met.",
        reasons=(
            ExplainedReason(article="jahr 1, 7", text="Both have 2½ points, the two best totals of their group."),
        ),
    )
    if is_draft:
        broken = WarningWithNames(
            kind="met",
            article="jahr 1",
            names=("Szach, Jan", "Figurka, Ctibor"),
            round=1,
            severity="forbidden",
            board=3,
        )
        doubtful = WarningWithNames(
            kind="colours_turned", article="fide-1989 12", names=("A", "B"), round=None, severity="doubtful", board=2
        )
        return [
            {"board": _board(11), "why": why},
            {"board": _board(12), "why": why, "warnings": (doubtful,)},
            {"board": _board(13), "why": why, "warnings": (broken,)},
        ]
    claims = {"agreement": "different", "white": "1-0", "black": "1/2"}
    return [
        {"board": _board(1), "why": NO_EXPLANATION},
        {"board": _board(2, Game.Result.DRAW)},
        {"board": _board(3), "claims": claims, "is_disputed": True, "white_reports": "1–0", "black_reports": "½–½"},
        {"board": _board(4), "claims": {"agreement": "one", "white": "0-1"}, "white_reports": "0–1"},
        {"board": _board(5)},
        {"board": _board(6, Game.Result.WHITE_WINS_FORFEIT)},
        {"board": _board(7, Game.Result.DRAW), "refused": ArbiterProblem("Board 7 now has a different result: ½–½.")},
    ]


def sample_bye_lines() -> list[dict[str, Any]]:
    """Return every kind of bye with its own label."""
    kinds = (("H", "½"), ("-", "–"), ("U", "½"))
    return [
        {"bye": SheetBye(player=_player(place), kind=kind, worth=worth)} for place, (kind, worth) in enumerate(kinds)
    ]
