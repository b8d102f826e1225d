"""The order of the starting list, by which pairing numbers are given."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.models import Entry


def starting_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by rating (descending), title (GM IM WGM FM WIM CM WFM WCM none), name in alphabetical order, then key."""
    raise NotImplementedError


def name_key(name: str) -> tuple[object, ...]:
    """A key that sorts names of several languages in one list, the same on every machine.

    Latin letters before Cyrillic. The marked letters of Polish and Czech alphabets (Ą Ć Č Ę Ł Ń Ó Ř Ś Š Ź Ż Ž) are letters
    of their own right after the plain one; other marks (Á, Ü) count only where names are otherwise equal. Case counts last.
    """
    raise NotImplementedError
