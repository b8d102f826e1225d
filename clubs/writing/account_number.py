"""A club's own account number in a form: an IBAN whose check figures are right, or a domestic number."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from clubs.writing.ibans import read_iban

_DOMESTIC = re.compile(r"[\d\s/.-]{5,42}", re.ASCII)
_MEANT_AS_POLISH = 26


def clean_account_number(written: str) -> str:
    """The number as it was written, or empty. ValidationError for what is no number of an account.

    Where a country has numbers of its own without check figures, there is nothing to check them by.
    """
    text = " ".join(written.split())
    if not text or read_iban(text):
        return text
    figures = re.sub(r"\D", "", text)
    if _DOMESTIC.fullmatch(text) and len(figures) != _MEANT_AS_POLISH and len(figures) > 4:
        return text
    raise ValidationError(_("This is no account number: compare the figures, one is wrong or missing."))
