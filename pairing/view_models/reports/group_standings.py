"""Standings of groups: categories, their best players, clubs and federations."""

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
"""Selects the tables of all categories."""
_BEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryStandingsTable:
    """The standings of a category. Each line has its place among all players."""

    label: str | Promise
    table: StandingsSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryLeadersSheet:
    """An event's categories with their sizes and best players.

    Categories that include all players or none are left out.
    """

    whole: StandingsSheet
    sizes: tuple[int, ...]
    categories: tuple[CategoryStandingsTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupStandingsSheet:
    """An event's clubs or federations, by the sums of their best players' points."""

    club: str
    event: str
    after_round: int
    by_federation: bool
    groups: ClubStandingsTable


def category_standings_tables(table: EventStandings, key: str) -> tuple[CategoryStandingsTable, ...]:
    """Return the table of the category with this key, or of all for `ALL_CATEGORIES`. Empty for an unknown key."""
    wanted = [each for each in offered_categories(table) if key in (each.key, ALL_CATEGORIES)]
    return tuple(_table(table, each) for each in wanted)


def category_leaders_sheet(table: EventStandings) -> CategoryLeadersSheet:
    """Return the best three of the whole event and of every category."""
    offered = offered_categories(table)
    return CategoryLeadersSheet(
        whole=standings_sheet(table, rows=table.rows[:_BEST]),
        sizes=tuple(each.size for each in offered),
        categories=tuple(_table(table, each, most=_BEST) for each in offered),
    )


def group_standings_sheet(
    table: EventStandings, *, by_federation: bool, counted: int | None = None
) -> GroupStandingsSheet:
    """Return the clubs or federations by the sums of their best `counted` players' points."""
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
