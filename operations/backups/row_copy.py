"""All rows of a database into another one with the same tables, whichever of the two kinds each is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

ROW_BATCH_SIZE = 2000
_PASSING = {"common_workingfile", "common_workingpiece"}
"""Files on their way, which nobody waits for any more when a backup is put back."""


def managed_models() -> list[type[models.Model]]:
    """Every table that the program has rows in, those that join two others among them."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    ]


def delete_all_rows(database: BaseDatabaseWrapper) -> None:
    """Delete all rows, those that no statement may delete among them; in the caller's transaction."""
    tables = [database.ops.quote_name(model._meta.db_table) for model in managed_models()]
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")
            return
        for table in tables:
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608


def copy_rows(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> dict[str, int]:
    """Every row as it is, keys and times too, into empty tables; how many of each table.

    Row by row, a guard would refuse what is right as a whole: the caller takes them down, and up behind.
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
