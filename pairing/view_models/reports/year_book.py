"""A club's year: its events with their tables, how ratings changed, who came how often."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Q

from clubs.models import Club, TimeKind
from clubs.privacy import public_name
from pairing.view_models.sheets.tables import StandingsSheet, standings_sheet
from pairing.view_models.standings.event_standings import last_played, standings
from tournaments.club_ratings.history import club_list
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem
from tournaments.series.grand_prix import YearOfEvenings, attendance


@dataclass(frozen=True, slots=True, kw_only=True)
class YearEvent:
    """An event of the year with its table after the last round with a result.

    `days` are its first and its last, as far as they are known.
    """

    name: str
    days: tuple[date, ...]
    players: int
    table: StandingsSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingOfYear:
    """A member's rating of one kind at the end of the year before, None for none, and at the end of this one."""

    name: str
    before: int | None
    after: int
    games: int

    @property
    def change(self) -> int | None:
        return None if self.before is None else self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class YearBook:
    """The year. `ratings` by kind of chess (`TimeKind`), those with rated games, the highest first."""

    club: str
    year: int
    events: tuple[YearEvent, ...]
    ratings: tuple[tuple[str, tuple[RatingOfYear, ...]], ...]
    evenings: YearOfEvenings


def year_book(club: Club, year: int, *, for_officers: bool) -> YearBook:
    """A club's calendar year; who came how often only `for_officers`, as on its page.

    Of members who refused publication the ratings have initials; tables name players as their events do.
    """
    events = club.tournaments.filter(Q(ends_on__year=year) | Q(ends_on=None, starts_on__year=year))
    found = [_event(each) for each in events.select_related("club").order_by("starts_on", "pk")]
    evenings = attendance(club, year)
    ratings = ((kind, _ratings(club, kind, year)) for kind in TimeKind.values)
    return YearBook(
        club=club.name,
        year=year,
        events=tuple(each for each in found if each is not None),
        ratings=tuple((kind, rows) for kind, rows in ratings if rows),
        evenings=evenings if for_officers else replace(evenings, members=()),
    )


def _event(tournament: Tournament) -> YearEvent | None:
    """None for an event that has no table: nobody played, or its tie-breaks are not known."""
    try:
        table = standings(tournament, last_played(tournament))
    except ArbiterProblem:
        return None
    if not table.after_round:
        return None
    return YearEvent(
        name=tournament.name,
        days=tuple(dict.fromkeys(day for day in (tournament.starts_on, tournament.ends_on) if day)),
        players=len(table.rows),
        table=standings_sheet(table),
    )


def _ratings(club: Club, kind: str, year: int) -> tuple[RatingOfYear, ...]:
    """Those who had rated games in the year."""
    before = {row.member.pk: row for row in club_list(club, kind, date(year - 1, 12, 1))}
    rows = []
    for row in club_list(club, kind, date(year, 12, 1)):
        old = before.get(row.member.pk)
        games = row.games - (old.games if old else 0)
        if row.rating and games > 0:
            rows.append(
                RatingOfYear(
                    name=public_name(row.member), before=old.rating if old else None, after=row.rating, games=games
                )
            )
    return tuple(rows)
