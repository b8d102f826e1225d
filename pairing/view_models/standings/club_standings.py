"""Standings of clubs by their best players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.snapshot import PairingNumber
from pairing.engine.standings.ranking import rank_clubs
from pairing.explanations.reason_sentences import points_text
from pairing.view_models.standings.event_standings import EventStandings, StandingsRow

DEFAULT_PLAYERS_COUNTED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedClubPlayer:
    """A player who counts for their club, with their place in the whole table."""

    entry: int
    name: str
    tpn: int | None
    points: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStandingsLine:
    """A club's line: the players who count, the best first, and the sums of their points and places."""

    place: int
    club: str
    points: str
    places: int
    players: tuple[CountedClubPlayer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStandingsTable:
    """Clubs by the sums of their best `counted` players' points.

    `excluded_clubs` are the clubs with fewer players, by name.
    """

    counted: int
    largest_club_size: int
    lines: tuple[ClubStandingsLine, ...]
    excluded_clubs: tuple[str, ...]


def club_standings_table(table: EventStandings, counted: int | None = None) -> ClubStandingsTable:
    """Return the standings of clubs. `counted` is from 1 to the size of the largest club, by default 4."""
    return _summed(table, _clubs(table), counted)


def federation_standings_table(table: EventStandings, counted: int | None = None) -> ClubStandingsTable:
    """Return the standings of federations. `counted` works as in `club_standings_table`."""
    return _summed(table, {table.pairing_numbers[row.entry.pk]: row.entry.federation for row in table.rows}, counted)


def _summed(table: EventStandings, clubs: Mapping[PairingNumber, str], counted: int | None) -> ClubStandingsTable:
    sizes = Counter(filter(None, clubs.values()))
    most = max(sizes.values(), default=0)
    counted = max(1, min(counted or DEFAULT_PLAYERS_COUNTED, most))
    rows = {table.pairing_numbers[row.entry.pk]: row for row in table.rows}
    sums = rank_clubs(table.ranking.standings, clubs, counted=counted)
    return ClubStandingsTable(
        counted=counted,
        largest_club_size=most,
        lines=tuple(
            ClubStandingsLine(
                place=each.place,
                club=each.club,
                points=points_text(each.points),
                places=each.rank_sum,
                players=tuple(_player(rows[tpn]) for tpn in each.players),
            )
            for each in sums
        ),
        excluded_clubs=tuple(sorted(club for club, size in sizes.items() if size < counted)),
    )


def _player(row: StandingsRow) -> CountedClubPlayer:
    return CountedClubPlayer(
        entry=row.entry.pk, name=row.entry.name, tpn=row.entry.tpn, points=row.points_text, place=row.place
    )


def _clubs(table: EventStandings) -> Mapping[PairingNumber, str]:
    """Return each player's club: the one on the entry, or for members the event's own."""
    own = table.tournament.club.name
    return {
        table.pairing_numbers[row.entry.pk]: row.entry.club_name or (own if row.entry.member_id else "")
        for row in table.rows
    }
