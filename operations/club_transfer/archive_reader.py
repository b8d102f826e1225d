"""Reads club archives. They are not trusted: every value is checked, and an error names file, line and column."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from pydantic import ValidationError as ShapeError

from clubs.models import RatingRegister, time_zone_choices
from common.file_store.upload_limits import MAX_EVENT_FILE_BYTES, MAX_UPLOAD_BYTES
from common.problems import OfficerProblem
from operations.club_transfer.archive_format import (
    MANIFEST,
    SHARED_REGISTER,
    ClubManifest,
    event_path,
    read_cell_text,
    table_path,
)
from operations.club_transfer.tables import ALL_TABLES, EVENTS, JSON_COLUMNS, ArchiveTable
from operations.event_transfer.file_format import EventFile
from operations.event_transfer.file_reader import parse_event_file
from tournaments.problems import ArbiterProblem

MAX_FILES = 50_000
MAX_UNPACKED_BYTES = 1024**3
MAX_TABLE_BYTES = 200 * 1024**2
MAX_RATIO, RATIO_FROM_BYTES = 200, 1024**2
"""Files of at least this size may not be compressed below 1/200. Tables and event files compress to about 1/30."""
MAX_ROWS = 2_000_000
"""The limit for all tables together. They take about 1 GB of memory."""
FIRST_YEAR, LAST_YEAR = 1800, 2200
_LONGEST_WORD = 200
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_IS_ENCRYPTED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveRow:
    """A row in a table. `references` are the ids of other rows, by column, or None if empty."""

    line: int
    id: str
    values: Mapping[str, Any]
    references: Mapping[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubArchive:
    """A complete archive whose values are valid. Vouchers, the logo and event files are read when they are needed."""

    manifest: ClubManifest
    tables: Mapping[str, list[ArchiveRow]]
    files: zipfile.ZipFile

    def rows(self, table: ArchiveTable) -> list[ArchiveRow]:
        return self.tables[table.name]

    def event_file(self, event: ArchiveRow) -> EventFile:
        """Return an event's file. Raises OfficerProblem if it is missing or invalid."""
        path = event_path(event.id, event.values["slug"])
        try:
            return parse_event_file(read_member(self.files, path, MAX_EVENT_FILE_BYTES))
        except ArbiterProblem as problem:
            raise archive_problem(path, problem.message) from problem

    def data(self, path: str) -> bytes | None:
        """Return a voucher or the logo, or None if the archive lacks it."""
        return read_member(self.files, path, MAX_UPLOAD_BYTES) if path in self.files.NameToInfo else None


def archive_problem(path: str, why: str, *, line: int = 0, column: str = "") -> OfficerProblem:
    """Return the error for a problem in an archive, with its place."""
    place = path + (f", {_('line')} {line}" if line else "") + (f", {column}" if column else "")
    said = {"place": place[:_LONGEST_WORD], "why": why.rstrip(".")[:_LONGEST_WORD]}
    return OfficerProblem(_("We couldn't import the club. Problem at %(place)s: %(why)s.") % said)


def read_club_archive(data: bytes) -> ClubArchive:
    """Read an archive and check all its values. Raises OfficerProblem if it is invalid."""
    try:
        files = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise OfficerProblem(_("This isn't a Clubnight archive. Choose the ZIP file that Clubnight made.")) from error
    _check_sizes(files)
    manifest = _manifest(files)
    if sum(manifest.rows.values()) > MAX_ROWS:
        raise OfficerProblem(_("This archive unpacks to too much data. Nothing was imported."))
    tables = {}
    for table in ALL_TABLES:
        count = manifest.rows.get(table.name, 0)
        # One extra row shows that there are too many. Counting them all could fill the memory.
        tables[table.name] = list(islice(_table_rows(files, table), count + 1))
        if len(tables[table.name]) != count or table.name not in manifest.rows:
            raise archive_problem(table_path(table), _("the file is damaged"))
    archive = ClubArchive(manifest=manifest, tables=tables, files=files)
    for event in archive.rows(EVENTS):
        archive.event_file(event)
    return archive


def read_member(files: zipfile.ZipFile, path: str, limit: int) -> bytes:
    """Return a file in the archive. Raises OfficerProblem if it is missing, damaged or too large."""
    try:
        info = files.getinfo(path)
        if info.file_size > limit:
            raise archive_problem(path, _("it is larger than %(limit)s MB") % {"limit": limit // 1024**2})
        with files.open(info) as member:
            return member.read(limit)
    except KeyError as error:
        raise archive_problem(path, _("the file is missing")) from error
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError, ValueError) as error:
        raise archive_problem(path, _("the file is damaged")) from error


def _check_sizes(files: zipfile.ZipFile) -> None:
    """Raise OfficerProblem if the archive would unpack to too much data, or is encrypted or compressed unlike ours."""
    members = files.infolist()
    too_large = len(members) > MAX_FILES or sum(each.file_size for each in members) > MAX_UNPACKED_BYTES
    if too_large or len(files.NameToInfo) != len(members):
        raise OfficerProblem(_("This archive unpacks to too much data. Nothing was imported."))
    for each in members:
        is_tight = each.file_size >= RATIO_FROM_BYTES and each.file_size > MAX_RATIO * each.compress_size
        if is_tight or each.compress_type not in _PACKINGS or each.flag_bits & _IS_ENCRYPTED:
            raise archive_problem(
                each.filename, _("this file is encrypted or compressed in a way Clubnight doesn't accept")
            )


def _manifest(files: zipfile.ZipFile) -> ClubManifest:
    if MANIFEST not in files.NameToInfo:
        raise OfficerProblem(_("This isn't a Clubnight archive. Choose the ZIP file that Clubnight made."))
    try:
        return ClubManifest.model_validate_json(read_member(files, MANIFEST, MAX_UPLOAD_BYTES))
    except ShapeError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        if first["loc"] == ("version",):
            raise OfficerProblem(_("The file was made by a newer version of Clubnight.")) from error
        raise archive_problem(MANIFEST, first["msg"], column=".".join(map(str, first["loc"]))) from error


def _table_rows(files: zipfile.ZipFile, table: ArchiveTable) -> Iterator[ArchiveRow]:
    """Yield the rows of a table. Raises OfficerProblem if an id appears twice."""
    path = table_path(table)
    try:
        text = read_member(files, path, MAX_TABLE_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise archive_problem(path, _("it contains invalid characters")) from error
    if "\0" in text:
        raise archive_problem(path, _("it contains invalid characters"))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";", strict=True)
    headings, line = ["id", *table.fields], 0
    wrong_columns = _("the columns must be %(names)s") % {"names": ", ".join(headings)}
    seen: set[tuple[str, str | None]] = set()
    try:
        for cells in reader:
            if len(cells) != len(headings) or (line == 0 and cells != headings):
                raise archive_problem(path, wrong_columns, line=line + 1)
            if line > 0:
                row = _row(table, cells, line + 1)
                # A player's id is a position in an event.
                key = row.id, row.references.get("tournament")
                if key in seen:
                    raise archive_problem(path, _("an id appears more than once"), line=line + 1)
                seen.add(key)
                yield row
            line = reader.line_num
    except csv.Error as error:
        raise archive_problem(path, str(error), line=line + 1) from error
    if line == 0:
        raise archive_problem(path, wrong_columns, line=1)


def _row(table: ArchiveTable, cells: list[str], line: int) -> ArchiveRow:
    values: dict[str, Any] = {}
    references: dict[str, str | None] = {}
    column = "id"
    try:
        _check(_is_number(cells[0]), cells[0])
        for (column, field), cell in zip(table.fields.items(), cells[1:], strict=True):
            if isinstance(field, models.ForeignKey):
                is_shared = field.related_model is RatingRegister and cell == SHARED_REGISTER
                _check(is_shared or _is_number(cell) or (cell == "" and field.null), cell)
                references[column] = cell or None
            else:
                values[column] = _value(table, field, cell)
    except ValidationError as error:
        raise archive_problem(table_path(table), error.messages[0], line=line, column=column) from error
    return ArchiveRow(line=line, id=cells[0], values=values, references=references)


def _is_number(text: str) -> bool:
    return re.fullmatch("[1-9][0-9]{0,17}", text) is not None


def _check(holds: bool, text: str) -> None:
    if not holds:
        raise ValidationError(_("“%(text)s” isn't a valid value") % {"text": text[:40]})


def _value(table: ArchiveTable, field: models.Field[Any, Any], cell: str) -> Any:
    """Return the value of a cell. Raises ValidationError if the column can't have it."""
    if isinstance(field, models.CharField | models.TextField):
        return _text(table, field, read_cell_text(cell))
    if cell == "" and field.null:
        return None
    try:
        value = _plain_value(field, cell)
        if isinstance(field, models.JSONField):
            return JSON_COLUMNS[f"{table.name}.{field.name}"].validate_python(value, strict=True)
    except (ValueError, RecursionError, OverflowError) as error:
        raise ValidationError(_("“%(text)s” isn't a valid value") % {"text": cell[:40]}) from error
    field.run_validators(value)
    _check(not field.choices or value in dict(field.flatchoices), cell)
    return value


def _text(table: ArchiveTable, field: models.Field[Any, Any], text: str) -> str:
    field.run_validators(text)
    _check(field.max_length is None or len(text) <= field.max_length, text)
    _check(text != "" or field.blank, text)
    _check(not field.choices or text in dict(field.flatchoices) or (text == "" and field.blank), text)
    if field.name == "time_zone":
        _check(text == "" or text in dict(time_zone_choices()), text)
    return text


def _plain_value(field: models.Field[Any, Any], cell: str) -> Any:
    """Return a value of the column's type. Raises ValueError."""
    if isinstance(field, models.JSONField):
        return json.loads(cell)
    if isinstance(field, models.BooleanField):
        return {"true": True, "false": False}[cell] if cell in ("true", "false") else _refuse(cell)
    if isinstance(field, models.IntegerField):
        return int(cell) if re.fullmatch("-?[0-9]{1,18}", cell) else _refuse(cell)
    if isinstance(field, models.UUIDField):
        return UUID(cell)
    if isinstance(field, models.DateTimeField):
        moment = datetime.fromisoformat(cell)
        return moment if moment.tzinfo is not None and _is_our_year(moment) else _refuse(cell)
    day = date.fromisoformat(cell)
    return day if _is_our_year(day) else _refuse(cell)


def _is_our_year(day: date) -> bool:
    return FIRST_YEAR <= day.year <= LAST_YEAR


def _refuse(cell: str) -> Any:
    raise ValueError(cell)
