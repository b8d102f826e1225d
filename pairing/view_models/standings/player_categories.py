"""An event's categories from its entries: juniors, seniors, women, rating classes and club members.

The engine makes the table of a category (`pairing.engine.standings.categories`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.categories import (
    CategoryCandidate,
    PlayerCategory,
    category_standings,
    junior_category,
    senior_category,
)
from pairing.view_models.standings.event_standings import EventStandings, StandingsRow
from tournaments.models import Entry, Tournament

JUNIOR_AGES = (10, 12, 14, 16, 18, 20)
SENIOR_AGES = (50, 65)
RATING_CLASSES = (1200, 1400, 1600, 1800, 2000, 2200)
_OURS = "ours"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedCategory:
    """A category that includes some but not all players. `key` is used in URLs."""

    key: str
    label: str | Promise
    category: PlayerCategory
    size: int

    @property
    def eligibility_note(self) -> str:
        """Return a note on who is eligible, if the label does not say. See `category_eligibility_note`."""
        return category_eligibility_note(self.category)


def offered_categories(table: EventStandings) -> tuple[OfferedCategory, ...]:
    """Return the categories that include some but not all players in the event."""
    people = _people(table)
    offered = (
        OfferedCategory(
            key=key, label=label, category=category, size=sum(category.includes_player(person) for person in people)
        )
        for key, (label, category) in possible_categories_of_event(table.tournament).items()
    )
    return tuple(each for each in offered if 0 < each.size < len(people))


def possible_categories_of_event(tournament: Tournament) -> Mapping[str, tuple[str | Promise, PlayerCategory]]:
    """Return every category the event can have, by key, with its label."""
    day = tournament.starts_on
    return _all_categories(day.year if day else None)


def category_eligibility_note(category: PlayerCategory) -> str:
    """Return a note on who is eligible for a rating class, in the active language. Empty for other categories."""
    if category.rating_below is None:
        return ""
    return now("Players rated below %(rating)s. Unrated players are not included.") % {"rating": category.rating_below}


def player_numbers_in_category(table: EventStandings, key: str) -> frozenset[PairingNumber]:
    """Return the numbers of a category's players. Empty for an unknown category."""
    known = possible_categories_of_event(table.tournament).get(key)
    if known is None:
        return frozenset()
    return frozenset(person.tpn for person in _people(table) if known[1].includes_player(person))


def standings_of_category(table: EventStandings, offered: OfferedCategory) -> EventStandings:
    """Return the table of a category. Every row keeps its place among all players."""
    rows = {table.pairing_numbers[row.entry.pk]: row for row in table.rows}
    placed = category_standings(offered.category, table.ranking.standings, _people(table))
    return replace(table, rows=tuple(_within(rows[each.standing.tpn], each.place) for each in placed))


def _within(row: StandingsRow, place: int) -> StandingsRow:
    return replace(row, place=place, overall_place=row.place)


def _people(table: EventStandings) -> list[CategoryCandidate]:
    return [_person(row.entry, table.pairing_numbers[row.entry.pk]) for row in table.rows]


def _person(entry: Entry, tpn: int) -> CategoryCandidate:
    year = entry.birth[:4]
    return CategoryCandidate(
        tpn=tpn,
        birth_year=int(year) if year.isdecimal() and int(year) else None,
        sex=entry.sex,
        rating=entry.rating,
        club=_OURS if entry.member_id else "",
    )


def _all_categories(year: int | None) -> Mapping[str, tuple[str | Promise, PlayerCategory]]:
    """Return every category by key. Age categories need the year in which the event begins."""
    named: dict[str, tuple[str | Promise, PlayerCategory]] = {
        "women": (_("Women"), PlayerCategory(name="women", sex=Member.Sex.FEMALE)),
        "members": (_("Club members"), PlayerCategory(name="members", club=_OURS)),
    }
    if year is not None:
        named |= {
            f"u{under}": (f"U{under}", junior_category(f"u{under}", under=under, in_year=year)) for under in JUNIOR_AGES
        }
        named |= {f"s{age}": (f"{age}+", senior_category(f"s{age}", age=age, in_year=year)) for age in SENIOR_AGES}
    unrated = {"unrated": (_("Unrated players"), PlayerCategory(name="unrated", unrated=True))}
    return named | _rating_classes(RATING_CLASSES) | unrated


def _rating_classes(limits: Iterable[int]) -> dict[str, tuple[str | Promise, PlayerCategory]]:
    return {
        f"below-{limit}": (f"< {limit}", PlayerCategory(name=f"below-{limit}", rating_below=limit)) for limit in limits
    }
