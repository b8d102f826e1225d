"""A club's yearbook: events with their tables, rating changes and attendance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Q

from clubs.models import Club, TimeControlKind
from clubs.privacy import public_name
from pairing.view_models.sheets.standings_sheet import StandingsSheet, standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings, last_round_with_result
from tournaments.club_ratings.rating_history import club_rating_list
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem
from tournaments.series.standings import YearAttendance, attendance_in_year


@dataclass(frozen=True, slots=True, kw_only=True)
class YearBookEvent:
    """An event of the year, with its table after the last round with a result.

    `days` are the first and last day, if known.
    """

    name: str
    days: tuple[date, ...]
    players: int
    table: StandingsSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class YearBookRating:
    """A member's rating for one kind of time control at the end of the year and the year before (None if unrated)."""

    name: str
    before: int | None
    after: int
    games: int

    @property
    def rating_change(self) -> int | None:
        return None if self.before is None else self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubYearBook:
    """A club's yearbook.

    `ratings` are by kind of chess (`TimeControlKind`), highest first, for players with rated games.
    """

    club: str
    year: int
    events: tuple[YearBookEvent, ...]
    ratings: tuple[tuple[str, tuple[YearBookRating, ...]], ...]
    evenings: YearAttendance


def club_year_book(club: Club, year: int, *, for_officers: bool) -> ClubYearBook:
    """Return the yearbook of a calendar year. It has attendance by member only if `for_officers`.

    Ratings show initials for members who refused publication; tables name players as their events do.
    """
    events = club.tournaments.filter(Q(ends_on__year=year) | Q(ends_on=None, starts_on__year=year))
    found = [_event(each) for each in events.select_related("club").order_by("starts_on", "pk")]
    evenings = attendance_in_year(club, year)
    ratings = ((kind, _ratings(club, kind, year)) for kind in TimeControlKind.values)
    return ClubYearBook(
        club=club.name,
        year=year,
        events=tuple(each for each in found if each is not None),
        ratings=tuple((kind, rows) for kind, rows in ratings if rows),
        evenings=evenings if for_officers else replace(evenings, members=()),
    )


def _event(tournament: Tournament) -> YearBookEvent | None:
    """Return the event's entry, or None if nobody played or a tie-break is unknown."""
    try:
        table = get_event_standings(tournament, last_round_with_result(tournament))
    except ArbiterProblem:
        return None
    if not table.after_round:
        return None
    return YearBookEvent(
        name=tournament.name,
        days=tuple(dict.fromkeys(day for day in (tournament.starts_on, tournament.ends_on) if day)),
        players=len(table.rows),
        table=standings_sheet(table),
    )


def _ratings(club: Club, kind: str, year: int) -> tuple[YearBookRating, ...]:
    """Return the ratings of members with rated games in the year."""
    before = {row.member.pk: row for row in club_rating_list(club, kind, date(year - 1, 12, 1))}
    rows = []
    for row in club_rating_list(club, kind, date(year, 12, 1)):
        old = before.get(row.member.pk)
        games = row.games - (old.games if old else 0)
        if row.rating and games > 0:
            rows.append(
                YearBookRating(
                    name=public_name(row.member), before=old.rating if old else None, after=row.rating, games=games
                )
            )
    return tuple(rows)
