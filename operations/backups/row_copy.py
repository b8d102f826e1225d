"""Copies all rows of a database into another with the same tables, SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

ROW_BATCH_SIZE = 2000
_PASSING = {"common_storedfile", "common_storedfilechunk"}
"""Uploaded files in progress, useless once a backup is restored."""


def managed_models() -> list[type[models.Model]]:
    """Return the models of all tables of the program, many-to-many tables included."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    ]


def delete_all_rows(database: BaseDatabaseWrapper) -> None:
    """Delete all rows in the caller's transaction, including rows protected from deletion."""
    tables = [database.ops.quote_name(model._meta.db_table) for model in managed_models()]
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")
            return
        for table in tables:
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608


def copy_rows(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> dict[str, int]:
    """Copy every row, with its keys and times, into empty tables. Return the number of rows by table.

    The integrity triggers could refuse single rows of valid data: the caller drops them before, and creates them
    afterwards.
    """
    copied = {model._meta.db_table: _copy_table(model, source, target) for model in _lasting_models()}
    with target.cursor() as cursor:
        for statement in target.ops.sequence_reset_sql(no_style(), managed_models()):
            cursor.execute(statement)
    return copied


def _lasting_models() -> list[type[models.Model]]:
    return [model for model in managed_models() if model._meta.db_table not in _PASSING]


def _copy_table(model: type[models.Model], source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> int:
    fields = model._meta.local_concrete_fields
    columns = ", ".join(target.ops.quote_name(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {target.ops.quote_name(model._meta.db_table)} ({columns}) VALUES ({places})"  # noqa: S608
    rows = model._base_manager.using(source.alias).order_by("pk").values_list(*(field.attname for field in fields))
    copied = 0
    with target.cursor() as cursor:
        for chunk in _chunks(rows.iterator(chunk_size=ROW_BATCH_SIZE)):
            cursor.executemany(
                statement,
                [
                    [field.get_db_prep_save(value, target) for field, value in zip(fields, row, strict=True)]
                    for row in chunk
                ],
            )
            copied += len(chunk)
    return copied


def _chunks(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    each = iter(rows)
    while chunk := list(islice(each, ROW_BATCH_SIZE)):
        yield chunk
