"""Messages in the language of the reader, from compiled catalogues: what the explanations need, under Django's names.
The web application uses Django's own functions instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

LANGUAGES = ("en", "bg", "cs", "de", "es", "fr", "it", "pl", "uk")

_active: ContextVar[str] = ContextVar("language", default="en")


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Use a language within the block. Raises ValueError if it is not one of LANGUAGES."""
    if code not in LANGUAGES:
        raise ValueError(f"unknown language {code!r}. Use one of: {', '.join(LANGUAGES)}")
    token = _active.set(code)
    try:
        yield
    finally:
        _active.reset(token)


def gettext(message: str) -> str:
    return message if _active.get() == "en" else _catalogue(_active.get()).gettext(message)


def pgettext(context: str, message: str) -> str:
    return message if _active.get() == "en" else _catalogue(_active.get()).pgettext(context, message)


def ngettext(singular: str, plural: str, number: int) -> str:
    if _active.get() == "en":
        return singular if number == 1 else plural
    return _catalogue(_active.get()).ngettext(singular, plural, number)


class Promise:
    """A message that is translated when it is used."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __str__(self) -> str:
        return gettext(self._message)

    def __mod__(self, facts: object) -> str:
        return str(self) % facts


gettext_lazy = Promise


def get_format(name: str) -> str:
    """Return a format of the language. Only DECIMAL_SEPARATOR is used."""
    return {"DECIMAL_SEPARATOR": "." if _active.get() == "en" else ","}[name]


@cache
def _catalogue(code: str) -> NullTranslations:
    from gettext import GNUTranslations

    with open(os.path.join(os.path.dirname(__file__), "locale", f"{code}.mo"), "rb") as file:
        return GNUTranslations(file)
