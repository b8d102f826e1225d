"""The event for tests of round pages: seven players, three rounds by Jahr's method, nothing paired."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clubs.models import Club, Role, User
from tests.factories import make_club, make_user
from tests.module_fixtures import make_club_and_secretary_fixtures, make_module_fixtures
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.events.event_setup import create_tournament
from tournaments.models import PairingSystem, Tournament

PLAYERS = (
    "Łęcka, Zdzisława; 2100",
    "Бързакова, Весела; 2050",
    "Příhodová, Žofie; 2000",
    "Kowal, Adam; 1950",
    "Müller, Jürgen; 1900",
    "Zając, Ewa; 1850",
    "Baran, Ola; 1800",
)
"""An odd number, so that every round has a bye."""


def make_seven_player_event(club: Club, *, by: User) -> Tournament:
    tournament = create_tournament(club, by=by, name="Środa", rounds_announced=3, system=PairingSystem.JAHR)
    enter_pasted_list(tournament, "\n".join(PLAYERS), by=by)
    return tournament


def make_seven_player_fixtures() -> tuple[Callable[..., Any], ...]:
    """For a module in which all tests start with it and none commits (tests/module_fixtures.py): its fixtures.

    made_once, event, club, secretary = make_seven_player_fixtures()
    """

    def make() -> Tournament:
        club = make_club()
        return make_seven_player_event(club, by=make_user("secretary", club, Role.SECRETARY))

    made_once, event = make_module_fixtures(make)
    return made_once, event, *make_club_and_secretary_fixtures()
