"""Ratings for pages: today's list, a member's months with explanations, and curves for comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import OuterRef, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Cast, Length, Replace

from clubs.membership.members.membership_periods import member_in_month_condition
from clubs.models import Club, Member, MemberRating
from clubs.rating.calculation.performance import EventPerformance, calculate_performance
from tournaments.models import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedMember:
    """A line in the club's list: latest rating (None: unrated now), change in that month, total rated games."""

    place: int | None
    member: Member
    rating: int | None
    change: int | None
    month: date
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRatingChange:
    """A game's share of a month's change. `expected` is in hundredths, `change` in hundredths times K."""

    game: Game
    opponent: str
    opponent_rating: int | None
    score: int
    expected: int | None
    change: int | None
    counts: bool

    @property
    def score_above_expected(self) -> int | None:
        """Score minus expected score, in hundredths."""
        return None if self.expected is None else 50 * self.score - self.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthRatingChange:
    """A month in a member's rating history."""

    row: MemberRating
    games: tuple[GameRatingChange, ...]
    performance: EventPerformance | None

    @property
    def rating_change(self) -> int | None:
        """The month's change, or None if the player was unrated before or after it."""
        return _difference(self.row)

    @property
    def score_above_expected(self) -> int:
        """The month's sum of score minus expected score, in hundredths."""
        return sum(game.score_above_expected or 0 for game in self.games if game.counts)


_COUNTS = '"counts": true'
_WRITTEN = Cast("games", TextField())
_GAMES_THAT_COUNT = (Length(_WRITTEN) - Length(Replace(_WRITTEN, Value(_COUNTS), Value("")))) / len(_COUNTS)
"""The number of a month's rated games, counted in the database: both databases store JSON in Python's format."""


def club_rating_list(club: Club, kind: str, until: date | None = None) -> list[RatedMember]:
    """Return everyone ever rated who hasn't left, the highest rating first, unrated members last.

    With `until`, a month whose games count too: those who were members in it, even if they have left since.
    """
    rows = MemberRating.objects.filter(kind=kind, **({} if until is None else {"month__lte": until}))
    members = Member.objects.filter(member_in_month_condition(until), club=club)
    latest = rows.filter(member=OuterRef("pk")).order_by("-month").values("pk")[:1]
    # Don't load the games of all years: only their number is needed.
    ordered = list(
        MemberRating.objects.filter(pk__in=members.values(latest=Subquery(latest)))
        .select_related("member")
        .defer("games", "state")
    )
    ordered.sort(key=lambda row: (-(row.after or 0), row.member.sort_name))
    games = dict(
        rows.filter(member__club=club).order_by().values_list("member_id").annotate(games=Sum(_GAMES_THAT_COUNT))
    )
    ratings = [row.after or 0 for row in ordered]
    better: dict[int, int] = {}
    for place, rating in enumerate(ratings, start=1):
        better.setdefault(rating, place)
    return [
        RatedMember(
            place=better[row.after] if row.after else None,
            member=row.member,
            rating=row.after,
            change=_difference(row),
            month=row.month,
            games=games[row.member_id],
        )
        for row in ordered
    ]


def rated_members(club: Club, kind: str) -> QuerySet[Member]:
    """Return everyone ever rated who hasn't left, by name."""
    rated = MemberRating.objects.filter(kind=kind, member__club=club).order_by().values("member")
    return Member.objects.filter(pk__in=rated).exclude(status=Member.Status.FORMER)


def member_rating_months(member: Member, kind: str) -> list[MonthRatingChange]:
    """Return a member's months, the latest first, with each change explained. Two queries."""
    return explain_rating_months(member_rating_rows(member, kind), member)


def member_rating_rows(member: Member, kind: str) -> QuerySet[MemberRating]:
    """Return a member's stored months, the latest first."""
    return MemberRating.objects.filter(member=member, kind=kind).order_by("-month")


def explain_rating_months(rows: Iterable[MemberRating], member: Member) -> list[MonthRatingChange]:
    """Explain each change in these months. One query, and one for `rows`."""
    rows = list(rows)
    keys = [game["game"] for row in rows for game in row.games]
    games = Game.objects.filter(pk__in=keys).select_related("white", "black", "round__tournament")
    by_key = {game.pk: game for game in games}
    return [_explained(row, member, by_key) for row in rows]


def rating_curves(members: Iterable[Member], kind: str) -> dict[Member, list[tuple[date, int]]]:
    """Return every member's ratings by month, without unrated months."""
    by_key = {member.pk: member for member in members}
    found: dict[Member, list[tuple[date, int]]] = {member: [] for member in by_key.values()}
    rows = MemberRating.objects.filter(member__in=by_key, kind=kind, after__isnull=False).order_by("month")
    for member, month, after in rows.values_list("member_id", "month", "after"):
        if after is not None:
            found[by_key[member]].append((month, after))
    return found


def _difference(row: MemberRating) -> int | None:
    return row.after - row.before if row.after is not None and row.before is not None else None


def _explained(row: MemberRating, member: Member, games: Mapping[int, Game]) -> MonthRatingChange:
    told = tuple(_game(told, games[told["game"]], member, row.factor) for told in row.games if told["game"] in games)
    return MonthRatingChange(row=row, games=told, performance=_performance(told))


def _game(told: Mapping[str, int | None], game: Game, member: Member, factor: int | None) -> GameRatingChange:
    opponent = game.black if game.white.member_id == member.pk else game.white
    score, expected = told["score"] or 0, told["expected"]
    counts = bool(told["counts"])
    return GameRatingChange(
        game=game,
        opponent=opponent.name,
        opponent_rating=told["opponent"],
        score=score,
        expected=expected,
        change=factor * (50 * score - expected) if counts and factor and expected is not None else None,
        counts=counts,
    )


def _performance(games: Sequence[GameRatingChange]) -> EventPerformance | None:
    rated = [(game.opponent_rating, game.score) for game in games if game.opponent_rating]
    return calculate_performance([rating for rating, _score in rated], sum(score for _rating, score in rated))
