"""The players of an event: starting list, attendance sheet, wall chart, place cards, badges."""

from __future__ import annotations

from dataclasses import dataclass

from common.text.name_order import name_sort_key
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingListPlayer:
    """A player on the starting list; `rating` is 0 if unrated."""

    number: int
    name: str
    title: str
    rating: int
    federation: str
    club_name: str
    birth_year: str
    fide_id: str
    has_withdrawn: bool

    @property
    def family_name(self) -> str:
        return self.name.partition(", ")[0]

    @property
    def given_name(self) -> str:
        return self.name.partition(", ")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingListSheet:
    """The players of an event by number."""

    club: str
    event: str
    city: str
    rounds_announced: int
    players: tuple[StartingListPlayer, ...]

    @property
    def players_by_name(self) -> tuple[StartingListPlayer, ...]:
        return tuple(sorted(self.players, key=lambda person: name_sort_key(person.name)))

    @property
    def players_by_rating(self) -> tuple[StartingListPlayer, ...]:
        return tuple(sorted(self.players, key=lambda person: (-person.rating, person.number)))


def starting_list_sheet(tournament: Tournament) -> StartingListSheet:
    """Return all players of an event, in one query."""
    entries = list(tournament.entries.all())
    numbers = pairing_numbers_by_entry(entries)
    people = (
        StartingListPlayer(
            number=numbers[entry.pk],
            name=entry.name,
            title=entry.title,
            rating=entry.rating,
            federation=entry.federation,
            club_name=entry.club_name,
            birth_year=entry.birth[:4],
            fide_id=entry.fide_id,
            has_withdrawn=entry.withdrawn_from_round is not None,
        )
        for entry in entries
    )
    return StartingListSheet(
        club=tournament.club.name,
        event=tournament.name,
        city=tournament.city,
        rounds_announced=tournament.rounds_announced,
        players=tuple(sorted(people, key=lambda person: person.number)),
    )
