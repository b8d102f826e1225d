"""Account numbers: IBAN (ISO 13616), as a bank's domestic number is written without its country, and creditors' names
with banks (SEPA creditor identifier, EPC262-08)."""

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
    """An account number without gaps and marks, in capitals."""
    return re.sub(r"[\W_]+", "", text).upper()


def parse_iban(text: str) -> str:
    """The IBAN in a text, without gaps; a Polish number of 26 figures gets its country. Empty where there is none."""
    number = normalise_account_number(text).removeprefix("IBAN")
    if _POLISH.fullmatch(number):
        number = f"PL{number}"
    return number if _IBAN.fullmatch(number) and is_iban(number) else ""


def is_iban(number: str) -> bool:
    """The check digits are right (mod 97-10)."""
    turned = number[4:] + number[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % _CHECKED_AS == _MODULUS


def is_creditor_id(number: str) -> bool:
    """A creditor identifier with right check digits; those of its business code, places 5 to 7, do not count."""
    return bool(_CREDITOR.fullmatch(number)) and is_iban(number[:4] + number[7:])


_BY_CODE = re.compile(r"(\d{4,8})/(\d[\d-]*)\s*[A-Z]{0,3}", re.ASCII)
"""The bank's code and the number there, as German, Austrian and Czech statements have them, perhaps a currency."""


def is_same_account(iban: str, written: str) -> bool:
    """A statement's account, `written` as an IBAN or as the bank's code and the number, is the one of this IBAN."""
    number = parse_iban(iban)
    if not number or (other := parse_iban(written)):
        return bool(number) and number == other
    found = _BY_CODE.fullmatch(written.strip())
    if found is None or not number[4:].startswith(found[1]):
        return False
    return number[4 + len(found[1]) :].lstrip("0") == normalise_account_number(found[2]).lstrip("0")
