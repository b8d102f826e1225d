"""Payment references (ISO 11649): `RF`, two check digits, and the account's number."""

from __future__ import annotations

import re

from common.text.name_search import normalise_name

_WIDTH = 6
_REFERENCE = re.compile(r"RF(\d\d)(\d{6,12})", re.ASCII)
_MEMBER_NUMBER = re.compile(
    r"\b(?:member|mitgl|czlon|legitym|clen|chlen|soci|adherent|membre|tesser)[a-z]*"
    r"[\W_]*(?:n|no|nr|nro|num|number|nummer|numero|numer|nomer|cislo|c|#|№)?[\W_]*(\d{1,9})\b",
    re.ASCII,
)
"""In plain Latin letters (`normalise_name`). In some languages the word for number stands before the member."""


def payment_reference(number: int) -> str:
    """Return an account's reference: RF, two check digits (ISO 7064, mod 97-10), and at least six digits."""
    body = f"{number:0{_WIDTH}}"
    return f"RF{_check_digits(body)}{body}"


def find_account_numbers(text: str) -> list[int]:
    """Return the account numbers of all valid references in a text, with any spacing.

    Banks join words and split digits, so the text is searched without spaces. The end of a number is then unknown, so
    each length is tried, the longest first.
    """
    squeezed = re.sub(r"[\W_]+", "", text.upper())
    numbers = []
    for match in _REFERENCE.finditer(squeezed):
        check, figures = match.groups()
        for end in range(len(figures), _WIDTH - 1, -1):
            body = figures[:end]
            is_ours = end == _WIDTH or body[0] != "0"
            if is_ours and _check_digits(body) == check and int(body) not in numbers:
                numbers.append(int(body))
                break
    return numbers


def find_member_numbers(text: str) -> list[int]:
    """Return the numbers that a text calls membership numbers: membership no 54, Mitgliedsnr. 54, nr członkowski 54."""
    found = _MEMBER_NUMBER.findall(normalise_name(text))
    return list(dict.fromkeys(map(int, found)))


def _check_digits(body: str) -> str:
    # R is 27 and F is 15, and 00 replaces the check digits.
    return f"{98 - int(body + '271500') % 97:02}"
