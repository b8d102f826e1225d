"""Checks that nobody has changed the events' logs or the clubs' ledgers outside the program."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db.models import QuerySet

from clubs.models import Club
from common.models import SealedChain, SealedRow
from operations.integrity.findings import Finding
from tournaments.models import LogEntry, Tournament

MAX_BREAKS = 10
"""Rows reported for each chain. If the key has changed, every row has a wrong seal."""
OUTSIDE_CLUBNIGHT = (
    "Someone changed the database outside Clubnight. Compare it with a backup and an export. If the secret key was "
    "changed or lost, or the database is from another server, run manage.py reseal."
)


def sealed_models() -> list[type[SealedRow]]:
    """Return the models of all sealed tables."""
    return [model for model in apps.get_models() if issubclass(model, SealedRow)]


def check_seals(clubs: QuerySet[Club], events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Report rows changed, added or removed outside Clubnight. Two queries per log and per ledger."""
    chains: list[tuple[type[SealedRow], int, str, str]] = [
        (LogEntry, event.pk, f"{event.club.slug}/{event.slug}", "log") for event in events.select_related("club")
    ]
    ledgers = [model for model in sealed_models() if model is not LogEntry]
    chains += [(model, club.pk, f"{club} {model._meta.model_name}", "ledger") for club in clubs for model in ledgers]
    for model, owner_id, place, name in chains:
        # The length is read first, so rows added in the meantime do not contradict it.
        chain = SealedChain.objects.filter(label=model._meta.label_lower, owner_id=owner_id).first()
        rows = list(model.rows_in_chain_order(owner_id))
        breaks = list(_broken_rows(rows))
        for row, what in breaks[:MAX_BREAKS]:
            where = place + (f" (row {row})" if row else "")
            what += f" ({len(breaks)} problems in total)" if len(breaks) > MAX_BREAKS else ""
            yield Finding(code=f"{name}-broken", where=where, what=what, do=OUTSIDE_CLUBNIGHT)
        if what := _cut_off(rows, chain):
            yield Finding(code=f"{name}-cut-off", where=place, what=what, do=OUTSIDE_CLUBNIGHT)


def _broken_rows(rows: list[SealedRow]) -> Iterator[tuple[int | None, str]]:
    """Yield the key of each row changed, added or moved outside Clubnight, or None for a missing one."""
    seals: set[str] = set()
    number = key = 0
    for row in rows:
        if not row.is_intact:
            yield row.pk, "was changed or added outside Clubnight"
        elif row.seal in seals:
            yield row.pk, "appears twice"
        elif row.IS_LOCKED_CHAIN and row.pk < key:
            yield row.pk, "has a different key"
        if row.seal_number > number + 1:
            yield None, f"line {number + 1} is missing"
        seals.add(row.seal)
        number, key = row.seal_number, max(key, row.pk)


def _cut_off(rows: list[SealedRow], chain: SealedChain | None) -> str:
    """Return how the rows contradict the length of their chain. Empty if they do not."""
    if chain is None:
        return "the number of lines is not recorded" if rows else ""
    if not chain.is_intact:
        return "the number of lines was changed outside Clubnight"
    last = rows[-1].seal_number if rows else 0
    return "" if last >= chain.length else f"{chain.length} lines were written, but the last one is line {last}"
