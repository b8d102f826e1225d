"""The format of club archives, version 1: the names of files in the ZIP, and how values are written in the tables.

A table is a CSV file like those of `common.tabular.file_responses`. Its first column, `id`, is the row's number in the
archive, by which other columns refer to the row. An empty cell is an empty string, or no value.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final, Literal

from django.db import models
from pydantic import Field

from clubs.models import RatingRegister
from common.tabular.text_tables import escape_formula, escape_formulas_within, unescape_formulas_within
from operations.club_transfer.tables import ALL_TABLES, JSON_COLUMNS, ArchiveTable
from operations.event_transfer.file_format import EventFilePart, Moment, Text

FORMAT: Final = "clubnight-club"
VERSION: Final = 1
MANIFEST, LOGO = "club.json", "logo.png"
SHARED_REGISTER = "FIDE"
"""Refers to FIDE's register, which all clubs on a server share."""

Rows = Annotated[int, Field(ge=0, le=2_000_000)]


class ClubManifest(EventFilePart):
    """The archive's first file: where it comes from, and the number of rows of each table."""

    format: Literal["clubnight-club"]
    version: Literal[1]
    made_at: Moment
    program: Text
    club: Text
    rows: dict[Text, Rows]


def table_path(table: ArchiveTable) -> str:
    """Return the path of a table in the ZIP."""
    return f"tables/{table.name}.csv"


def event_folder(number: object, slug: str) -> str:
    """Return the folder of an event in the ZIP."""
    return f"events/{number}-{slug}"


def event_path(number: object, slug: str) -> str:
    """Return the path of an event file in the ZIP."""
    return f"{event_folder(number, slug)}/event.json"


def voucher_path(number: object, kind: str) -> str:
    """Return the path of a voucher in the ZIP."""
    return f"vouchers/{number}.{kind}"


def format_cell(field: models.Field[Any, Any], value: Any) -> str:
    """Return a value as a cell."""
    if value is None:
        return ""
    if isinstance(field, models.JSONField):
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, datetime):
        text = value.astimezone(UTC).isoformat()
    else:
        text = value.isoformat() if isinstance(value, date) else str(value)
    return _guarded(text) if isinstance(field, models.CharField | models.TextField) else text


def read_cell_text(text: str) -> str:
    """Return the text of a cell without the apostrophes that protect it from spreadsheets."""
    return unescape_formulas_within(text[1:]) if text.startswith("'") else text


def _guarded(text: str) -> str:
    """Put apostrophes before and within text that a spreadsheet would read as a formula, or that already has one."""
    return f"'{escape_formulas_within(text)}" if text.startswith("'") or escape_formula(text) != text else text


def club_archive_schema() -> dict[str, Any]:
    """Return the format as a JSON schema: the manifest, and each table as a list of objects."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **ClubManifest.model_json_schema()}
    return schema | {"$defs": {table.name: _table_schema(table) for table in ALL_TABLES}}


def _table_schema(table: ArchiveTable) -> dict[str, Any]:
    columns = {name: _column_schema(table, field) for name, field in table.fields.items()}
    number = {"type": "integer", "minimum": 1}
    row = {"type": "object", "properties": {"id": number, **columns}, "required": ["id", *columns]}
    return {"description": table_path(table), "type": "array", "items": row | {"additionalProperties": False}}


def _column_schema(table: ArchiveTable, field: models.Field[Any, Any]) -> dict[str, Any]:
    if isinstance(field, models.ForeignKey):
        target = next(each.name for each in ALL_TABLES if each.model is field.related_model)
        kind: dict[str, Any] = {"type": "integer", "description": f"id in {target}"}
        if field.related_model is RatingRegister:
            kind = {"type": ["integer", "string"], "description": f"id in {target}, or {SHARED_REGISTER}"}
    elif isinstance(field, models.JSONField):
        kind = JSON_COLUMNS[f"{table.name}.{field.name}"].json_schema()
    elif isinstance(field, models.BooleanField):
        kind = {"type": "boolean"}
    elif isinstance(field, models.IntegerField):
        kind = {"type": "integer"}
    else:
        kind = {"type": "string"}
        form = {models.DateTimeField: "date-time", models.DateField: "date", models.UUIDField: "uuid"}.get(type(field))
        kind |= {"format": form} if form else {}
        kind |= {"maxLength": field.max_length} if field.max_length else {}
        kind |= {"enum": [value for value, _label in field.flatchoices]} if field.choices and not form else {}
    return {"anyOf": [kind, {"type": "null"}]} if field.null else kind
