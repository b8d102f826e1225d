"""Amounts of money: whole cents inside, as people write them outside. No floats."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypeAlias, TypeVar

from django import forms
from django.utils import formats
from django.utils.translation import gettext as _

Cents: TypeAlias = int

_GAPS = re.compile(r"[\s'’]")
_AMOUNT = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}))?", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})+(?:(?!\1)[.,]\d{1,2})?", re.ASCII)
_NO_CENTS = re.compile(r"(?<=\d)[.,](?:-|--|–|—|=)\Z")
"""As in 50,- and 50.–"""
_MARKED = re.compile(r"(?P<before>[^\d,+\-–−]*)(?P<amount>\d.*?)(?P<behind>[^\W\d_]+\.?|[^\w.,+\-–−—=]+)?", re.DOTALL)
_MARKS = {
    "€": ("EUR",),
    "euro": ("EUR",),
    "euros": ("EUR",),
    "£": ("GBP", "GIP"),
    "zł": ("PLN",),
    "zl": ("PLN",),
    "kč": ("CZK",),
    "kc": ("CZK",),
    "₴": ("UAH",),
    "грн": ("UAH",),
    "лв": ("BGN",),
    "fr": ("CHF",),
    "sfr": ("CHF",),
    "ft": ("HUF",),
    "lei": ("RON",),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP"),
    "¥": ("JPY", "CNY"),
    "₺": ("TRY",),
    "₹": ("INR",),
    "₪": ("ILS",),
    "₾": ("GEL",),
}
"""What people write for a currency besides its code, in small letters; some are more than one country's."""
_CODES = frozenset(code for meant in _MARKS.values() for code in meant)
_CODE = re.compile(r"[A-Z]{3}")
MAX_AMOUNT = 10_000_000_00
_LONGEST = 10
SomeForm = TypeVar("SomeForm", bound=forms.BaseForm)


def set_form_currency(form: SomeForm, currency: str) -> SomeForm:
    """The form; where an amount is written into it with a currency, this one is meant."""
    for field in form.fields.values():
        if hasattr(field, "currency"):
            field.currency = currency
    return form


def is_amount_with_currency(text: str) -> bool:
    """Whether a text is an amount behind its currency, as € 50 and EUR 50 are, and “€ 50 for books” is not."""
    before, _figures, behind = _parted(text)
    is_written = before in _CODES or (bool(_meant_by(before)) and not before.isascii()) or before == "$"
    return is_written and (not behind or bool(_meant_by(behind)))


def parse_amount(text: str, currency: str = "") -> Cents:
    """Cents of an amount such as 80, 80,50, 80,-, 1 234.50 or 1.234,50; raises ValueError.

    Where its currency is given, the amount may have it before or behind, as a code or as people write it (€ 50); any
    other is refused. One mark with three figures behind it (1.234) is refused, for nobody can say which of two
    amounts it is.
    """
    before, written, behind = _parted(text)
    if any(not currency or currency not in _meant_by(mark) for mark in (before, behind) if mark):
        raise ValueError(text)
    squeezed = _NO_CENTS.sub("", _GAPS.sub("", written))
    if _GROUPED.fullmatch(squeezed):
        last = max(squeezed.rfind("."), squeezed.rfind(","))
        if len({mark for mark in ".," if mark in squeezed}) == 2:
            squeezed = re.sub(r"[.,]", "", squeezed[:last]) + "." + squeezed[last + 1 :]
    match = _AMOUNT.fullmatch(squeezed)
    if match is None:
        raise ValueError(text)
    whole, part = match.groups()
    cents = int(whole) * 100 + int((part or "0").ljust(2, "0"))
    if cents > MAX_AMOUNT:
        raise ValueError(text)
    return cents


def explain_invalid_amount(text: str, currency: str = "") -> str:
    """What to say to whoever wrote something that is no amount, where amounts are in that currency."""
    if has_other_currency(text, currency):
        return _("Amounts are in %(currency)s here: write 80 or 80.50.") % {"currency": currency}
    before, written, behind = _parted(text)
    is_clean = all(currency in _meant_by(mark) for mark in (before, behind) if mark)
    bare = _GAPS.sub("", written if is_clean else text)
    if bare.startswith(("-", "\N{MINUS SIGN}")) and _AMOUNT.fullmatch(bare[1:]):
        return _("Write the amount without a minus, and choose which way the money went.")
    if _GROUPED.fullmatch(bare) and len(bare) < _LONGEST and len(re.split(r"[.,]", bare)) == 2:
        both = {
            "whole": re.sub(r"[.,]", "", bare),
            "parted": format_amount_for_input(int(re.sub(r"[.,]", "", bare)) // 10),
        }
        return _("“%(text)s” can be read as two amounts: write %(whole)s or %(parted)s.") % {"text": text, **both}
    if bare.isdecimal():
        return _("The amount is larger than any that a club books.")
    return _("Write the amount as 80 or 80.50.")


def has_other_currency(text: str, currency: str) -> bool:
    """Whether a text names a currency that is not the one given."""
    before, _figures, behind = _parted(text)
    named = [meant for meant in (_meant_by(before), _meant_by(behind)) if meant]
    return bool(currency) and any(currency not in meant for meant in named)


def _parted(text: str) -> tuple[str, str, str]:
    """What stands before the figures of an amount, the figures, and what stands behind."""
    match = _MARKED.fullmatch(text.strip())
    if match is None:
        return "", text, ""
    return match["before"].strip(), match["amount"], (match["behind"] or "").strip()


def _meant_by(mark: str) -> tuple[str, ...]:
    """The currencies that a mark may mean; a code means itself."""
    if known := _MARKS.get(mark.lower().removesuffix(".")):
        return known
    return (mark.upper(),) if _CODE.fullmatch(mark.upper()) else ()


def cents_to_decimal(cents: Cents) -> Decimal:
    """The amount with two places, exact."""
    return Decimal(cents).scaleb(-2)


def format_money(cents: Cents, currency: str) -> str:
    """An amount in the reader's way of writing numbers, with its currency; the two never part at a line's end."""
    return f"{format_amount(cents)}\xa0{currency}"


def format_amount_for_input(cents: Cents) -> str:
    """An amount as it is written into a form: with the reader's mark before the cents, and no other."""
    return str(formats.number_format(cents_to_decimal(cents), 2, use_l10n=True, force_grouping=False))


def format_amount(cents: Cents) -> str:
    """An amount in the reader's way of writing numbers, where its currency stands elsewhere."""
    written = formats.number_format(cents_to_decimal(abs(cents)), 2, use_l10n=True, force_grouping=True)
    return f"{'−' if cents < 0 else ''}{written}"
