"""A club's members in figures, as federations ask for them each year, with birthdays and who came and went."""

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
"""Whom a federation counts; applicants and guests are none of it."""
AGE_BAND_LIMITS = (8, 10, 12, 14, 16, 18, 20, 50, 65)
"""Each band ends before the next of these: FIDE's ages of youth, and of seniors. Nobody is a senior below 50."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberCount:
    """Members by sex; `of` is the title, status or federation they have."""

    women_count: int
    men_count: int
    unknown_sex_count: int
    counted_value: str = ""

    @property
    def total_count(self) -> int:
        return self.women_count + self.men_count + self.unknown_sex_count


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeBand(MemberCount):
    """Members of an age; `below` None: that age and older, `from_age` None: of unknown age."""

    from_age: int | None
    upper_age_limit: int | None

    @property
    def highest_age(self) -> int | None:
        """The highest age of the band; None where it has no end."""
        return None if self.upper_age_limit is None else self.upper_age_limit - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberStatistics:
    """Members on a day. `members` are they, by name, as they were then (never to be saved).

    `rated` have a rating of a federation's or FIDE's.
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
    """Who was a member on a day, counted; and who came and went in the year up to it. Four queries.

    Who left after the day, or on it, still counts, and as the member that he was. Somebody without a day of joining has
    always been there. Ages are those of the year, as federations count them: that of the day less that of birth.
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
    """The row of whoever came back as it was before; never to be saved."""
    row = copy(spell.member)
    row.status, row.joined_on, row.left_on = Member.Status.MEMBER, spell.joined_on, spell.left_on
    row.came_from, row.went_to = spell.came_from, spell.went_to
    return row


def _in_order(days: Iterable[tuple[date | None, Member]], year: tuple[date, date]) -> tuple[Member, ...]:
    """Those whose day is within the year, by it."""
    within = [(day, member) for day, member in days if day is not None and year[0] <= day <= year[1]]
    return tuple(member for _day, member in sorted(within, key=lambda each: (each[0], each[1].sort_name)))


def statistics_tables(found: MemberStatistics) -> list[tuple[str, list[tuple[str, MemberCount]]]]:
    """Headings, and under each what is counted with its figures by sex."""
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
    """Headings and lines of who was a member that day, as federations ask for them; births to the day or the year."""
    headings = [_("family name"), _("given name"), _("sex"), _("born"), _("title"), _("rating"), _("federation")]
    headings += [_("FIDE ID"), _("national ID"), _("status"), _("joined on"), _("came from the club")]
    headings += [_("left on"), _("went to the club")]
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
    """Who of those who come has a birthday in a month of a year, or in all of it: the day, the age reached; one query.

    Who was born on 29 February keeps it on the 28th of a year that has no such day.
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
    """For each word that a column of theirs has, in this order, how many have it."""
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
        return _("%(n)s and older") % {"n": band.from_age}
    return f"{band.from_age}–{band.highest_age}"
