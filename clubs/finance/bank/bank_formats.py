"""Formats of banks' tables as data: one file for each in `formats/`, described in docs/developer/bank-formats.md."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from clubs.finance.bank.statement_headings import normalise_heading
from common.problems import OfficerProblem
from common.tabular.parsed_table import CellProblem, ParsedTable
from common.tabular.spreadsheets import read_table
from common.tabular.text_tables import TableRow, detect_encoding, parse_table_rows, split_text_lines

FORMATS_FOLDER = Path(__file__).parent / "formats"


@dataclass(frozen=True, slots=True, kw_only=True)
class BankFormat:
    """The format of a bank's table. `key` is the name of the file that describes it.

    - `headings`: the table is recognised by these, all in one line
    - `preamble`: the most lines above them
    - `encoding`: used if the file is not UTF-8. Empty if it is to be guessed.
    - `columns`: the headings that each field may have. The first one found counts.
    - `more_text`: headings of columns that are added to the text
    - `dates`: forms of a date, as for `strptime`
    - `status`: heading of the column that says whether a line is booked. Only lines with one of the words in `booked`
      count, or all without one of the words in `pending`.
    """

    key: str
    name: str
    country: str
    headings: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    delimiter: str
    decimal: str
    dates: tuple[str, ...]
    encoding: str = ""
    preamble: int = 0
    more_text: tuple[str, ...] = ()
    status: str = ""
    booked: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()

    def has_headings(self, cells: Iterable[str]) -> bool:
        """Return True if a line has all the headings that identify the table."""
        found = {normalise_heading(cell) for cell in cells}
        return all(normalise_heading(heading) in found for heading in self.headings)

    def columns_of(self, headings: Sequence[str]) -> dict[str, int]:
        """Return the position of each field's column."""
        found = {}
        for field, names in self.columns.items():
            place = next((place for name in names if (place := place_of_heading(name, headings)) is not None), None)
            if place is not None:
                found[field] = place
        return found

    def is_booked(self, state: str) -> bool:
        """Return True if the text of the `status` column says that the bank has booked the line."""
        said = normalise_heading(state)
        if self.booked:
            return any(normalise_heading(word) in said for word in self.booked)
        return not any(normalise_heading(word) in said for word in self.pending)


def place_of_heading(name: str, headings: Sequence[str]) -> int | None:
    """Return the position of a heading, or None if it is missing."""
    plain = [normalise_heading(heading) for heading in headings]
    wanted = normalise_heading(name)
    return plain.index(wanted) if wanted in plain else None


@cache
def bank_formats() -> tuple[BankFormat, ...]:
    """Return all formats, sorted by country and name."""
    formats = [read_bank_format(path) for path in FORMATS_FOLDER.glob("*.toml")]
    return tuple(sorted(formats, key=lambda each: (each.country, each.name.casefold())))


def find_bank_format(key: str) -> BankFormat | None:
    """Return the format with this key, or None."""
    return next((each for each in bank_formats() if each.key == key), None)


def read_bank_format(path: Path) -> BankFormat:
    """Read a format from its file. A single string is treated as a list of one."""
    said: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    said |= {name: _texts(said.get(name, ())) for name in ("headings", "dates", "more_text")}
    said["columns"] = {field: _texts(names) for field, names in said["columns"].items()}
    state: dict[str, Any] = said.pop("status", {})
    said["status"] = state.get("column", "")
    said |= {name: _texts(state.get(name, ())) for name in ("booked", "pending")}
    return BankFormat(key=path.stem, **said)


def _texts(said: str | Sequence[str]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(said)


def recognise_bank_table(data: bytes, *, only: BankFormat | None = None) -> tuple[BankFormat, ParsedTable] | None:
    """Return a file's format and its table from the headings down, or None if it has no known headings.

    With `only`, no other format is tried. Raises OfficerProblem if a line of the table cannot be split into cells.
    """
    table = read_table(data)
    if not table.lines:
        return None
    text_lines = _TextLines(data) if table.kind in ("csv", "txt") else None
    for bank in bank_formats() if only is None else (only,):
        rows = iter(table.lines) if text_lines is None else text_lines.rows_of(bank)
        head = list(islice(rows, bank.preamble + 1))
        for place, row in enumerate(head):
            if bank.has_headings(row.cells):
                lines = (*head[place:], *rows)
                _check_lines(lines)
                return bank, ParsedTable(lines=lines, kind=table.kind, separator=bank.delimiter)
    return None


def _check_lines(lines: Iterable[TableRow]) -> None:
    damaged = next((row for row in lines if row.problem), None)
    if damaged is not None:
        raise OfficerProblem(str(CellProblem(line=damaged.line, column=0, message=damaged.problem)))


class _TextLines:
    """The lines of a text file, decoded once for each encoding that a bank may use."""

    def __init__(self, data: bytes) -> None:
        self.data, self.encoding = data, detect_encoding(data)
        self._by_encoding: dict[str, list[str]] = {}

    def rows_of(self, bank: BankFormat) -> Iterator[TableRow]:
        """Yield this bank's rows, except blank ones. The file is parsed only as far as the caller reads."""
        is_unicode = self.encoding.startswith("utf")
        encoding = self.encoding if is_unicode else bank.encoding or self.encoding
        if encoding not in self._by_encoding:
            text = self.data.decode(encoding, errors="replace").replace("\0", "")
            self._by_encoding[encoding] = list(split_text_lines([text]))
        return (row for row in parse_table_rows(self._by_encoding[encoding], bank.delimiter) if any(row.cells))
