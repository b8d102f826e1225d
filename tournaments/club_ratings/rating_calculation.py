"""Calculation of the club's ratings, month by month, from finished rounds. `recalculation` saves the result.

Everything follows from the games and the states before the first month. So calculating from scratch and continuing from
any month give the same ratings.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from clubs.models import Club, Member, MemberRating, RatingMethod, RatingScheme, TimeControlKind
from clubs.rating.calculation import fide_periods, glicko_periods
from clubs.rating.calculation.rating_periods import (
    GameCalculation,
    PlayerPeriodResult,
    RatedGame,
    RatedPlayer,
    RatingPeriod,
    StoredRatingState,
)
from pairing.engine.trf.model import BLOCK_WIDTH, FIRST_BLOCK
from tournaments.club_ratings.listed_k_factors import k_factors_in_force, k_factors_of_coming_lists, k_factors_on_lists
from tournaments.models import Entry, Game, Round, Tournament

RATING_METHODS: Mapping[str, Callable[[RatingPeriod], dict[int, PlayerPeriodResult]]] = {
    RatingMethod.FIDE: fide_periods.calculate_fide_period,
    RatingMethod.GLICKO_2: glicko_periods.calculate_glicko_period,
}

RATED_SCORES: Mapping[str, tuple[int, int]] = {
    Game.Result.WHITE_WINS: (2, 0),
    Game.Result.DRAW: (1, 1),
    Game.Result.BLACK_WINS: (0, 2),
    Game.Result.BOTH_LOSE: (0, 0),
}
"""Half points of White and Black for rated results: both made a move (5.1), even if both lose. No forfeits, no unrated
games."""

_OF_A_GAME = tuple(field.name for field in fields(GameCalculation))
"""The fields kept of a game. They are plain values; `asdict`, which copies each, took a seventh of the time."""

MAX_LENGTH_REPORTED_AT_END = timedelta(days=30)
"""A longer event is reported month by month."""


RatingKey = tuple[int, str, str]
"""The key of a stored rating: member, kind, and month as 2026-11-01."""


def find_wrong_stored_ratings(club: Club) -> list[RatingKey]:
    """Find stored ratings that differ from a calculation from scratch. Changes nothing."""
    stored = {_place(row): _values(row) for row in MemberRating.objects.filter(member__club=club)}
    counted = {_place(row): _values(row) for row in calculate_ratings_from(club, None)}
    return sorted(place for place in stored.keys() | counted.keys() if stored.get(place) != counted.get(place))


CALCULATED_FIELDS = ("before", "after", "factor", "games", "state")
"""The calculated fields of a row."""


def _place(row: MemberRating) -> RatingKey:
    return row.member_id, str(row.kind), row.month.isoformat()


def _values(row: MemberRating) -> Any:
    """Return the values as the database returns them."""
    kept = [getattr(row, name) for name in CALCULATED_FIELDS]
    return json.loads(json.dumps(kept, cls=DjangoJSONEncoder))


def rating_method_of_club(club: Club) -> str:
    """Return the club's `RatingMethod`."""
    scheme = RatingScheme.objects.filter(club=club).first()
    return scheme.method if scheme else RatingMethod.FIDE


def calculate_ratings_from(club: Club, first: date | None) -> list[MemberRating]:
    """Calculate ratings from this month onwards, using the states before it, or from the start (None). Saves nothing.

    The number of queries doesn't grow with games or months.
    """
    rate_month = RATING_METHODS.get(rating_method_of_club(club))
    # Only members are rated: games between guests don't matter.
    if rate_month is None or not Entry.objects.filter(tournament__club=club, member__isnull=False).exists():
        return []
    months_by_kind = {kind: _months(club, kind, first) for kind in TimeControlKind}
    # Read ratings only for those who play in these months, and only their latest states.
    players = {key for months in months_by_kind.values() for month in months.values() for key in month.people}
    standard: dict[int, list[tuple[date, int | None]]] = {}
    found: list[MemberRating] = []
    for kind, months in months_by_kind.items():
        # Standard ratings are used where others are missing, so they are needed even if only those are calculated.
        if not months and kind != TimeControlKind.STANDARD:
            continue
        states: dict[int, StoredRatingState] = {}
        histories: dict[int, list[tuple[date, int | None]]] = defaultdict(list)
        if first is not None:
            states = _states(players, kind, first)
            before = MemberRating.objects.filter(member__in=players, kind=kind, month__lt=first).order_by("month")
            for member, month, after in before.values_list("member_id", "month", "after"):
                histories[member].append((month, after))
        found += _counted(rate_month, kind, months, states, histories, standard)
        if kind == TimeControlKind.STANDARD:
            standard = histories
    return found


def rating_months_of_rounds(event: Tournament, rounds: Sequence[Round]) -> dict[int, tuple[date, date]]:
    """Return, by round key, the month in which the round's games count and the month of the list used.

    The list is that of the event's start, and games count when the event ends (7.1). An event of more than 30 days
    counts month by month. Dates are the event's, or else those of its evenings, or else those in its imported file
    (132). Without any of these, a round's date is that of its publication.
    """
    days = known_round_dates(event, rounds)
    evenings = [days[each.number] for each in rounds if each.number in days]
    begins = event.starts_on or min(evenings, default=None)
    ends = event.ends_on or max(evenings, default=None)
    found = {}
    for each in rounds:
        own = days.get(each.number)
        day = own or begins or timezone.localdate(each.published_at or each.paired_at)
        listed = min(begins or day, day).replace(day=1)
        if ends is not None and (own is None or ends - (begins or ends) <= MAX_LENGTH_REPORTED_AT_END):
            day = max(ends, day)
        found[each.pk] = (day.replace(day=1), listed)
    return found


def known_round_dates(event: Tournament, rounds: Iterable[Round]) -> dict[int, date]:
    """Return the known dates of rounds by number: the scheduled dates, or else the dates in the imported file."""
    return _days_said(event) | {
        each.number: timezone.localdate(each.starts_at) for each in rounds if each.starts_at is not None
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _MonthOfGames:
    """A month's games and players: members, and guests with their initial rating."""

    games: list[RatedGame]
    people: dict[int, RatedPlayer]
    guests: dict[int, int | None]


def _months(club: Club, kind: str, first: date | None) -> dict[date, _MonthOfGames]:
    """Return the rated games of finished rounds, by month from `first` on. A guest's key is minus the entry's."""
    events = _events(club, kind, first)
    wanted = {key: months for key, months in _months_of(events).items() if first is None or months[0] >= first}
    if not wanted:
        return {}
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament__in=events).select_related("member")}
    games = Game.objects.filter(
        round__tournament__in=events, round__state=Round.State.FINISHED, result__in=RATED_SCORES
    )
    found: dict[date, _MonthOfGames] = {}
    for pk, round_key, event, white, black, result in games.order_by("pk").values_list(
        "pk", "round_id", "round__tournament_id", "white_id", "black_id", "result"
    ):
        if round_key not in wanted:
            continue
        counts, listed = wanted[round_key]
        month = found.setdefault(counts, _MonthOfGames(games=[], people={}, guests={}))
        scores = RATED_SCORES[result]
        month.games.append(
            RatedGame(
                game=pk,
                event=event,
                white=_enrol(entries[white], month),
                black=_enrol(entries[black], month),
                white_score=scores[0],
                black_score=scores[1],
                list_month=listed if listed < counts else None,
            )
        )
    return dict(sorted(found.items()))


def _days_said(event: Tournament) -> dict[int, date]:
    """Return the dates of rounds in an imported report (132), by round number. Invalid dates are ignored."""
    found = {}
    for line in event.report_lines:
        if not line.startswith("132"):
            continue
        for number in range(1, event.rounds_announced + 1):
            begin = FIRST_BLOCK + 1 + (number - 1) * BLOCK_WIDTH
            match = _DAY.fullmatch(line[begin : begin + BLOCK_WIDTH].strip())
            with suppress(ValueError):
                if match is not None:
                    year = int(match[1])
                    found[number] = date(year if year > 99 else 2000 + year, int(match[2]), int(match[3]))
    return found


_DAY = re.compile(r"(\d{4}|\d{2})[/.-](\d{2})[/.-](\d{2})", re.ASCII)


def _events(club: Club, kind: str, first: date | None) -> QuerySet[Tournament]:
    """Return the club's events of a kind, limited to those that may have a round counted in `first` or later."""
    events = Tournament.objects.filter(club=club, rated_as=kind)
    if first is None:
        return events
    # The local date can differ from the UTC date.
    since = datetime.combine(first, time.min, UTC) - timedelta(days=1)
    published = Q(rounds__published_at__gte=since) | Q(rounds__paired_at__gte=since)
    late = Q(starts_on__gte=first) | Q(ends_on__gte=first) | Q(rounds__starts_at__gte=since)
    found = events.filter(late | Q(starts_on__isnull=True) & published)
    return events.filter(pk__in=list(found.order_by().values_list("pk", flat=True).distinct()))


def _months_of(chosen: QuerySet[Tournament]) -> dict[int, tuple[date, date]]:
    """Return `rating_months_of_rounds` for all rounds of these events."""
    events: dict[Tournament, list[Round]] = defaultdict(list)
    for each in Round.objects.filter(tournament__in=chosen).select_related("tournament"):
        if each.state == Round.State.FINISHED or each.starts_at is not None:
            events[each.tournament].append(each)
    return {
        key: months
        for event, rounds in events.items()
        for key, months in rating_months_of_rounds(event, rounds).items()
    }


def _enrol(entry: Entry, month: _MonthOfGames) -> int:
    """Add a player to the month. The first entry of a member gives their initial rating."""
    came_with = entry.rating if entry.rating and not entry.rating_is_estimate else None
    member = entry.member
    if member is None:
        month.guests[-entry.pk] = came_with
        return -entry.pk
    person = RatedPlayer(birth_year=member.birth_year, initial_rating=came_with, games_before=member.games_before)
    month.people.setdefault(member.pk, person)
    return member.pk


def _states(players: Iterable[int], kind: str, first: date) -> dict[int, StoredRatingState]:
    """Return the latest state of these members before a month."""
    before = MemberRating.objects.filter(member=OuterRef("pk"), kind=kind, month__lt=first)
    latest = before.order_by("-month").values("pk")[:1]
    keys = Member.objects.filter(pk__in=players).values(latest=Subquery(latest))
    return dict(MemberRating.objects.filter(pk__in=keys).values_list("member_id", "state"))


def _counted(
    rate_month: Callable[[RatingPeriod], dict[int, PlayerPeriodResult]],
    kind: str,
    months: Mapping[date, _MonthOfGames],
    states: dict[int, StoredRatingState],
    histories: dict[int, list[tuple[date, int | None]]],
    standard: Mapping[int, list[tuple[date, int | None]]],
) -> list[MemberRating]:
    """Calculate month after month, each from the states after the previous one. Extends `histories`."""
    if not months:
        return []
    rows = []
    factors = k_factors_on_lists({key for played in months.values() for key in played.people}, kind)
    for first_day, played in months.items():
        in_standard = _on(first_day, standard)
        lists = {game.list_month for game in played.games if game.list_month is not None}
        counted = rate_month(
            RatingPeriod(
                first_day=first_day,
                is_standard=kind == TimeControlKind.STANDARD,
                games=played.games,
                players=played.people,
                guest_ratings=played.guests,
                states=states,
                standard_ratings={member: rating for member, rating in in_standard.items() if rating is not None},
                earlier_ratings={listed: _list_of(listed, histories, standard) for listed in lists},
                k_factors=k_factors_in_force(factors, first_day),
                future_k_factors=k_factors_of_coming_lists(factors, first_day),
            )
        )
        for member, month in counted.items():
            states[member] = month.state
            histories.setdefault(member, []).append((first_day, month.rating_after))
            rows.append(
                MemberRating(
                    member_id=member,
                    kind=kind,
                    month=first_day,
                    before=month.rating_before,
                    after=month.rating_after,
                    factor=month.k_factor,
                    games=[{name: getattr(game, name) for name in _OF_A_GAME} for game in month.games],
                    state=dict(month.state),
                )
            )
    return rows


def _list_of(
    first_day: date,
    histories: Mapping[int, list[tuple[date, int | None]]],
    standard: Mapping[int, list[tuple[date, int | None]]],
) -> dict[int, int | None]:
    """Return the list of a month, with standard ratings for those who have no rapid or blitz rating."""
    found, in_standard = _on(first_day, histories), _on(first_day, standard)
    return in_standard | {
        member: rating if rating is not None else in_standard.get(member) for member, rating in found.items()
    }


def _on(first_day: date, histories: Mapping[int, list[tuple[date, int | None]]]) -> dict[int, int | None]:
    """Return ratings on the first day of a month, for those with an earlier one (None: unrated)."""
    found = {}
    for member, history in histories.items():
        before = [after for month, after in history if month < first_day]
        if before:
            found[member] = before[-1]
    return found
