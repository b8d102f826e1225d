"""The order of the starting list, by which pairing numbers are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clubs.models import Title
from clubs.writing.name_order import name_key
from pairing.engine.readings import READINGS, TITLES, chosen_readings
from tournaments.models import Entry, Tournament

_TITLE_RANK: Mapping[str, int] = {title: rank for rank, title in enumerate([*Title.values, ""])}
_TITLE_RANK_OF_1992: Mapping[str, int] = {
    **dict.fromkeys(Title.values, 6),
    **{title: rank for rank, title in enumerate(("GM", "WGM", "IM", "WIM", "FM", "WFM", ""))},
}
"""Dutch system of 1992, A2 c; titles the document does not know count as none."""


def starting_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by rating (highest first), title (GM IM WGM FM WIM CM WFM WCM none), then name; equal names by key.

    In events of the 1992 system titles stand in the order of its document, unless the event reads A2 c otherwise.
    """
    entries = list(entries)
    rank = _title_rank(entries[0].tournament) if entries and entries[0].tournament_id else _TITLE_RANK
    return sorted(entries, key=lambda entry: (-entry.rating, rank[entry.title], name_key(entry.name), entry.pk or 0))


def _title_rank(tournament: Tournament) -> Mapping[str, int]:
    reading = READINGS[TITLES]
    by = tournament.paired_by(1)
    if not reading.concerns(by.system, by.procedure or None):
        return _TITLE_RANK
    chosen = dict(chosen_readings(tournament.readings.items()))
    return _TITLE_RANK if chosen.get(TITLES) == reading.other else _TITLE_RANK_OF_1992
