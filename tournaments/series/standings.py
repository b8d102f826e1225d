"""Standings of a series of events, and attendance. All points in half points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import TypeAlias

from django.core.cache import caches
from django.db.models import Count, Max
from django.utils import timezone

from clubs.models import Club, Member
from common.text.name_search import NameWords, name_search_words
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.standings import DEFAULT_TIE_BREAKS_BY_SYSTEM, UnknownTieBreak, rank_players
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.import_export.snapshots import final_event_snapshots
from tournaments.models import Bye, Entry, Game, Round, Series, Tournament

TABLE_CACHE_SECONDS = 60 * 60
"""Seconds for which a table is cached, unless its events change."""

DEFAULT_PLACE_POINTS = (10, 8, 6, 5, 4, 3, 2, 1)

SeriesPlayerKey: TypeAlias = int | NameWords
"""A member's key, or the words of a guest's name."""

UNPLAYED_RESULTS = (
    Game.Result.PENDING,
    Game.Result.WHITE_WINS_FORFEIT,
    Game.Result.BLACK_WINS_FORFEIT,
    Game.Result.DOUBLE_FORFEIT,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAward:
    """A player's half points from an event. `counts` is True if it is among their best events."""

    half_points: int
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRow:
    """A player's row. `awards` follow the events of the table, None for events they did not play."""

    place: int
    name: str
    awards: tuple[EventAward | None, ...]
    evenings: int
    evening_half_points: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesTable:
    """The finished events in order, and everyone who played in one."""

    events: tuple[Tournament, ...]
    rows: tuple[SeriesRow, ...]


@dataclass(slots=True)
class _Player:
    name: str = ""
    by_event: dict[int, int] = field(default_factory=dict)
    evenings: int = 0


def build_series_table(series: Series) -> SeriesTable:
    """Return the standings after the finished events. Players with equal totals share a place, sorted by name.

    Cached until something changes in one of the events.
    """
    going_on = Round.objects.exclude(state=Round.State.FINISHED).values("tournament")
    over = series.events.order_by("starts_on", "pk").exclude(pk__in=going_on)
    events = list(over.annotate(lines=Count("log"), latest=Max("log")))
    rules = (series.award, series.place_points, series.events_counted, series.attendance_points)
    states = [(each.pk, each.name, each.slug, each.lines, each.latest) for each in events]
    key = f"series/{series.pk}/{sha256(repr((rules, states)).encode()).hexdigest()}"
    table: SeriesTable | None = caches["parts"].get(key)
    if table is None:
        table = _table(series, events)
        caches["parts"].set(key, table, TABLE_CACHE_SECONDS)
    return table


def _table(series: Series, events: Sequence[Tournament]) -> SeriesTable:
    players: dict[SeriesPlayerKey, _Player] = defaultdict(_Player)
    evenings, at_the_end = count_evenings_attended(events), final_event_snapshots(events)
    for event in events:
        for entry, half_points in _awards(series, event, *at_the_end[event.pk]).items():
            player = players[_person(entry)]
            player.name = player.name or entry.name
            player.by_event[event.pk] = half_points
            player.evenings += evenings.get(entry.pk, 0)
    rows = [(player, *_counted(series, player)) for player in players.values()]
    totals = sorted((total for _player, _best, total in rows), reverse=True)
    ordered = sorted(rows, key=lambda row: (-row[2], row[0].name))
    return SeriesTable(
        events=tuple(events),
        rows=tuple(
            SeriesRow(
                place=1 + totals.index(total),
                name=player.name,
                awards=tuple(
                    EventAward(half_points=player.by_event[event.pk], counts=event.pk in best)
                    if event.pk in player.by_event
                    else None
                    for event in events
                ),
                evenings=player.evenings,
                evening_half_points=2 * series.attendance_points * player.evenings,
                total=total,
            )
            for player, best, total in ordered
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberAttendance:
    """A member's evenings in a year, by month. `share` is the percentage of all the club's evenings."""

    member: Member
    by_month: tuple[int, ...]
    evenings: int
    share: int


@dataclass(frozen=True, slots=True, kw_only=True)
class YearAttendance:
    """A year's attendance: evenings by month, players on each evening, and each member's evenings."""

    by_month: tuple[int, ...]
    players: tuple[tuple[date, int], ...]
    members: tuple[MemberAttendance, ...]

    @property
    def average_players_per_evening(self) -> int:
        """The average number of players per evening, rounded."""
        return (2 * sum(count for _day, count in self.players) + len(self.players)) // (2 * len(self.players) or 1)


def attendance_in_year(club: Club, year: int) -> YearAttendance:
    """Return a year's attendance, from finished rounds with a date. All events on one day are one evening."""
    days: dict[int, date] = {}
    for this_round in Round.objects.filter(
        tournament__in=club.tournaments.all(), state=Round.State.FINISHED, starts_at__isnull=False
    ):
        day = timezone.localdate(this_round.starts_at)
        if day.year == year:
            days[this_round.pk] = day
    came: dict[date, set[tuple[int | None, str]]] = defaultdict(set)
    for round_key, member, name in _present(days):
        came[days[round_key]].add((member, name))
    of_members: dict[int, set[date]] = defaultdict(set)
    for day, people in came.items():
        for member, _name in people:
            if member is not None:
                of_members[member].add(day)
    members = Member.objects.filter(pk__in=of_members)
    rows = [
        MemberAttendance(
            member=member,
            by_month=_by_month(of_members[member.pk]),
            evenings=len(of_members[member.pk]),
            share=100 * len(of_members[member.pk]) // len(came),
        )
        for member in members
    ]
    return YearAttendance(
        by_month=_by_month(came),
        players=tuple((day, len(people)) for day, people in sorted(came.items())),
        members=tuple(sorted(rows, key=lambda row: (-row.evenings, row.member.sort_name))),
    )


def count_evenings_attended(events: Iterable[Tournament]) -> dict[int, int]:
    """Count each entry's finished rounds with a game played or a pairing-allocated bye."""
    rounds = Round.objects.filter(tournament__in=list(events), state=Round.State.FINISHED).values_list("pk", flat=True)
    counts: dict[int, int] = defaultdict(int)
    games = Game.objects.filter(round__in=rounds).exclude(result__in=UNPLAYED_RESULTS)
    for pair in games.values_list("white_id", "black_id"):
        for entry in pair:
            counts[entry] += 1
    byes = Bye.objects.filter(round__in=rounds, kind=Bye.Kind.PAIRING_ALLOCATED)
    for entry in byes.values_list("entry_id", flat=True):
        counts[entry] += 1
    return counts


def _present(days: Mapping[int, date]) -> Iterable[tuple[int, int | None, str]]:
    """Return round, member and name of everyone present in these rounds."""
    games = Game.objects.filter(round__in=days).exclude(result__in=UNPLAYED_RESULTS)
    for side in ("white", "black"):
        yield from games.values_list("round_id", f"{side}__member_id", f"{side}__name")
    byes = Bye.objects.filter(round__in=days, kind=Bye.Kind.PAIRING_ALLOCATED)
    yield from byes.values_list("round_id", "entry__member_id", "entry__name")


def _by_month(days: Iterable[date]) -> tuple[int, ...]:
    months = [day.month for day in days]
    return tuple(months.count(month) for month in range(1, 13))


def _person(entry: Entry) -> SeriesPlayerKey:
    return entry.member_id if entry.member_id is not None else name_search_words(entry.name)


def _awards(series: Series, event: Tournament, entries: list[Entry], snapshot: TournamentSnapshot) -> dict[Entry, int]:
    """Return each player's half points from the event. Equal places get the same."""
    usual = DEFAULT_TIE_BREAKS_BY_SYSTEM.get(event.system, ())
    try:
        ranked = rank_players(snapshot, tuple(event.tie_breaks) or usual)
    except UnknownTieBreak:
        ranked = rank_players(snapshot, usual)
    by_number = {number: entry for entry, number in _numbered(entries)}
    if series.award == Series.SeriesScoring.SCORE:
        # Scale the scores, so that an event scored 2, 1 and 0 counts no more than others.
        scale = snapshot.points.scale_factor or 1
        return {by_number[standing.tpn]: standing.points // scale for standing in ranked}
    points = series.place_points or DEFAULT_PLACE_POINTS
    return {
        by_number[standing.tpn]: 2 * points[standing.rank - 1] if standing.rank <= len(points) else 0
        for standing in ranked
    }


def _numbered(entries: list[Entry]) -> list[tuple[Entry, int]]:
    numbers = pairing_numbers_by_entry(entries)
    return [(entry, numbers[entry.pk]) for entry in entries]


def _counted(series: Series, player: _Player) -> tuple[frozenset[int], int]:
    """Return the player's best events (the earlier one if equal), and their total."""
    order = sorted(player.by_event, key=lambda event: -player.by_event[event])
    best = frozenset(order[: series.events_counted])
    points = sum(player.by_event[event] for event in best)
    return best, points + 2 * series.attendance_points * player.evenings
