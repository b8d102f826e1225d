"""The cast for the round pages, and an event in every state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role, User
from pairing.rounds.lifecycle.transitions import pair_round, publish_round
from tests.factories import PAGES_OF_A_PLAYER, enter_all, key_of_number, make_club, make_user
from tests.pairing.seven_players import make_seven_player_event
from tournaments.models import Game, Round, Tournament
from tournaments.results.recording import finish_round


@pytest.fixture
def outsider(db) -> User:
    """The secretary of another club."""
    return make_user("outsider", make_club("na-skale", "Na Skale"), Role.SECRETARY)


@pytest.fixture
def event(club, secretary) -> Tournament:
    """Seven players, three rounds by Jahr's method, nothing paired."""
    return make_seven_player_event(club, by=secretary)


@pytest.fixture
def round_in(event, secretary) -> Callable[..., Round]:
    """Bring a round of the event into a state. Earlier rounds are finished, with wins for White."""

    def bring(number: int, state: Round.State) -> Round:
        for earlier in range(1, number):
            if event.rounds.get(number=earlier).state != Round.State.FINISHED:
                bring(earlier, Round.State.FINISHED)
        this_round = event.rounds.get(number=number)
        if state == Round.State.WAITING:
            return this_round
        this_round = pair_round(this_round.pk, by=secretary).round
        if state == Round.State.DRAFT:
            return this_round
        this_round = publish_round(this_round, by=secretary, version=this_round.version)
        if state == Round.State.PUBLISHED:
            return this_round
        enter_all(this_round, lambda _game: Game.Result.WHITE_WINS, by=secretary)
        return finish_round(this_round, by=secretary)

    return bring


@pytest.fixture
def signed_in() -> Callable[[User | None], Client]:
    """A browser of a user, or of an anonymous visitor for None."""

    def browser(user: User | None = None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return browser


@pytest.fixture
def address(event) -> Callable[..., str]:
    """The URL of a page of the event, by name. A player is given by number."""

    def of(name: str, *args: object) -> str:
        if name in PAGES_OF_A_PLAYER:
            args = (*args[:-1], key_of_number(event, args[-1]))
        return reverse(name, args=[event.club.slug, event.slug, *args])

    return of
