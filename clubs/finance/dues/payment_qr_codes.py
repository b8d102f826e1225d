"""QR codes that fill in a bank transfer: EPC for euros, and the Polish and Czech standards.

Documents: European Payments Council, EPC069-12, version 2 (by segno). The Polish bank association's recommendation on
two-dimensional codes, version 1. The Czech banking association's Short Payment Descriptor, version 1.2.
"""

from __future__ import annotations

import re

import segno
from segno import helpers

from clubs.models import Club
from common.text.amounts import Cents, cents_to_decimal
from common.text.ibans import parse_iban
from common.text.name_search import normalise_name

_MOST_POLISH = 999_999
"""In grosze. The Polish code has six digits for the amount."""


def payment_qr_code(club: Club, amount: Cents, reference: str, *, text: str = "") -> segno.QRCode | None:
    """Return the QR code for paying the club, or None if its account, its currency or the amount rules it out."""
    iban = parse_iban(club.bank_account)
    if not iban or amount <= 0:
        return None
    if club.currency == "EUR":
        # The creditor reference (RF) has a field of its own. The code cannot have both it and a text.
        return helpers.make_epc_qr(name=club.name[:70], iban=iban, amount=cents_to_decimal(amount), reference=reference)
    if club.currency == "PLN" and iban.startswith("PL") and amount <= _MOST_POLISH:
        title = _without_bars(f"{reference} {text}")[:32]
        return segno.make(f"|PL|{iban[2:]}|{amount:06}|{_without_bars(club.name)[:20]}|{title}|||", error="l")
    if club.currency == "CZK":
        message = normalise_name(f"{reference} {text}").upper()
        fields = [
            "SPD*1.0",
            f"ACC:{iban}",
            f"AM:{cents_to_decimal(amount)}",
            "CC:CZK",
            f"RN:{_without_stars(normalise_name(club.name).upper())[:35]}",
            f"MSG:{_without_stars(message)[:60]}",
        ]
        return segno.make("*".join(fields), error="m")
    return None


def payment_qr_code_data_uri(club: Club, amount: Cents, reference: str, *, text: str = "") -> str:
    """Return the QR code as a data URI, or an empty string if there is none."""
    code = payment_qr_code(club, amount, reference, text=text)
    return "" if code is None else str(code.png_data_uri(scale=4, border=2))


def _without_bars(text: str) -> str:
    return " ".join(text.replace("|", " ").split())


def _without_stars(text: str) -> str:
    return " ".join(re.sub(r"[^0-9A-Z $%+\-./:]", " ", text).split())
