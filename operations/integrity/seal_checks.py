"""Checks that nobody has changed the events' logs or the clubs' ledgers past the program."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from clubs.models import Club
from common.models import SealedRow
from common.sealing import find_seal_breaks, sealed_models
from operations.integrity.findings import Finding
from tournaments.models import LogEntry, Tournament

MAX_BREAKS = 10
"""Breaks reported for each chain. If the key is another, every row is one."""
PAST_THE_PROGRAM = (
    "Somebody has written into the database past the program: compare with a backup and an export. If the secret key "
    "was changed or lost, or the database is from another server: manage.py seal_anew."
)


def check_seals(clubs: QuerySet[Club], events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Report rows changed, added or removed past the program. Two queries for each log and each ledger."""
    for event in events.select_related("club"):
        yield from _check_chain(LogEntry, event.pk, f"{event.club.slug}/{event.slug}", "log")
    for club in clubs:
        for model in sealed_models():
            if model is not LogEntry:
                yield from _check_chain(model, club.pk, f"{club.slug} {model._meta.verbose_name_plural}", "ledger")


def _check_chain(model: type[SealedRow], owner_id: int, place: str, name: str) -> Iterator[Finding]:
    found = list(find_seal_breaks(model, owner_id))
    # A chain that was cut off is always said, however many rows were changed.
    for each in sorted(found, key=lambda each: not each.is_cut_off)[:MAX_BREAKS]:
        yield Finding(
            code=f"{name}-{'cut-off' if each.is_cut_off else 'broken'}",
            where=place + (f" (row {each.row})" if each.row else ""),
            what=each.problem if len(found) <= MAX_BREAKS else f"{each.problem}; {len(found)} such in all",
            do=PAST_THE_PROGRAM,
        )
