"""Clubs by what their best players have, from the table of an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.club_sums import club_sums
from pairing.explanations.explanations import points_text
from pairing.view_models.standings.event_standings import StandingRow, Standings

USUALLY_COUNTED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPlayer:
    """A player who counts for his club, with his place in the whole table."""

    name: str
    tpn: int | None
    points: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubLine:
    """A club's line: the sums of points and of places of those players of it who count, the best first."""

    place: int
    club: str
    points: str
    places: int
    players: tuple[ClubPlayer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubTable:
    """Clubs by the sums of `counted` players each; `most` is the size of the largest club.

    `too_small` are clubs with fewer players than that, by name.
    """

    counted: int
    most: int
    lines: tuple[ClubLine, ...]
    too_small: tuple[str, ...]


def club_table(table: Standings, counted: int | None = None) -> ClubTable:
    """The clubs of a table; `counted` is kept between one and the size of the largest club, and usually four."""
    return _summed(table, _clubs(table), counted)


def federation_table(table: Standings, counted: int | None = None) -> ClubTable:
    """The same of federations."""
    return _summed(table, {table.numbers[row.entry.pk]: row.entry.federation for row in table.rows}, counted)


def _summed(table: Standings, clubs: Mapping[PairingNumber, str], counted: int | None) -> ClubTable:
    sizes = Counter(filter(None, clubs.values()))
    most = max(sizes.values(), default=0)
    counted = max(1, min(counted or USUALLY_COUNTED, most))
    rows = {table.numbers[row.entry.pk]: row for row in table.rows}
    sums = club_sums(table.ranking.standings, clubs, counted=counted)
    return ClubTable(
        counted=counted,
        most=most,
        lines=tuple(
            ClubLine(
                place=each.place,
                club=each.club,
                points=points_text(each.points),
                places=each.ranks,
                players=tuple(_player(rows[tpn]) for tpn in each.players),
            )
            for each in sums
        ),
        too_small=tuple(sorted(club for club, size in sizes.items() if size < counted)),
    )


def _player(row: StandingRow) -> ClubPlayer:
    return ClubPlayer(name=row.entry.name, tpn=row.entry.tpn, points=row.points_text, place=row.place)


def _clubs(table: Standings) -> Mapping[PairingNumber, str]:
    """Everybody's club: what his entry says, and the event's own for its members."""
    own = table.tournament.club.name
    return {
        table.numbers[row.entry.pk]: row.entry.club_name or (own if row.entry.member_id else "") for row in table.rows
    }
