"""Records that sheets share: players and the display of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.translation import pgettext

from clubs.models import FideTitle
from common.text.name_order import name_sort_key
from pairing.engine.snapshot import HalfPoints, PointSystem, Result
from pairing.explanations.reason_sentences import points_text
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.import_export.snapshots import BYE_RESULTS, point_system_of_event
from tournaments.models import Game, PairingSystem, Tournament

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
    """Return a result as pairing lists print it. An asterisk marks an unrated game."""
    return localise_symbol(_RESULT_TEXTS[result])


def localise_symbol(symbol: str) -> str:
    """Return a result or symbol in the active language. Only an adjourned game is shown as a word."""
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
"""One player's result in a round, before `localise_symbol`.

The pairing-allocated bye is missing because its points depend on the event.
"""

PLAYER_FIELDS = ("id", "tpn", "name", "title", "rating")
"""The fields of an entry for `player_from_fields`, in order."""


def name_with_title(title: str, name: str) -> str:
    """Return a name after its title, joined by a no-break space."""
    return f"{title}\N{NO-BREAK SPACE}{name}" if title else name


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlayer:
    """A player on a sheet. `score` is the score before pairing in half points, or None if unknown.

    Links have the key (`entry`). `tpn` is the present pairing number, `number_in_round` that of the sheet's round if
    it's another.
    """

    entry: int
    tpn: int | None
    name: str
    title: str
    rating: int
    score: HalfPoints | None = None
    number_in_round: int | None = None

    @property
    def number(self) -> int | None:
        """The pairing number to show."""
        return self.number_in_round or self.tpn

    @property
    def name_with_title(self) -> str:
        return name_with_title(self.title, self.name)

    @property
    def points(self) -> str:
        return "" if self.score is None else points_text(self.score)

    @property
    def title_label(self) -> str:
        return str(FideTitle(self.title).label) if self.title else ""


def player_from_fields(
    row: Iterable[Any], scores: Mapping[str, HalfPoints], numbers: Mapping[str, int] = MappingProxyType({})
) -> SheetPlayer:
    """Return a player from the values of `PLAYER_FIELDS`.

    `scores` are a round's, by entry key, and so are `numbers` (`tournaments.entries.pairing_numbers.kept_numbers`).
    """
    entry, tpn, name, title, rating = row
    return SheetPlayer(
        entry=entry,
        tpn=tpn,
        name=name,
        title=title,
        rating=rating,
        score=scores.get(str(entry)),
        number_in_round=numbers.get(str(entry)),
    )


def bye_symbol(tournament: Tournament, kind: str) -> str:
    """Return the points for a bye as tables show them: a dash in a Keizer season, where they count for nothing."""
    return symbol_of_result(BYE_RESULTS[kind], point_system_of_event(tournament), tournament.system)


def symbol_of_result(result: Result, points: PointSystem, system: str) -> str:
    """Return a result as tables show it: a symbol for a game, points for a bye or, in a Keizer season, a dash."""
    if result is not Result.PAIRING_ALLOCATED_BYE and not result.is_requested_bye:
        return RESULT_SYMBOLS[result]
    return "–" if system == PairingSystem.KEIZER else points_text(points.points_for_result(result))


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingListPlayer:
    """A player on the starting list. `rating` is 0 if unrated."""

    number: int
    name: str
    title: str
    rating: int
    federation: str
    club_name: str
    birth_year: str
    fide_id: str
    has_withdrawn: bool

    @property
    def family_name(self) -> str:
        return self.name.partition(", ")[0]

    @property
    def given_name(self) -> str:
        return self.name.partition(", ")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingListSheet:
    """The players in an event, by number."""

    club: str
    event: str
    city: str
    rounds_announced: int
    players: tuple[StartingListPlayer, ...]

    @property
    def players_by_name(self) -> tuple[StartingListPlayer, ...]:
        return tuple(sorted(self.players, key=lambda person: name_sort_key(person.name)))

    @property
    def players_by_rating(self) -> tuple[StartingListPlayer, ...]:
        return tuple(sorted(self.players, key=lambda person: (-person.rating, person.number)))


def starting_list_sheet(tournament: Tournament) -> StartingListSheet:
    """Return all players in an event, in one query."""
    entries = list(tournament.entries.all())
    numbers = pairing_numbers_by_entry(entries)
    people = (
        StartingListPlayer(
            number=numbers[entry.pk],
            name=entry.name,
            title=entry.title,
            rating=entry.rating,
            federation=entry.federation,
            club_name=entry.club_name,
            birth_year=entry.birth[:4],
            fide_id=entry.fide_id,
            has_withdrawn=entry.withdrawn_from_round is not None,
        )
        for entry in entries
    )
    return StartingListSheet(
        club=tournament.club.name,
        event=tournament.name,
        city=tournament.city,
        rounds_announced=tournament.rounds_announced,
        players=tuple(sorted(people, key=lambda person: person.number)),
    )
