"""Players in groups: the table of a category, who is best in each, clubs and federations by their best players."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise

from pairing.view_models.sheets.standings_sheet import StandingsSheet, standings_sheet
from pairing.view_models.standings.club_standings import (
    ClubStandingsTable,
    club_standings_table,
    federation_standings_table,
)
from pairing.view_models.standings.event_standings import EventStandings
from pairing.view_models.standings.player_categories import OfferedCategory, offered_categories, standings_of_category

ALL_CATEGORIES = "every"
"""Chooses the tables of all categories, one after another."""
_BEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryStandingsTable:
    """The standings of a category, each line with its place among all."""

    label: str | Promise
    table: StandingsSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryLeadersSheet:
    """The categories of an event that say something of it, with how many there are in each and its best players."""

    whole: StandingsSheet
    sizes: tuple[int, ...]
    categories: tuple[CategoryStandingsTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupStandingsSheet:
    """Clubs or federations of an event by the sums of their best players."""

    club: str
    event: str
    after_round: int
    by_federation: bool
    groups: ClubStandingsTable


def category_standings_tables(table: EventStandings, key: str) -> tuple[CategoryStandingsTable, ...]:
    """The table of the category with this key, those of all for `ALL_CATEGORIES`; none for one that there is not."""
    wanted = [each for each in offered_categories(table) if key in (each.key, ALL_CATEGORIES)]
    return tuple(_table(table, each) for each in wanted)


def category_leaders_sheet(table: EventStandings) -> CategoryLeadersSheet:
    """Every category with its best three."""
    offered = offered_categories(table)
    return CategoryLeadersSheet(
        whole=standings_sheet(table, rows=table.rows[:_BEST]),
        sizes=tuple(each.size for each in offered),
        categories=tuple(_table(table, each, most=_BEST) for each in offered),
    )


def group_standings_sheet(
    table: EventStandings, *, by_federation: bool, counted: int | None = None
) -> GroupStandingsSheet:
    """Clubs, or federations, by so many of their best players each."""
    groups = (federation_standings_table if by_federation else club_standings_table)(table, counted)
    return GroupStandingsSheet(
        club=table.tournament.club.name,
        event=table.tournament.name,
        after_round=table.after_round,
        by_federation=by_federation,
        groups=groups,
    )


def _table(table: EventStandings, offered: OfferedCategory, *, most: int | None = None) -> CategoryStandingsTable:
    part = standings_of_category(table, offered)
    return CategoryStandingsTable(label=offered.label, table=standings_sheet(part, rows=part.rows[:most]))
