"""The schedule of a round robin: every round of it, known once the numbers are."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.snapshot import InvalidSnapshot
from pairing.engine.systems.round_robin import schedule
from pairing.view_models.sheets.people import PeopleSheet, Person, people_sheet
from tournaments.models import Round, System, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledGame:
    """A game that the table has: White and Black."""

    white: Person
    black: Person


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledRound:
    """A round of the schedule; `resting` is whoever has no game in it."""

    number: int
    games: tuple[ScheduledGame, ...]
    resting: Person | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleSheet:
    """All rounds of an event, none where there is no schedule; `is_drawn` says that the numbers stand."""

    people: PeopleSheet
    rounds: tuple[ScheduledRound, ...]
    is_drawn: bool
    is_begun: bool


def schedule_sheet(tournament: Tournament) -> ScheduleSheet:
    """The schedule as the numbers stand, or would stand if round 1 were paired now."""
    people = people_sheet(tournament)
    return ScheduleSheet(
        people=people,
        rounds=_rounds(tournament, people) if tournament.system == System.ROUND_ROBIN else (),
        is_drawn=people.people != () and not tournament.entries.filter(tpn=None).exists(),
        is_begun=tournament.rounds.exclude(state=Round.State.WAITING).exists(),
    )


def _rounds(tournament: Tournament, people: PeopleSheet) -> tuple[ScheduledRound, ...]:
    by_number = {person.number: person for person in people.people}
    try:
        rows = schedule(len(by_number), tournament.rounds_announced)
    except InvalidSnapshot:
        return ()
    rounds = []
    for number, row in enumerate(rows, start=1):
        games = [
            ScheduledGame(white=by_number[white], black=by_number[black])
            for white, black in row.games
            if white in by_number and black in by_number
        ]
        resting = next((by_number.get(min(game)) for game in row.games if max(game) not in by_number), None)
        rounds.append(ScheduledRound(number=number, games=tuple(games), resting=resting))
    return tuple(rounds)
