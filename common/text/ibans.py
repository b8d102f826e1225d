"""Account numbers: IBAN (ISO 13616), domestic numbers, and SEPA creditor identifiers (EPC262-08)."""

from __future__ import annotations

import re

_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", re.ASCII)
_CHECKED_AS, _MODULUS = 97, 1
_CREDITOR = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}", re.ASCII)
_POLISH = re.compile(r"\d{26}", re.ASCII)


_SEPA_COUNTRIES = (
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE "
    "SI SK SM VA"
)
SEPA_COUNTRIES = frozenset(_SEPA_COUNTRIES.split())
"""The countries whose accounts can be debited in euros (EPC409-09)."""


def normalise_account_number(text: str) -> str:
    """Return an account number in capitals, without spaces or punctuation."""
    return re.sub(r"[\W_]+", "", text).upper()


def parse_iban(text: str) -> str:
    """Return the IBAN in a text, without spaces. Empty if there is none.

    A Polish number of 26 digits gets its country.
    """
    number = normalise_account_number(text).removeprefix("IBAN")
    if _POLISH.fullmatch(number):
        number = f"PL{number}"
    return number if _IBAN.fullmatch(number) and is_iban(number) else ""


def is_iban(number: str) -> bool:
    """Return True if the check digits are correct (mod 97-10)."""
    turned = number[4:] + number[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % _CHECKED_AS == _MODULUS


def is_creditor_id(number: str) -> bool:
    """Return True if `number` is a valid creditor identifier. Characters 5 to 7, the business code, are not checked."""
    return bool(_CREDITOR.fullmatch(number)) and is_iban(number[:4] + number[7:])


_BY_CODE = re.compile(r"(\d{4,8})/(\d[\d-]*)\s*[A-Z]{0,3}", re.ASCII)
"""Bank code and account number, as in German, Austrian and Czech statements, perhaps with a currency."""


def is_same_account(iban: str, written: str) -> bool:
    """Return True if `written`, an IBAN or a bank code and number, is the account of this IBAN."""
    number = parse_iban(iban)
    if not number or (other := parse_iban(written)):
        return bool(number) and number == other
    found = _BY_CODE.fullmatch(written.strip())
    if found is None or not number[4:].startswith(found[1]):
        return False
    return number[4 + len(found[1]) :].lstrip("0") == normalise_account_number(found[2]).lstrip("0")
