"""Encodings: which bytes are which letters."""

from __future__ import annotations

import pytest

from pairing.engine.trf import TrfError, read_trf
from tests.pairing.engine.trf.lines import player

NAMES = {
    "cp1250": [
        ("Żółkiewska, Łucja", "Ćwiąkała, Józef"),
        ("Dvořáková, Žaneta", "Kučera, Luděk"),
        ("Kovács, Győző", "Szűcs, Ödön"),
    ],
    "cp1251": [("Измислен, Тодор", "Никаквова, Цветелина"), ("Выдуманный, Пётр", "Ёлкина, Юлия")],
    "cp1252": [
        ("Müßig, Jürgen", "Größer, Käthe"),
        ("Sørensen, Bjørn", "Åkesson, Æsa"),
        ("Lefèvre, François", "Benoît, Hélène"),
        ("Núñez, Begoña", "Muñoz, Íñigo"),
        ("Gonçalves, João", "Simões, Conceição"),
    ],
}


def names_of(data: bytes) -> list[str]:
    return [one.name for one in read_trf(data, name="x.trf").players]


def text_of(names: tuple[str, ...]) -> str:
    return "".join(player(tpn, name=name, rating=1500) + "\r\n" for tpn, name in enumerate(names, start=1))


@pytest.mark.parametrize(
    ("code_page", "names"), [(code_page, names) for code_page, all_names in NAMES.items() for names in all_names]
)
def test_legacy_code_pages_are_told_apart_by_their_letters(code_page: str, names: tuple[str, ...]):
    assert names_of(text_of(names).encode(code_page)) == list(names)


@pytest.mark.parametrize("names", [names for all_names in NAMES.values() for names in all_names])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_utf_8_is_read_with_and_without_its_mark(encoding: str, names: tuple[str, ...]):
    assert names_of(text_of(names).encode(encoding)) == list(names)


def test_columns_count_letters_not_bytes():
    """A name with many two-byte letters does not shift later columns."""
    line = player(1, "0000 - U", name="Ж" * 33, rating=1999, points="1.0")
    one = read_trf(line.encode(), name="x.trf").players[0]
    assert (one.name, one.rating, len(one.rounds)) == ("Ж" * 33, 1999, 1)


def test_some_latin_names_do_not_make_a_cyrillic_file_latin():
    names = ("Измислен, Тодор", "Никаквова, Цветелина", "Smith, John", "Выдуманный, Пётр")
    assert names_of(text_of(names).encode("cp1251")) == list(names)


def test_a_wrong_byte_order_mark_is_refused():
    data = b"\xef\xbb\xbf012 x\r\n" + text_of(("Łucja",)).encode("cp1250")
    with pytest.raises(TrfError) as refused:
        read_trf(data, name="x.trf")
    assert (refused.value.line, refused.value.column) == (2, 15)


def test_utf_16_is_refused():
    with pytest.raises(TrfError, match=r"line 1, column 1: expected .*, not UTF-16"):
        read_trf(text_of(("A",)).encode("utf-16"), name="x.trf")


def test_an_end_of_file_mark_of_old_systems_is_no_line():
    assert names_of(text_of(("Old, File",)).encode() + b"\x1a") == ["Old, File"]


def test_a_byte_that_is_no_letter_anywhere_is_refused():
    data = text_of(("Żółta, Łucja", "Kowalska, X")).encode("cp1250").replace(b"X", b"\x81")
    with pytest.raises(TrfError) as refused:
        read_trf(data, name="x.trf")
    assert (refused.value.line, refused.value.column, refused.value.found) == (2, 25, "byte 0x81")


def test_a_letter_cut_in_half_does_not_turn_a_file_into_another_code_page():
    data = text_of(("Żółta, Łucja", "Ćwiąkała, Józef")).encode().replace("Ć".encode(), b"\xc4")
    with pytest.raises(TrfError, match="expected a letter in UTF-8") as refused:
        read_trf(data, name="x.trf")
    assert (refused.value.line, refused.value.column) == (2, 15)
