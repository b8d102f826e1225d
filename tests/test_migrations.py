"""Migrations that stand for many (decision 0030) end where those end, whatever of them a database has already."""

from __future__ import annotations

import pytest
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration

from tests.tables import APPS, Chain


@pytest.fixture(scope="module")
def chain() -> MigrationLoader:
    return Chain(None)


@pytest.fixture(scope="module")
def squashed() -> MigrationLoader:
    return MigrationLoader(None)


def standing_for_many(loader: MigrationLoader) -> dict[tuple[str, str], Migration]:
    return {key: each for key, each in loader.disk_migrations.items() if key[0] in APPS and each.replaces}


def test_a_new_database_is_made_without_the_long_chain(squashed):
    roots = [key for app in APPS for key in squashed.graph.root_nodes(app)]
    assert sorted(key for key in roots if key[0] in APPS) == sorted(standing_for_many(squashed))
    assert len(roots) == len(APPS)


def test_both_ways_end_in_the_same_models(chain, squashed):
    """Fields in the same order, with the same options, indexes and constraints."""
    by_one, by_many = squashed.project_state().models, chain.project_state().models
    assert by_one.keys() == by_many.keys()
    assert [key for key in by_many if by_one[key] != by_many[key]] == []
    assert [key for key in by_many if list(by_one[key].fields) != list(by_many[key].fields)] == []


@pytest.mark.parametrize("app", APPS)
def test_what_is_stood_for_is_a_stretch_of_the_chain(app, chain, squashed):
    (made,) = [each for (of, _name), each in standing_for_many(squashed).items() if of == app]
    names = sorted(name for of, name in chain.disk_migrations if of == app)
    assert [name for _app, name in made.replaces] == names[: len(made.replaces)]


@pytest.mark.parametrize("app", APPS)
def test_nothing_is_needed_that_the_chain_did_not_need(app, chain, squashed):
    """Else a database that has all of this app's and not yet all of a lower one's would count as inconsistent."""
    (made,) = [each for (of, _name), each in standing_for_many(squashed).items() if of == app]
    needed = {key for each in made.replaces for key in chain.graph.forwards_plan(each)}
    assert set(made.dependencies) <= needed
