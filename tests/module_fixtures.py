"""Objects shared by all tests of a module, made once."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TypeVar

import pytest

from clubs.models import Club, User
from tournaments.models import Tournament

T = TypeVar("T")


def make_module_fixtures(make: Callable[[], T]) -> tuple[Callable[..., T], Callable[..., T]]:
    """Two fixtures: the result of `make`, whose objects are shared, and a copy of it for each test.

        made_once, cast = make_module_fixtures(make_cast)

    A test changes rows and objects as it likes: its rows are taken back, and the copy is its own. All tests of the
    module find the rows, whether they ask for them or not, so that none depends on which came before. The first must
    have this name, and no test of the module may commit.
    """

    @pytest.fixture(scope="module", autouse=True)
    def made_once(module_transaction: None) -> T:
        return make()

    @pytest.fixture
    def for_a_test(made_once: T, db: None) -> T:
        return deepcopy(made_once)

    return made_once, for_a_test


def make_club_and_secretary_fixtures() -> tuple[Callable[..., Club], Callable[..., User]]:
    """Fixtures for a module whose `event` is made once, instead of the usual ones: its club and secretary.

    club, secretary = make_club_and_secretary_fixtures()
    """

    @pytest.fixture
    def club(event: Tournament) -> Club:
        return event.club

    @pytest.fixture
    def secretary(event: Tournament) -> User:
        return User.objects.get(username="secretary")

    return club, secretary
