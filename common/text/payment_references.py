"""Payment references (ISO 11649): `RF`, two check digits, and the account's number."""

from __future__ import annotations

import re

_WIDTH = 6
_REFERENCE = re.compile(r"RF(\d\d)(\d{6,12})", re.ASCII)


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


def _check_digits(body: str) -> str:
    # R is 27 and F is 15, and 00 replaces the check digits.
    return f"{98 - int(body + '271500') % 97:02}"
