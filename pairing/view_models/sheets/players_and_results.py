"""What several sheets have in common: a player, and what a result looks like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import pgettext

from clubs.models import FideTitle
from pairing.engine.snapshot import HalfPoints, PointSystem, Result
from pairing.explanations.reason_sentences import points_text
from tournaments.import_export.snapshots import BYE_RESULTS, point_system_of_event
from tournaments.models import Game, Tournament

ADJOURNED_SYMBOL = "adj."

_RESULT_TEXTS: Mapping[str, str] = {
    Game.Result.PENDING: "",
    Game.Result.WHITE_WINS: "1–0",
    Game.Result.DRAW: "½–½",
    Game.Result.BLACK_WINS: "0–1",
    Game.Result.WHITE_WINS_FORFEIT: "+ : −",
    Game.Result.BLACK_WINS_FORFEIT: "− : +",
    Game.Result.DOUBLE_FORFEIT: "− : −",
    Game.Result.WHITE_WINS_UNRATED: "1–0*",
    Game.Result.DRAW_UNRATED: "½–½*",
    Game.Result.BLACK_WINS_UNRATED: "0–1*",
    Game.Result.BOTH_LOSE: "0–0",
    Game.Result.ADJOURNED: ADJOURNED_SYMBOL,
}


def format_result(result: str) -> str:
    """A result as a pairing list prints it; a star marks a game that is not rated."""
    return localise_symbol(_RESULT_TEXTS[result])


def localise_symbol(symbol: str) -> str:
    """A result or symbol in the reader's language: all but one are signs."""
    return pgettext("a result, as short as a sign", "adj.") if symbol == ADJOURNED_SYMBOL else symbol


RESULT_SYMBOLS: Mapping[Result, str] = {
    Result.WIN: "1",
    Result.DRAW: "½",
    Result.LOSS: "0",
    Result.UNRATED_WIN: "1*",
    Result.UNRATED_DRAW: "½*",
    Result.UNRATED_LOSS: "0*",
    Result.FORFEIT_WIN: "+",
    Result.FORFEIT_LOSS: "−",
    Result.FULL_POINT_BYE: "1",
    Result.HALF_POINT_BYE: "½",
    Result.ZERO_POINT_BYE: "0",
    Result.ABSENT: "–",
    Result.ADJOURNED: ADJOURNED_SYMBOL,
}
"""One player's result of a round, the same in every language until it is `localise_symbol`; the worth of the
pairing-allocated bye depends on the event."""

PLAYER_FIELDS = ("id", "tpn", "name", "title", "rating")
"""The fields of an entry that `player_from_fields` takes, in their order."""


def name_with_title(title: str, name: str) -> str:
    """A name behind its title, from which no line parts it."""
    return f"{title}\N{NO-BREAK SPACE}{name}" if title else name


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlayer:
    """A player on a sheet; `score` is what he was paired with, in half points, None where it is not known."""

    entry: int
    tpn: int | None
    name: str
    title: str
    rating: int
    score: HalfPoints | None = None

    @property
    def name_with_title(self) -> str:
        return name_with_title(self.title, self.name)

    @property
    def points(self) -> str:
        return "" if self.score is None else points_text(self.score)

    @property
    def title_label(self) -> str:
        return str(FideTitle(self.title).label) if self.title else ""


def player_from_fields(row: Iterable[Any], scores: Mapping[str, HalfPoints]) -> SheetPlayer:
    """A player from the values of PLAYER_FIELDS; `scores` are those of a Round, by entry key."""
    entry, tpn, name, title, rating = row
    return SheetPlayer(entry=entry, tpn=tpn, name=name, title=title, rating=rating, score=scores.get(str(entry)))


def bye_symbol(tournament: Tournament, kind: str) -> str:
    """What a bye brings, as the table shows it."""
    return symbol_of_result(BYE_RESULTS[kind], point_system_of_event(tournament))


def symbol_of_result(result: Result, points: PointSystem) -> str:
    """A result as tables show it: of a game who won, of a bye what it brought."""
    is_bye = result is Result.PAIRING_ALLOCATED_BYE or result.is_requested_bye
    return points_text(points.points_for_result(result)) if is_bye else RESULT_SYMBOLS[result]
