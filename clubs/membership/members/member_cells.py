"""Conversion of members to and from table cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeAlias

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import FideTitle, Member
from common.tabular.column_names import SEX_LETTERS
from common.tabular.spreadsheets import CellValue
from common.text.birth_dates import parse_birth_date, parse_date
from common.text.rating_text import parse_rating

COLUMN_HEADINGS: Mapping[str, str] = {
    "number": "number",
    "name": "family name",
    "given_name": "given name",
    "title": "title",
    "rating": "rating",
    "federation": "federation",
    "fide_id": "FIDE ID",
    "national_id": "national ID",
    "sex": "sex",
    "birth": "born",
    "status": "status",
    "joined_on": "joined on",
    "left_on": "left on",
    "came_from": "came from the club",
    "went_to": "went to the club",
    "groups": "groups",
    "family_payer": "family: pays with",
    "email": "e-mail",
    "phone": "telephone",
    "address": "address",
    "guardian_name": "guardian",
    "guardian_email": "guardian's e-mail",
    "guardian_phone": "guardian's telephone",
    "photo_consent": "photographs",
    "photo_consent_on": "photographs: asked on",
    "publication_consent": "publication",
    "publication_consent_on": "publication: asked on",
}
"""The columns of a member table, in order. Emergency notes are never exported."""

COLUMN_LABELS: Mapping[str, str | Promise] = {
    "number": gettext_lazy("membership number"),
    "name": gettext_lazy("name or family name"),
    "given_name": gettext_lazy("given name"),
    "birth": gettext_lazy("birth date or year"),
    "groups": gettext_lazy("groups"),
} | {
    field.name: field.verbose_name
    for field in Member._meta.concrete_fields
    if field.name in COLUMN_HEADINGS and field.name not in ("number", "given_name")
}
"""Column labels for the choices in the import form."""

PART_LABELS: Mapping[str, str | Promise] = {
    "birth_year": gettext_lazy("birth year (used if there's no date)"),
    "street": gettext_lazy("street"),
    "postcode": gettext_lazy("postcode"),
    "town": gettext_lazy("town"),
    "mobile": gettext_lazy("mobile phone"),
}
"""Columns of other programs that hold part of an address or birth date, or a second phone number."""

IMPORT_LABELS: Mapping[str, str | Promise] = {**COLUMN_LABELS, **PART_LABELS}
"""The columns that a table of members can have."""


class InvalidCell(Exception):
    """Raised if a cell's text does not fit its column. The message says what is expected."""


def member_to_row(member: Member, groups: list[str]) -> list[CellValue]:
    """Return a member as a table row, in the order of `COLUMN_HEADINGS`."""
    born: CellValue = member.birth_date or member.birth_year
    own: dict[str, CellValue] = {
        "number": member.pk,
        "name": member.family_name,
        "rating": member.rating or None,
        "birth": born,
        "groups": ", ".join(groups),
        "family_payer": member.family_payer.name if member.family_payer else "",
    }
    return [own[kind] if kind in own else getattr(member, kind) for kind in COLUMN_HEADINGS]


_PARTS = frozenset({"street", "postcode", "town", "mobile"})


def join_column_parts(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with parts put together as address and phone. A column for the whole address wins.

    Raises InvalidCell if the result is too long.
    """
    whole = {column: value for column, value in values.items() if column not in _PARTS}
    town = " ".join(filter(None, (values.get("postcode"), values.get("town"))))
    address = "\n".join(filter(None, (values.get("street"), town)))
    if address and not whole.get("address"):
        whole |= _as_the_column_has_it("address", address, date.min)
    if mobile := values.get("mobile"):
        phones = dict.fromkeys(filter(None, (whole.get("phone"), mobile)))
        both = ", ".join(phones)
        whole |= _as_the_column_has_it(
            "phone", both if len(both) <= (_COLUMNS["phone"].max_length or 0) else mobile, date.min
        )
    return whole


_FAMILY = re.compile(r"nazwisk|famil|surname|last|příjmen|фамил|nachname|apellido|cognome|прізвищ")
_GIVEN = re.compile(r"imi[eę]|given|first|jmén|\bиме|vorname|nombre|prénom|\bnome|\bім.я")


def split_name_by_heading(heading: str, name: str) -> str:
    """Add a comma after the family name if the heading shows the order of the names (“Nazwisko i imię”).

    Only names of two words are changed. With three words it is unclear where the family name ends.
    """
    words, heading = name.split(), heading.casefold()
    family, given = _FAMILY.search(heading), _GIVEN.search(heading)
    if "," in name or len(words) != 2 or family is None or given is None:
        return name
    return ", ".join(words if family.start() < given.start() else words[::-1])


def parse_member_cell(kind: str, text: str, *, today: date) -> dict[str, Any]:
    """Return the member's columns that a non-empty cell fills. Raises InvalidCell if the text does not fit."""
    return _READERS.get(kind, _as_the_column_has_it)(kind, text, today)


_COLUMNS = {column.name: column for column in Member._meta.concrete_fields}

CellParser: TypeAlias = Callable[[str, str, date], dict[str, Any]]


def _as_the_column_has_it(kind: str, text: str, today: date) -> dict[str, Any]:
    """Validate text and numbers with the model field of the column."""
    most = _COLUMNS[kind].max_length
    if most and len(text) > most:
        raise InvalidCell(_("This text is too long. Use at most %(most)s characters.") % {"most": most})
    try:
        return {kind: _COLUMNS[kind].clean(text, None)}
    except ValidationError as wrong:
        raise InvalidCell(" ".join(wrong.messages)) from wrong


def _name(kind: str, text: str, today: date) -> dict[str, Any]:
    family, comma, given = (part.strip() for part in text.partition(","))
    if not any(character.isalpha() for character in family):
        raise InvalidCell(_("The name is missing."))
    if len(family) > 80 or len(given) > 80:
        raise InvalidCell(_("This name is too long. Use at most 80 characters."))
    return {"family_name": family} | ({"given_name": given} if comma else {})


def _title(kind: str, text: str, today: date) -> dict[str, Any]:
    title = text.upper()
    if title in ("-", "–"):
        return {"title": ""}
    if title not in FideTitle.values:
        raise InvalidCell(_("“%(text)s” isn't a FIDE title.") % {"text": text[:40]})
    return {"title": title}


def _federation(kind: str, text: str, today: date) -> dict[str, Any]:
    letters = text.upper()
    if not (len(letters) == 3 and letters.isascii() and letters.isalpha()):
        raise InvalidCell(_("“%(text)s” isn't a federation. Enter 3 letters, such as POL.") % {"text": text[:40]})
    return {"federation": letters}


def _sex(kind: str, text: str, today: date) -> dict[str, Any]:
    if text.casefold() in _NO_SEX:
        return {}
    sex = SEX_LETTERS.get(text[:1].casefold())
    if sex is None:
        raise InvalidCell(_("Enter w or m, not “%(text)s”.") % {"text": text[:40]})
    return {"sex": sex}


_NO_SEX = frozenset({"d", "o", "x", "-", "–", "?"})
"""Programs' letters for people who are neither, or didn't say."""


def _birth(kind: str, text: str, today: date) -> dict[str, Any]:
    try:
        day, year = parse_birth_date(text, today=today)
    except ValueError as wrong:
        raise InvalidCell(
            _("“%(text)s” isn't a birth date. Enter a date such as 2011-03-28, or the year.") % {"text": text[:40]}
        ) from wrong
    return {"birth_date": day, "birth_year": year}


def _day(kind: str, text: str, today: date) -> dict[str, Any]:
    try:
        return {kind: parse_date(text)}
    except ValueError as wrong:
        raise InvalidCell(
            _("“%(text)s” isn't a date. Enter it as 2026-09-30 or 30.9.2026.") % {"text": text[:40]}
        ) from wrong


def _part(kind: str, text: str, today: date) -> dict[str, Any]:
    """Part of an address or a second phone number, until `join_column_parts`."""
    return {kind: " ".join(text.split())}


def _payer(kind: str, text: str, today: date) -> dict[str, Any]:
    """The payer is looked up once the whole table has been read."""
    return {"family_payer": text}


_STATUSES = {
    Member.Status.APPLICANT: "applicant, kandydat, uchazeč, кандидат, bewerber",
    Member.Status.MEMBER: "member, active, członek, člen, член, mitglied",
    Member.Status.GUEST: "guest, gość, host, гост, gast",
    Member.Status.HONORARY: "honorary, honorary member, honorowy, čestný člen, почетен член, ehrenmitglied",
    Member.Status.FORMER: "former, former member, były, bývalý, бивш, ehemalig",
}
_STATUS_OF = {word.strip(): status for status, words in _STATUSES.items() for word in words.split(",")}


def _status(kind: str, text: str, today: date) -> dict[str, Any]:
    status = _STATUS_OF.get(text.casefold())
    if status is None:
        said = _("“%(text)s” isn't a status. Choose from: %(known)s.")
        raise InvalidCell(said % {"text": text[:40], "known": ", ".join(Member.Status.values)})
    return {"status": status.value}


_YES = {"yes", "tak", "ano", "да", "ja", "sí", "si", "sì", "oui", "так", "1", "true"}
_NO = {"no", "nie", "ne", "не", "nein", "non", "ні", "0", "false"}


def _consent(kind: str, text: str, today: date) -> dict[str, Any]:
    word = text.casefold()
    if word not in _YES | _NO:
        raise InvalidCell(_("Enter yes or no, not “%(text)s”.") % {"text": text[:40]})
    return {kind: (Member.Consent.GIVEN if word in _YES else Member.Consent.REFUSED).value}


def _groups(kind: str, text: str, today: date) -> dict[str, Any]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if any(len(name) > 60 for name in names):
        raise InvalidCell(_("A group name can have at most 60 characters."))
    return {"groups": names}


def _rating(kind: str, text: str, today: date) -> dict[str, Any]:
    try:
        return {"rating": parse_rating(text)}
    except ValueError as wrong:
        raise InvalidCell(_("“%(text)s” isn't a rating. Ratings go up to 3500.") % {"text": text[:40]}) from wrong


_READERS: Mapping[str, CellParser] = {
    "rating": _rating,
    "name": _name,
    "title": _title,
    "federation": _federation,
    "sex": _sex,
    "birth": _birth,
    "joined_on": _day,
    "left_on": _day,
    "photo_consent_on": _day,
    "publication_consent_on": _day,
    "status": _status,
    "photo_consent": _consent,
    "publication_consent": _consent,
    "groups": _groups,
    "family_payer": _payer,
    **dict.fromkeys(PART_LABELS, _part),
    "birth_year": _birth,
}
