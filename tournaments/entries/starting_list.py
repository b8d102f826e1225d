"""The order of the starting list, by which pairing numbers are given."""

from __future__ import annotations

from collections.abc import Iterable

from clubs.models import Title
from clubs.writing.name_order import name_key
from tournaments.models import Entry

_TITLE_RANK = {title: rank for rank, title in enumerate([*Title.values, ""])}


def starting_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by rating (highest first), title (GM IM WGM FM WIM CM WFM WCM none), then name; equal names by key."""
    return sorted(
        entries, key=lambda entry: (-entry.rating, _TITLE_RANK[entry.title], name_key(entry.name), entry.pk or 0)
    )
