"""Reads dBase tables (DBF), which some federations still use for their lists.

For the reasons not to use a library, see decision 0029.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _

from common.tabular.text_tables import TableRow, UnreadableTable
from pairing.engine.trf.encoding import guess_legacy_encoding

_VERSIONS = frozenset({0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8B, 0xCB, 0xF5})
_HEADER, _DESCRIPTOR = struct.Struct("<BxxxIHH17xB2x"), struct.Struct("<11sc4xBB14x")
_END_OF_FIELDS, _DELETED, _END_OF_FILE = 0x0D, 0x2A, 0x1A
_CODE_PAGES = {
    **dict.fromkeys((0x01,), "cp437"),
    **dict.fromkeys((0x02,), "cp850"),
    **dict.fromkeys((0x03, 0x57, 0x58, 0x59), "cp1252"),
    **dict.fromkeys((0x1F, 0x22, 0x23, 0x40, 0x64, 0x87), "cp852"),
    **dict.fromkeys((0x26, 0x65), "cp866"),
    0xC8: "cp1250",
    0xC9: "cp1251",
}
"""Code pages by the language byte. For 0 they are guessed from the letters."""
_TEXTS = {b"C", b"N", b"F"}


class _Field(NamedTuple):
    name: str
    kind: bytes
    length: int


def is_dbf(data: bytes) -> bool:
    """Return True if the first bytes are a DBF header whose lengths fit the file."""
    if len(data) < 65 or data[0] not in _VERSIONS:
        return False
    _version, records, header, record, _language = _HEADER.unpack_from(data)
    return header >= 65 and record > 1 and header <= len(data) and records * record + header <= len(data) + 1


def read_dbf_rows(data: bytes, *, most_rows: int, most_columns: int) -> tuple[Iterator[TableRow], str]:
    """Return the rows, field names first and deleted records left out, and the encoding.

    Raises UnreadableTable if a field holds no text, such as a memo in another file.
    """
    _version, count, header, length, language = _HEADER.unpack_from(data)
    fields = _fields(data, header)
    if len(fields) > most_columns:
        raise UnreadableTable(_("The table has more than %(most)s columns.") % {"most": most_columns})
    if count > most_rows:
        raise UnreadableTable(_("The table has more than %(most)s rows.") % {"most": most_rows})
    if 1 + sum(field.length for field in fields) > length:
        raise UnreadableTable(_("The file is damaged or isn't a dBase table (DBF)."))
    encoding = _CODE_PAGES.get(language) or _encoding_of_letters(data[header : header + count * length])
    return _rows(data, fields, count, header, length, encoding), encoding


def _fields(data: bytes, header: int) -> list[_Field]:
    found = []
    for start in range(32, header - 1, 32):
        if data[start] == _END_OF_FIELDS:
            break
        name, kind, length, decimals = _DESCRIPTOR.unpack_from(data, start)
        if kind == b"C":
            length += 256 * decimals  # long texts keep the high byte of their length there
        if kind not in _TEXTS | {b"D", b"L", b"I"} or not length:
            said = {"name": name.partition(b"\0")[0].decode("cp1252", "replace"), "kind": kind.decode("latin-1")}
            raise UnreadableTable(_("We can't read column %(name)s, because its type (%(kind)s) isn't text.") % said)
        found.append(_Field(name.partition(b"\0")[0].decode("cp1252", "replace").strip(), kind, length))
    return found


def _rows(data: bytes, fields: list[_Field], count: int, header: int, length: int, encoding: str) -> Iterator[TableRow]:
    yield TableRow(line=1, cells=tuple(field.name for field in fields))
    for number in range(count):
        record = data[header + number * length : header + (number + 1) * length]
        if not record or record[0] == _END_OF_FILE:
            break
        if record[0] == _DELETED:
            continue
        cells, place = [], 1
        for field in fields:
            cells.append(_text(record[place : place + field.length], field.kind, encoding))
            place += field.length
        yield TableRow(line=number + 2, cells=tuple(cells))


def _text(value: bytes, kind: bytes, encoding: str) -> str:
    if kind == b"I":
        return str(int.from_bytes(value, "little", signed=True))
    text = value.decode(encoding, errors="replace").replace("\0", "").strip()
    if kind == b"D" and len(text) == 8 and text.isdigit():
        return f"{text[:4]}-{text[4:6]}-{text[6:]}"
    if kind in (b"N", b"F"):
        return "" if text.strip("*.-") == "" and text != "0" else text.removesuffix(".0")
    return text


def _encoding_of_letters(data: bytes) -> str:
    """Return the Windows or MS-DOS code page that decodes more bytes to letters, on a tie Windows."""
    windows = guess_legacy_encoding(data)
    high = bytes(byte for byte in data if byte > 0x7F)

    def count_letters(encoding: str) -> int:
        text = high.decode(encoding, errors="replace")
        return sum(letter.isalpha() and letter not in "ªºµˇ" for letter in text)

    return max((windows, "cp866" if windows == "cp1251" else "cp852"), key=count_letters) if high else windows
