"""Amounts of money: stored in whole cents, parsed and shown as people write them. No floats."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypeAlias, TypeVar

from babel import Locale
from babel.numbers import format_currency, get_currency_symbol
from django import forms
from django.utils import formats
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _

Cents: TypeAlias = int

_GAPS = re.compile(r"[\s'’]")
_AMOUNT = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}))?", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})+(?:(?!\1)[.,]\d{1,2})?", re.ASCII)
_NO_CENTS = re.compile(r"(?<=\d)[.,](?:-|--|–|—|=)\Z")
"""The endings of 50,- and 50.–"""
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
"""Common signs for currencies besides their codes, in lower case. Some are used by several countries."""
_CODES = frozenset(code for meant in _MARKS.values() for code in meant)
_CODE = re.compile(r"[A-Z]{3}")
_CODE_BEFORE_DIGIT = re.compile(r"(?<=[A-Z]{3})(?=\d)")
"""Where English separates a currency's code from the digits, which Babel does not."""
MAX_AMOUNT = 10_000_000_00
_LONGEST = 10
SomeForm = TypeVar("SomeForm", bound=forms.BaseForm)


def set_form_currency(form: SomeForm, currency: str) -> SomeForm:
    """Set the currency of all amount fields of a form, and return the form."""
    for field in form.fields.values():
        if hasattr(field, "currency"):
            field.currency = currency
    return form


def is_amount_with_currency(text: str) -> bool:
    """Return True if the text is a currency followed by an amount: € 50 or EUR 50, but not “€ 50 for books”."""
    before, _figures, behind = _parted(text)
    is_written = before in _CODES or (bool(_meant_by(before)) and not before.isascii()) or before == "$"
    return is_written and (not behind or bool(_meant_by(behind)))


def parse_amount(text: str, currency: str = "") -> Cents:
    """Return an amount such as 80, 80,50, 80,-, 1 234.50 or 1.234,50 in cents. Raises ValueError if it is invalid.

    If `currency` is given, it may be written before or after, as a code or sign (€ 50). Any other currency is refused.
    One mark followed by three digits (1.234) is refused as ambiguous.
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
    """Explain why the text is not an amount in that currency."""
    if has_other_currency(text, currency):
        return _("Amounts are in %(currency)s. Enter 80 or 80.50, for example.") % {"currency": currency}
    before, written, behind = _parted(text)
    is_clean = all(currency in _meant_by(mark) for mark in (before, behind) if mark)
    bare = _GAPS.sub("", written if is_clean else text)
    if bare.startswith(("-", "\N{MINUS SIGN}")) and _AMOUNT.fullmatch(bare[1:]):
        return _("Enter the amount without a minus sign. Then choose money in or money out.")
    if _GROUPED.fullmatch(bare) and len(bare) < _LONGEST and len(re.split(r"[.,]", bare)) == 2:
        both = {
            "whole": re.sub(r"[.,]", "", bare),
            "parted": format_amount_for_input(int(re.sub(r"[.,]", "", bare)) // 10),
        }
        return _("“%(text)s” could mean 2 different amounts. Enter %(whole)s or %(parted)s.") % {"text": text, **both}
    if bare.isdecimal():
        return _("This amount is too large. Check the digits.")
    return _("Enter the amount as 80 or 80.50.")


def has_other_currency(text: str, currency: str) -> bool:
    """Return True if the text names a currency other than the one given."""
    before, _figures, behind = _parted(text)
    named = [meant for meant in (_meant_by(before), _meant_by(behind)) if meant]
    return bool(currency) and any(currency not in meant for meant in named)


def _parted(text: str) -> tuple[str, str, str]:
    """Split an amount into the text before the digits, the digits, and the text after."""
    match = _MARKED.fullmatch(text.strip())
    if match is None:
        return "", text, ""
    return match["before"].strip(), match["amount"], (match["behind"] or "").strip()


def _meant_by(mark: str) -> tuple[str, ...]:
    """Return the currencies that a sign may mean. A code means itself."""
    if known := _MARKS.get(mark.lower().removesuffix(".")):
        return known
    return (mark.upper(),) if _CODE.fullmatch(mark.upper()) else ()


def currency_sign(currency: str) -> str:
    """Return the sign of a currency in the active language, such as £ or zł, or its code if it has none."""
    return get_currency_symbol(currency, locale=_locale())


def _locale() -> Locale:
    return Locale.parse(to_locale(get_language() or "en"))


def cents_to_decimal(cents: Cents) -> Decimal:
    """Return the exact amount with two decimal places."""
    return Decimal(cents).scaleb(-2)


def format_money(cents: Cents, currency: str) -> str:
    """Format an amount with its currency for the active language, such as £40.00 or 40,00 zł."""
    written = format_currency(cents_to_decimal(cents), currency, locale=_locale(), currency_digits=False)
    return _CODE_BEFORE_DIGIT.sub("\xa0", written).replace("-", "−").replace(" ", "\xa0")


def format_amount_for_input(cents: Cents) -> str:
    """Format an amount for a form field: with the locale's decimal mark, without grouping."""
    return str(formats.number_format(cents_to_decimal(cents), 2, use_l10n=True, force_grouping=False))


def format_amount(cents: Cents) -> str:
    """Format an amount in the active locale, without currency."""
    written = formats.number_format(cents_to_decimal(abs(cents)), 2, use_l10n=True, force_grouping=True)
    return f"{'−' if cents < 0 else ''}{written}"
