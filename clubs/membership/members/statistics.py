"""Member statistics as federations request them each year, with birthdays, joiners and leavers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date

from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.models import Club, FideTitle, Member, MembershipPeriod
from common.tabular.spreadsheets import CellValue

COUNTED_STATUSES = (Member.Status.MEMBER, Member.Status.HONORARY)
"""Statuses that federations count. Applicants and guests are not counted."""
AGE_BAND_LIMITS = (8, 10, 12, 14, 16, 18, 20, 50, 65)
"""The ages at which a new band starts, following FIDE's youth and senior categories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberCount:
    """Members counted by sex. `counted_value` is the title, status or federation that they have in common."""

    women_count: int
    men_count: int
    unknown_sex_count: int
    counted_value: str = ""

    @property
    def total_count(self) -> int:
        return self.women_count + self.men_count + self.unknown_sex_count


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeBand(MemberCount):
    """Members in an age band.

    `upper_age_limit` is None if the band is open-ended. `from_age` is None if their age is unknown.
    """

    from_age: int | None
    upper_age_limit: int | None

    @property
    def highest_age(self) -> int | None:
        """The highest age in the band, or None if it is open-ended."""
        return None if self.upper_age_limit is None else self.upper_age_limit - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberStatistics:
    """Member statistics for a certain day.

    `members` are sorted by name and show their state on that day. Never save them. `rated` counts members with a
    federation or FIDE rating.
    """

    on: date
    bands: tuple[AgeBand, ...]
    members: tuple[Member, ...]
    titles: tuple[MemberCount, ...]
    statuses: tuple[MemberCount, ...]
    federations: tuple[MemberCount, ...]
    with_fide_id: MemberCount
    rated: MemberCount
    joined: tuple[Member, ...]
    left: tuple[Member, ...]

    @property
    def total_count(self) -> int:
        return sum(band.total_count for band in self.bands)

    @property
    def women_count(self) -> int:
        return sum(band.women_count for band in self.bands)

    @property
    def men_count(self) -> int:
        return sum(band.men_count for band in self.bands)

    @property
    def unknown_sex_count(self) -> int:
        return sum(band.unknown_sex_count for band in self.bands)


def calculate_member_statistics(club: Club, *, on: date) -> MemberStatistics:
    """Count the members on a certain day, and list who joined or left that year up to then. Four queries.

    People who left on the day or later still count as members. Without a joining date they count as members from the
    start. Age is the year of the day minus the birth year, as federations count it.
    """
    was_there = Q(joined_on=None) | Q(joined_on__lte=on)
    stayed = Q(status__in=COUNTED_STATUSES) | Q(status=Member.Status.FORMER, left_on__gte=on)
    people = club.members.filter(erased_at=None)
    earlier = [_as_then(spell) for spell in MembershipPeriod.objects.filter(member__in=people).select_related("member")]
    by_key = {each.pk: each for each in earlier if (each.joined_on or on) <= on <= (each.left_on or on)}
    by_key |= {each.pk: each for each in people.filter(was_there, stayed)}
    members = sorted(by_key.values(), key=lambda each: (each.sort_name, each.pk))
    for member in members:
        if member.status == Member.Status.FORMER:
            member.status = Member.Status.MEMBER
    year = (date(on.year, 1, 1), on)
    joined = [*people.filter(joined_on__range=year), *earlier]
    left = [*people.filter(left_on__range=year), *earlier]
    return MemberStatistics(
        on=on,
        bands=tuple(_bands(members, on.year)),
        members=tuple(members),
        titles=_counted(members, "title", list(FideTitle.values)),
        statuses=_counted(members, "status", list(Member.Status.values)),
        federations=_counted(members, "federation", sorted({member.federation for member in members})),
        with_fide_id=_count(member for member in members if member.fide_id),
        rated=_count(member for member in members if member.rating and not member.rating_is_estimate),
        joined=_in_order(((each.joined_on, each) for each in joined), year),
        left=_in_order(((each.left_on, each) for each in left), year),
    )


def _as_then(spell: MembershipPeriod) -> Member:
    """Return a copy of the member as they were in an earlier membership period. Never save it."""
    row = copy(spell.member)
    row.status, row.joined_on, row.left_on = Member.Status.MEMBER, spell.joined_on, spell.left_on
    row.came_from, row.went_to = spell.came_from, spell.went_to
    return row


def _in_order(days: Iterable[tuple[date | None, Member]], year: tuple[date, date]) -> tuple[Member, ...]:
    """Return the members whose day is within the year, sorted by day."""
    within = [(day, member) for day, member in days if day is not None and year[0] <= day <= year[1]]
    return tuple(member for _day, member in sorted(within, key=lambda each: (each[0], each[1].sort_name)))


def statistics_tables(found: MemberStatistics) -> list[tuple[str, list[tuple[str, MemberCount]]]]:
    """Return the statistics as tables: each heading with the labels and counts of its groups."""
    having = [(_("With a FIDE ID"), found.with_fide_id), (_("With a rating"), found.rated)]
    parts: list[tuple[str, Sequence[tuple[str, MemberCount]]]] = [
        (_("Age"), [(_of_age(band), band) for band in found.bands]),
        (
            _("Title"),
            [(f"{count.counted_value} {FideTitle(count.counted_value).label}", count) for count in found.titles],
        ),
        (_("ID and rating"), having),
        (_("Status"), [(capfirst(str(Member.Status(count.counted_value).label)), count) for count in found.statuses]),
        (_("Federation"), [(count.counted_value, count) for count in found.federations]),
    ]
    return [(heading, list(counts)) for heading, counts in parts if counts]


def member_name_table(found: MemberStatistics, *, with_dates: bool) -> tuple[list[str], list[list[CellValue]]]:
    """Return headings and rows for the members on that day, in the form that federations request.

    Births are full dates if `with_dates`, otherwise years.
    """
    headings = [_("family name"), _("given name"), _("sex"), _("born"), _("title"), _("rating"), _("federation")]
    headings += [_("FIDE ID"), _("national ID"), _("status"), _("joined on"), _("previous club")]
    headings += [_("left on"), _("new club")]
    rows: list[list[CellValue]] = [
        [
            *(member.family_name, member.given_name, member.get_sex_display() if member.sex else ""),
            (member.birth_date if with_dates else None) or member.birth_year,
            *(member.title, (member.rating or None) if not member.rating_is_estimate else None, member.federation),
            *(member.fide_id, member.national_id, member.get_status_display()),
            *(member.joined_on, member.came_from, member.left_on, member.went_to),
        ]
        for member in found.members
    ]
    return headings, rows


def list_birthdays(club: Club, year: int, month: int | None = None) -> list[tuple[date, int, Member]]:
    """Return the birthdays in a month or a whole year: day, age reached and member. One query.

    Former members are left out. 29 February becomes the 28th in other years.
    """
    born = club.members.exclude_former().filter(erased_at=None, birth_date__isnull=False, birth_date__year__lte=year)
    if month is not None:
        born = born.filter(birth_date__month=month)
    found = [
        (_birthday(member.birth_date, year), year - member.birth_date.year, member)
        for member in born
        if member.birth_date
    ]
    return sorted(found, key=lambda each: (each[0], each[2].sort_name))


def _birthday(born: date, year: int) -> date:
    try:
        return born.replace(year=year)
    except ValueError:
        return date(year, 2, 28)


def _bands(members: Iterable[Member], year: int) -> list[AgeBand]:
    sexes: dict[int | None, Counter[str]] = {}
    starts = [0, *AGE_BAND_LIMITS]
    for member in members:
        age = year - member.birth_year if member.birth_year else None
        start = None if age is None else max(each for each in starts if each <= max(age, 0))
        sexes.setdefault(start, Counter())[member.sex] += 1
    ends = dict(zip(starts, [*AGE_BAND_LIMITS, None], strict=True))
    bands = [_band(start, ends[start], sexes.get(start, Counter())) for start in starts]
    if None in sexes:
        bands.append(_band(None, None, sexes[None]))
    return bands


def _band(from_age: int | None, below: int | None, sexes: Counter[str]) -> AgeBand:
    return AgeBand(
        from_age=from_age,
        upper_age_limit=below,
        women_count=sexes[Member.Sex.FEMALE],
        men_count=sexes[Member.Sex.MALE],
        unknown_sex_count=sexes[""],
    )


def _count(members: Iterable[Member], of: str = "") -> MemberCount:
    sexes = Counter(member.sex for member in members)
    return MemberCount(
        women_count=sexes[Member.Sex.FEMALE],
        men_count=sexes[Member.Sex.MALE],
        unknown_sex_count=sexes[""],
        counted_value=of,
    )


def _counted(members: Iterable[Member], column: str, order: Iterable[str]) -> tuple[MemberCount, ...]:
    """Count the members for each value of a column, in the given order."""
    having: dict[str, list[Member]] = defaultdict(list)
    for member in members:
        having[getattr(member, column)].append(member)
    return tuple(_count(having[word], word) for word in order if word and having[word])


def _of_age(band: AgeBand) -> str:
    if band.from_age is None:
        return _("not known")
    if band.from_age == 0:
        return _("under %(n)s") % {"n": band.upper_age_limit}
    if band.highest_age is None:
        return _("%(n)s and over") % {"n": band.from_age}
    return f"{band.from_age}–{band.highest_age}"
