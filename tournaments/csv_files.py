"""Tables of players in CSV files, whatever program and country they come from."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from django.utils.translation import gettext as _

from pairing.engine.trf.encoding import legacy_encoding
from tournaments.player_rows import PlayerRow, TextProblem
from tournaments.reading_rows import Field, columns_of, read_free_fields, read_table_row, split_line, unclosed_quote

_SEPARATORS = ";\t,|"
_LINES_LOOKED_AT = 50


def encoding_of(data: bytes) -> str:
    """UTF-8 and UTF-16 by their marks or their look; else the Windows code page that spells the letters best."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return legacy_encoding(data)
    return "utf-8-sig"


def read_csv(data: bytes) -> tuple[tuple[PlayerRow, ...], tuple[TextProblem, ...]]:
    """The players of a table, line by line, and what is wrong with the file as a whole.

    The separator is the one of `;`, tab, `,` and `|` that parts the lines most evenly. When the first line names the
    columns, fields are read by these names; else the name comes first and the others are known by their look.
    """
    text = data.decode(encoding_of(data), errors="replace")
    if "\x00" in text:
        return (), (TextProblem(line=0, column=0, message=_("This is not a text file.")),)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip(" ;,|\t\"'")]
    if not lines:
        return (), (TextProblem(line=0, column=0, message=_("There is no player in this file.")),)
    separator = _separator([line for _number, line in lines[:_LINES_LOOKED_AT]])
    return _rows(lines, separator), ()


def _separator(lines: Sequence[str]) -> str:
    """The mark that parts the most lines into the same number of fields; between equals, the one that parts more."""

    def evenness(mark: str) -> tuple[int, int]:
        counts = [len(_fields(line, mark) or ()) for line in lines]
        usual = max(set(counts), key=lambda count: (counts.count(count), count))
        return (counts.count(usual) if usual > 1 else 0, usual)

    return max(_SEPARATORS, key=lambda mark: (*evenness(mark), -_SEPARATORS.index(mark)))


def _fields(line: str, separator: str) -> list[Field] | None:
    try:
        return split_line(line, separator)
    except ValueError:
        return None


def _rows(lines: Sequence[tuple[int, str]], separator: str) -> tuple[PlayerRow, ...]:
    columns = columns_of(_fields(lines[0][1], separator) or ())
    rows = []
    for number, line in lines[1:] if columns else lines:
        try:
            fields = split_line(line, separator)
        except ValueError as error:
            rows.append(unclosed_quote(number, int(str(error))))
            continue
        rows.append(read_table_row(number, fields, columns) if columns else read_free_fields(number, fields))
    return tuple(rows)
