"""Amounts of money: whole cents inside, as people write them outside. No floats."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypeAlias

from django.utils import formats
from django.utils.translation import gettext as _

Cents: TypeAlias = int

_GAPS = re.compile(r"[\s'’]")
_AMOUNT = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}))?", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})+(?:(?!\1)[.,]\d{1,2})?", re.ASCII)
MOST = 10_000_000_00
_LONGEST = 10


def read_amount(text: str) -> Cents:
    """Cents of an amount such as 80, 80,50, 1 234.50 or 1.234,50; raises ValueError.

    One mark with three figures behind it (1.234) is refused, for nobody can say which of two amounts it is.
    """
    squeezed = _GAPS.sub("", text)
    if _GROUPED.fullmatch(squeezed):
        last = max(squeezed.rfind("."), squeezed.rfind(","))
        if len({mark for mark in ".," if mark in squeezed}) == 2:
            squeezed = re.sub(r"[.,]", "", squeezed[:last]) + "." + squeezed[last + 1 :]
    match = _AMOUNT.fullmatch(squeezed)
    if match is None:
        raise ValueError(text)
    whole, part = match.groups()
    cents = int(whole) * 100 + int((part or "0").ljust(2, "0"))
    if cents > MOST:
        raise ValueError(text)
    return cents


def what_is_wrong(text: str) -> str:
    """What to say to whoever wrote something that is no amount."""
    bare = _GAPS.sub("", text)
    if bare.startswith(("-", "\N{MINUS SIGN}")) and _AMOUNT.fullmatch(bare[1:]):
        return _("Write the amount without a minus, and choose which way the money went.")
    if _GROUPED.fullmatch(bare) and len(bare) < _LONGEST and len(re.split(r"[.,]", bare)) == 2:
        both = {"whole": re.sub(r"[.,]", "", bare), "parted": in_a_field(int(re.sub(r"[.,]", "", bare)) // 10)}
        return _("“%(text)s” can be read as two amounts: write %(whole)s or %(parted)s.") % {"text": text, **both}
    if bare.isdecimal():
        return _("The amount is larger than any that a club books.")
    return _("Write the amount as 80 or 80.50.")


def decimal_of(cents: Cents) -> Decimal:
    """The amount with two places, exact."""
    return Decimal(cents).scaleb(-2)


def money(cents: Cents, currency: str) -> str:
    """An amount in the reader's way of writing numbers, with its currency; the two never part at a line's end."""
    return f"{figures(cents)}\xa0{currency}"


def in_a_field(cents: Cents) -> str:
    """An amount as it is written into a form: with the reader's mark before the cents, and no other."""
    return str(formats.number_format(decimal_of(cents), 2, use_l10n=True, force_grouping=False))


def figures(cents: Cents) -> str:
    """An amount in the reader's way of writing numbers, where its currency stands elsewhere."""
    written = formats.number_format(decimal_of(abs(cents)), 2, use_l10n=True, force_grouping=True)
    return f"{'−' if cents < 0 else ''}{written}"
