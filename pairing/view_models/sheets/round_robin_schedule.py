"""The schedule of a round robin."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.snapshot import InvalidSnapshot
from pairing.engine.systems.round_robin import round_robin_schedule
from pairing.view_models.sheets.players_and_results import StartingListPlayer, StartingListSheet, starting_list_sheet
from tournaments.models import PairingSystem, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledGame:
    """A scheduled game."""

    white: StartingListPlayer
    black: StartingListPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledRound:
    """A scheduled round. `player_without_game` is the player without an opponent, if any."""

    number: int
    games: tuple[ScheduledGame, ...]
    player_without_game: StartingListPlayer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobinScheduleSheet:
    """All rounds of an event. Empty if there is no schedule.

    `has_drawn_numbers` is True if every player has a number.
    """

    starting_list: StartingListSheet
    rounds: tuple[ScheduledRound, ...]
    has_drawn_numbers: bool
    has_begun: bool


def round_robin_schedule_sheet(tournament: Tournament) -> RoundRobinScheduleSheet:
    """Return the schedule by the players' numbers, or by the numbers they would get if round 1 were paired now."""
    people = starting_list_sheet(tournament)
    return RoundRobinScheduleSheet(
        starting_list=people,
        rounds=_rounds(tournament, people) if tournament.system == PairingSystem.ROUND_ROBIN else (),
        has_drawn_numbers=people.players != () and not tournament.entries.filter(tpn=None).exists(),
        has_begun=tournament.rounds.exclude(state=Round.State.WAITING).exists(),
    )


def _rounds(tournament: Tournament, people: StartingListSheet) -> tuple[ScheduledRound, ...]:
    by_number = {person.number: person for person in people.players}
    try:
        rows = round_robin_schedule(len(by_number), tournament.rounds_announced)
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
        rounds.append(ScheduledRound(number=number, games=tuple(games), player_without_game=resting))
    return tuple(rounds)
