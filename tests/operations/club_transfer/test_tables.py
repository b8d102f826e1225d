"""Every table and column moves, is made anew, or stays behind on purpose."""

from __future__ import annotations

import json

import pytest
from django.db import models

from operations.backups.row_copy import managed_models
from operations.club_transfer.archive_format import club_archive_schema
from operations.club_transfer.tables import (
    ALL_TABLES,
    CLUB,
    CLUB_TABLES,
    IN_EVENT_FILES,
    JSON_COLUMNS,
    LEFT_OUT,
    PEOPLE,
    ArchiveTable,
)
from tests.operations.event_transfer.test_transferred_columns import CARRIED
from tests.test_conventions import ROOT

WHOLE_TABLES = (PEOPLE, CLUB, *CLUB_TABLES)


def test_every_table_has_one_decision():
    decided = [*(table.model._meta.label for table in WHOLE_TABLES), *IN_EVENT_FILES, *LEFT_OUT]
    assert sorted(decided) == sorted(model._meta.label for model in managed_models())


@pytest.mark.parametrize("table", WHOLE_TABLES, ids=lambda table: table.name)
def test_every_column_has_one_decision(table: ArchiveTable):
    columns = sorted(field.name for field in table.model._meta.concrete_fields if not field.primary_key)
    assert sorted(f"{table.columns} {table.made_anew} {table.left_out}".split()) == columns


def test_tables_of_event_files_are_those_whose_columns_are_decided_there():
    assert {model._meta.label for model in CARRIED} == IN_EVENT_FILES


def test_secrets_and_what_only_this_server_knows_never_move():
    moving = {f"{table.name}.{name}" for table in ALL_TABLES for name in table.fields}
    words = ("password", "secret", "token", "seal", "form_key", "site", "endpoint", "auth", "p256dh", "link_version")
    assert {name for name in moving if any(word in name for word in words)} == set()


def test_an_empty_cell_is_never_ambiguous():
    """A text without a value would be read as an empty text."""
    texts = [
        f"{table.name}.{name}"
        for table in ALL_TABLES
        for name, field in table.fields.items()
        if isinstance(field, models.CharField | models.TextField) and field.null
    ]
    assert texts == []


def test_every_json_column_has_a_shape():
    columns = {
        f"{table.name}.{name}"
        for table in ALL_TABLES
        for name, field in table.fields.items()
        if isinstance(field, models.JSONField)
    }
    assert columns == set(JSON_COLUMNS)


def test_a_table_comes_after_those_it_refers_to():
    seen: set[type[models.Model]] = set()
    for table in ALL_TABLES:
        targets = {field.related_model for field in table.fields.values() if field.is_relation} - {table.model}
        assert targets <= seen, table.name
        seen.add(table.model)


def test_the_format_fits_the_schema_in_the_documentation():
    kept = json.loads((ROOT / "docs" / "developer" / "club-file.schema.json").read_text())
    assert kept == club_archive_schema(), "the format has changed: write the schema anew, and raise the version"
