"""Triggers and migrations: whatever a migration does to the tables, the triggers exist afterwards."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection

from operations import schema_guard
from operations.management.commands import migrate
from tournaments.models import Round
from tournaments.models.integrity_triggers import (
    INTEGRITY_TRIGGERS,
    create_integrity_triggers,
    drop_integrity_triggers,
    installed_integrity_triggers,
)


@pytest.mark.django_db(transaction=True)
def test_migrating_puts_up_what_is_missing():
    drop_integrity_triggers()
    assert installed_integrity_triggers() == set()
    call_command("migrate", verbosity=0)
    assert installed_integrity_triggers() == {guard.name for guard in INTEGRITY_TRIGGERS}


@pytest.mark.django_db
@pytest.mark.parametrize("look", ["--plan", "--check"])
def test_a_look_at_what_is_to_be_done_leaves_them_alone(look, monkeypatch, capsys):
    touched = []
    for name in ("drop_integrity_triggers", "create_integrity_triggers"):
        monkeypatch.setattr(migrate, name, lambda **using: touched.append(using))
    call_command("migrate", look)
    assert ("No planned migration operations" in capsys.readouterr().out) is (look == "--plan")
    assert touched == []


@pytest.mark.django_db(transaction=True)
def test_tables_can_be_built_anew_while_they_are_down():
    """What SQLite does for nearly every column change."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite builds tables anew")
    drop_integrity_triggers()
    try:
        with connection.schema_editor() as editor:
            editor._remake_table(Round)
    finally:
        create_integrity_triggers()
    assert installed_integrity_triggers() == {guard.name for guard in INTEGRITY_TRIGGERS}


@pytest.mark.django_db(transaction=True)
def test_a_migration_forth_and_back_finds_them_down_and_leaves_them_up(settings, monkeypatch):
    """It changes a table that triggers of other tables use."""
    monkeypatch.setattr(schema_guard, "_known", schema_guard._known.__wrapped__)
    settings.MIGRATION_MODULES = {"tournaments": "tests.tournaments.next_migrations"}
    call_command("migrate", verbosity=0)
    try:
        assert length_of_names() == 200
        assert installed_integrity_triggers() == {guard.name for guard in INTEGRITY_TRIGGERS}
    finally:
        call_command("migrate", "tournaments", "0001", verbosity=0)
    assert length_of_names() == 120
    assert installed_integrity_triggers() == {guard.name for guard in INTEGRITY_TRIGGERS}


def length_of_names() -> int | None:
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, "tournaments_tournament")
    return next(column.display_size for column in columns if column.name == "name")
