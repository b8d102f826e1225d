"""References on transfers: ISO 11649, `RF`, two check digits, and the account's number."""

from __future__ import annotations

import re

_WIDTH = 6
_REFERENCE = re.compile(r"RF(\d\d)(\d{6,12})", re.ASCII)


def payment_reference(number: int) -> str:
    """The reference of an account: RF + two check digits (ISO 7064, mod 97-10) + the number in six or more figures."""
    body = f"{number:0{_WIDTH}}"
    return f"RF{_check_digits(body)}{body}"


def find_account_numbers(text: str) -> list[int]:
    """The accounts whose references stand in a text, however it is spaced; those with wrong check digits do not count.

    Banks run words together and part figures, so the reference is looked for in the text without its gaps; as nobody
    can say then where its figures end, each length is tried, the longest first.
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
    # R is 27 and F is 15; 00 stands where the check digits will.
    return f"{98 - int(body + '271500') % 97:02}"
