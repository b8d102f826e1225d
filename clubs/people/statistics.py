"""A club's members in figures, as federations ask for them each year, with birthdays and who came and went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from clubs.models import Club, Member, Title

COUNTED = (Member.Status.MEMBER, Member.Status.HONORARY)
"""Whom a federation counts; applicants and guests are none of it."""
AGES = (8, 10, 12, 14, 16, 18, 20, 50, 65)
"""Each band ends before the next of these: FIDE's ages of youth, and of seniors. Nobody is a senior below 50."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Members of an age, by sex; `below` None: that age and older, `from_age` None: of unknown age."""

    from_age: int | None
    below: int | None
    women: int
    men: int
    not_said: int

    @property
    def last(self) -> int | None:
        """The highest age of the band; None where it has no end."""
        return None if self.below is None else self.below - 1

    @property
    def all(self) -> int:
        return self.women + self.men + self.not_said


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Members on a day. `titles` and `statuses` by their names, `rated` have a rating of a federation's or FIDE's."""

    on: date
    bands: tuple[Band, ...]
    titles: tuple[tuple[str, int], ...]
    statuses: tuple[tuple[str, int], ...]
    federations: tuple[tuple[str, int], ...]
    with_fide_id: int
    rated: int
    joined: tuple[Member, ...]
    left: tuple[Member, ...]

    @property
    def all(self) -> int:
        return sum(band.all for band in self.bands)

    @property
    def women(self) -> int:
        return sum(band.women for band in self.bands)

    @property
    def men(self) -> int:
        return sum(band.men for band in self.bands)

    @property
    def not_said(self) -> int:
        return sum(band.not_said for band in self.bands)


def statistics_of(club: Club, *, on: date) -> Statistics:
    """Who was a member on a day, counted; and who came and went in the year up to it. Three queries.

    Who left after the day, or on it, still counts. Somebody without a day of joining has always been there. Ages are
    those of the year, as federations count them: the year of the day less the year of birth.
    """
    was_there = Q(joined_on=None) | Q(joined_on__lte=on)
    stayed = Q(status__in=COUNTED) | Q(status=Member.Status.FORMER, left_on__gte=on)
    members = list(club.members.filter(was_there, stayed, erased_at=None))
    people = club.members.filter(erased_at=None)
    year = (date(on.year, 1, 1), on)
    return Statistics(
        on=on,
        bands=tuple(_bands(members, on.year)),
        titles=_counted((member.title for member in members if member.title), list(Title.values)),
        statuses=_counted((member.status for member in members), list(Member.Status.values)),
        federations=_counted((member.federation for member in members if member.federation), None),
        with_fide_id=sum(1 for member in members if member.fide_id),
        rated=sum(1 for member in members if member.rating and not member.rating_is_estimate),
        joined=tuple(people.filter(joined_on__range=year).order_by("joined_on", "sort_name")),
        left=tuple(people.filter(left_on__range=year).order_by("left_on", "sort_name")),
    )


def birthdays_in(club: Club, month: int) -> list[tuple[int, Member]]:
    """Who of those who come has a birthday in a month, by the day; one query."""
    born = club.members.present().filter(erased_at=None, birth_date__month=month)
    return sorted(
        ((member.birth_date.day, member) for member in born if member.birth_date),
        key=lambda each: (each[0], each[1].sort_name),
    )


def _bands(members: Iterable[Member], year: int) -> list[Band]:
    sexes: dict[int | None, Counter[str]] = {}
    starts = [0, *AGES]
    for member in members:
        age = year - member.birth_year if member.birth_year else None
        start = None if age is None else max(each for each in starts if each <= max(age, 0))
        sexes.setdefault(start, Counter())[member.sex] += 1
    ends = dict(zip(starts, [*AGES, None], strict=True))
    bands = [_band(start, ends[start], sexes.get(start, Counter())) for start in starts]
    if None in sexes:
        bands.append(_band(None, None, sexes[None]))
    return bands


def _band(from_age: int | None, below: int | None, sexes: Counter[str]) -> Band:
    return Band(
        from_age=from_age,
        below=below,
        women=sexes[Member.Sex.FEMALE],
        men=sexes[Member.Sex.MALE],
        not_said=sexes[""],
    )


def _counted(words: Iterable[str], order: list[str] | None) -> tuple[tuple[str, int], ...]:
    counts = Counter(words)
    return tuple((word, counts[word]) for word in (order if order is not None else sorted(counts)) if counts[word])
