"""The club's ratings: finished rounds read into months of rated games, and what comes out of them saved.

Everything follows from the games and from the states before the first month counted, so that counting from scratch
and counting on from any month give the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clubs.models import Club, MemberRating, RatingMethod, RatingScheme, TimeKind
from clubs.ratings import fide_months, glicko_months
from clubs.ratings.months import Month, MonthOfPlayer, Person, RatedGame, State
from tournaments.models import Entry, Game, Round, Tournament

METHODS: Mapping[str, Callable[[Month], dict[int, MonthOfPlayer]]] = {
    RatingMethod.FIDE: fide_months.rate_month,
    RatingMethod.GLICKO_2: glicko_months.rate_month,
}

SCORES: Mapping[str, tuple[int, int]] = {
    Game.Result.WHITE_WINS: (2, 0),
    Game.Result.DRAW: (1, 1),
    Game.Result.BLACK_WINS: (0, 2),
}
"""Half points of White and Black for the results that are rated: no forfeits, nothing excluded from rating."""


def method_of(club: Club) -> str:
    """How the club counts, a `RatingMethod`."""
    scheme = RatingScheme.objects.filter(club=club).first()
    return scheme.method if scheme else RatingMethod.FIDE


@transaction.atomic
def choose_method(club: Club, method: str) -> None:
    """Count by another method: everything anew, from the first game."""
    RatingScheme.objects.update_or_create(club=club, defaults={"method": method})
    rate_from(club, None)


def rate_round(round: Round) -> None:
    """A round was finished, opened again, or a result of it corrected: count on from its month."""
    tournament = Tournament.objects.select_related("club").get(pk=round.tournament_id)
    if tournament.rated_as:
        rate_from(tournament.club, month_of(round, tournament))


@transaction.atomic
def rate_from(club: Club, first: date | None) -> None:
    """Count the club's ratings from this month on, or all of them; the queries do not grow with games or months."""
    # One at a time: two rounds of a club finished at once would each count without the other.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    rate_month = METHODS.get(method_of(club))
    standard: dict[int, list[tuple[date, int | None]]] = defaultdict(list)
    for kind in TimeKind:
        stored = MemberRating.objects.filter(member__club=club, kind=kind)
        (stored.filter(month__gte=first) if first else stored).delete()
        if rate_month is None:
            continue
        states = _states(stored)
        rows = _counted(rate_month, kind, _months(club, kind, first), states, standard)
        MemberRating.objects.bulk_create(rows, batch_size=400)
        if kind == TimeKind.STANDARD:
            for member, month, after in stored.order_by("month").values_list("member_id", "month", "after"):
                standard[member].append((month, after))


def month_of(round: Round, tournament: Tournament) -> date:
    """The first day of the month in which a round counts: its evening's, else that of the event's first day."""
    if round.starts_at is not None:
        day = timezone.localdate(round.starts_at)
    elif tournament.starts_on is not None:
        day = tournament.starts_on
    else:
        day = timezone.localdate(round.published_at or round.paired_at)
    return day.replace(day=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _MonthOfGames:
    """A month's games with everyone who played in it: members, and guests with the rating they came with."""

    games: list[RatedGame]
    people: dict[int, Person]
    guests: dict[int, int | None]


def _months(club: Club, kind: str, first: date | None) -> dict[date, _MonthOfGames]:
    """The rated games of finished rounds, by month from `first` on; a guest's key is minus his entry's."""
    rounds = Round.objects.filter(
        tournament__club=club, tournament__rated_as=kind, state=Round.State.FINISHED
    ).select_related("tournament")
    months = {each.pk: month_of(each, each.tournament) for each in rounds}
    wanted = {key: month for key, month in months.items() if first is None or month >= first}
    entries = {
        entry.pk: entry
        for entry in Entry.objects.filter(tournament__club=club, tournament__rated_as=kind).select_related("member")
    }
    games = Game.objects.filter(round__tournament__club=club, round__tournament__rated_as=kind, result__in=SCORES)
    found: dict[date, _MonthOfGames] = {}
    for pk, round_key, event, white, black, result in games.order_by("pk").values_list(
        "pk", "round_id", "round__tournament_id", "white_id", "black_id", "result"
    ):
        if round_key not in wanted:
            continue
        month = found.setdefault(wanted[round_key], _MonthOfGames(games=[], people={}, guests={}))
        scores = SCORES[result]
        month.games.append(
            RatedGame(
                game=pk,
                event=event,
                white=_enrol(entries[white], month),
                black=_enrol(entries[black], month),
                white_score=scores[0],
                black_score=scores[1],
            )
        )
    return dict(sorted(found.items()))


def _enrol(entry: Entry, month: _MonthOfGames) -> int:
    """Note a player of the month; the first entry says with which rating a member came."""
    came_with = entry.rating if entry.rating and not entry.rating_is_estimate else None
    member = entry.member
    if member is None:
        month.guests[-entry.pk] = came_with
        return -entry.pk
    month.people.setdefault(member.pk, Person(birth_year=member.birth_year, start=came_with))
    return member.pk


def _states(stored: QuerySet[MemberRating]) -> dict[int, State]:
    """The latest state of every member."""
    return dict(stored.order_by("month").values_list("member_id", "state"))


def _counted(
    rate_month: Callable[[Month], dict[int, MonthOfPlayer]],
    kind: str,
    months: Mapping[date, _MonthOfGames],
    states: dict[int, State],
    standard: Mapping[int, list[tuple[date, int | None]]],
) -> list[MemberRating]:
    """Month after month, each from the states that the one before left."""
    rows = []
    for first_day, played in months.items():
        counted = rate_month(
            Month(
                first_day=first_day,
                is_standard=kind == TimeKind.STANDARD,
                games=played.games,
                people=played.people,
                guests=played.guests,
                states=states,
                standard=_on(first_day, standard),
            )
        )
        for member, month in counted.items():
            states[member] = month.state
            rows.append(
                MemberRating(
                    member_id=member,
                    kind=kind,
                    month=first_day,
                    before=month.before,
                    after=month.after,
                    factor=month.factor,
                    games=[asdict(game) for game in month.games],
                    state=dict(month.state),
                )
            )
    return rows


def _on(first_day: date, histories: Mapping[int, list[tuple[date, int | None]]]) -> dict[int, int]:
    """Everyone's rating on the first day of a month."""
    found = {}
    for member, history in histories.items():
        before = [after for month, after in history if month < first_day]
        if before and before[-1] is not None:
            found[member] = before[-1]
    return found
