"""Players in groups: the table of a category, who is best in each, clubs and federations by their best players."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise

from pairing.view_models.sheets.tables import StandingsSheet, standings_sheet
from pairing.view_models.standings.categories import OfferedCategory, offered_categories, part_of
from pairing.view_models.standings.club_table import ClubTable, club_table, federation_table
from pairing.view_models.standings.event_standings import Standings

EVERY = "every"
"""Chooses the tables of all categories, one after another."""
_BEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryTable:
    """The standings of a category, each line with its place among all."""

    label: str | Promise
    table: StandingsSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoriesSheet:
    """The categories of an event that say something of it, with how many there are in each and its best players."""

    whole: StandingsSheet
    sizes: tuple[int, ...]
    categories: tuple[CategoryTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSheet:
    """Clubs or federations of an event by the sums of their best players."""

    club: str
    event: str
    after_round: int
    by_federation: bool
    groups: ClubTable


def category_tables(table: Standings, key: str) -> tuple[CategoryTable, ...]:
    """The table of the category with this key, those of all for `EVERY`; none for one that there is not."""
    wanted = [each for each in offered_categories(table) if key in (each.key, EVERY)]
    return tuple(_table(table, each) for each in wanted)


def categories_sheet(table: Standings) -> CategoriesSheet:
    """Every category with its best three."""
    offered = offered_categories(table)
    return CategoriesSheet(
        whole=standings_sheet(table, rows=table.rows[:_BEST]),
        sizes=tuple(each.size for each in offered),
        categories=tuple(_table(table, each, most=_BEST) for each in offered),
    )


def group_sheet(table: Standings, *, by_federation: bool, counted: int | None = None) -> GroupSheet:
    """Clubs, or federations, by so many of their best players each."""
    groups = (federation_table if by_federation else club_table)(table, counted)
    return GroupSheet(
        club=table.tournament.club.name,
        event=table.tournament.name,
        after_round=table.after_round,
        by_federation=by_federation,
        groups=groups,
    )


def _table(table: Standings, offered: OfferedCategory, *, most: int | None = None) -> CategoryTable:
    part = part_of(table, offered)
    return CategoryTable(label=offered.label, table=standings_sheet(part, rows=part.rows[:most]))
