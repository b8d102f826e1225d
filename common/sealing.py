"""Checks the chains of sealed rows, and notes every night how far they have come."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time, timedelta
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.jobs.kinds import JobKind, register_job_kind
from common.models import Job, SealCheckpoint, SealedRow
from common.schedule import registry as chore_kinds

CHECKPOINT_TASK = register_job_kind(
    "common.tasks.write_seal_checkpoints", JobKind(title=_("Sealing the logs of events"))
)
chore_kinds.register_scheduled_task(chore_kinds.ScheduledTask(name="seals", task=CHECKPOINT_TASK, at=time(2, 45)))

MAX_TRANSACTION_TIME = timedelta(minutes=5)
"""By then every transaction that wrote a row with a lower number has ended."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SealBreak:
    """A break in a chain: the row's key (None if the row is missing) and the problem.

    `is_cut_off` means that the chain does not fit its checkpoint.
    """

    row: int | None = None
    problem: str
    is_cut_off: bool = False


def sealed_models() -> list[type[SealedRow]]:
    """Return the models of all sealed tables."""
    return [model for model in apps.get_models() if issubclass(model, SealedRow)]


def find_seal_breaks(model: type[SealedRow], owner_id: int) -> Iterator[SealBreak]:
    """Find what was changed, added or removed past the program in one chain. Two queries."""
    # The checkpoint is read first: rows that come meanwhile do not contradict it.
    checkpoint = SealCheckpoint.objects.filter(chain=model._meta.label_lower, owner_id=owner_id).first()
    rows = list(model._base_manager.filter(**{model.SEALED_IN: owner_id}).order_by("seal_number", "pk"))
    seals: set[str] = set()
    number = key = 0
    for row in rows:
        if not row.is_intact:
            yield SealBreak(row=row.pk, problem="was changed or written past the program")
        elif row.seal in seals:
            yield SealBreak(row=row.pk, problem="stands there twice")
        elif model.IS_LOCKED_CHAIN and row.pk < key:
            yield SealBreak(row=row.pk, problem="has got another key")
        if row.seal_number > number + 1:
            yield SealBreak(problem=f"line {number + 1} is not there")
        seals.add(row.seal)
        number, key = row.seal_number, max(key, row.pk)
    if checkpoint is None:
        if rows:
            yield SealBreak(problem="the count of its lines is not there", is_cut_off=True)
    elif not checkpoint.is_intact:
        yield SealBreak(problem="the count of its lines was changed past the program", is_cut_off=True)
    elif (found := sum(row.seal_number <= checkpoint.number for row in rows)) != checkpoint.lines:
        problem = f"{checkpoint.lines} lines were counted, and {found} of them are there"
        yield SealBreak(problem=problem, is_cut_off=True)


def write_all_checkpoints(_job: Job | None = None) -> dict[str, Any]:
    """Count the rows of all chains. Running it twice has no further effect."""
    before = timezone.now() - MAX_TRANSACTION_TIME
    counted = 0
    for model in sealed_models():
        written = model._base_manager.filter(**{f"{model.SEALED_AT}__lt": before}).order_by()
        for owner_id, number in written.values_list(model.SEALED_IN).annotate(Max("seal_number")):
            counted += _write_checkpoint(model, owner_id, number)
    return {"lines": counted}


@transaction.atomic
def _write_checkpoint(model: type[SealedRow], owner_id: int, number: int) -> int:
    """Continue a chain's checkpoint to this number, unless the chain contradicts it. Return the newly counted rows."""
    label = model._meta.label_lower
    checkpoint = SealCheckpoint.objects.select_for_update().filter(chain=label, owner_id=owner_id).first()
    rows = model._base_manager.filter(**{model.SEALED_IN: owner_id})
    if (
        checkpoint is None
        or not checkpoint.is_intact
        or rows.filter(seal_number__lte=checkpoint.number).count() != checkpoint.lines
    ):
        _log.error("not sealed: %s of %s does not fit its last count; see manage.py doctor", label, owner_id)
        return 0
    new = rows.filter(seal_number__gt=checkpoint.number, seal_number__lte=number).count()
    if new:
        checkpoint.number, checkpoint.lines = number, checkpoint.lines + new
        checkpoint.save()
        _log.info("sealed: %s of %s to line %s, seal %s", label, owner_id, checkpoint.lines, checkpoint.seal)
    return new


@transaction.atomic
def seal_everything_anew() -> int:
    """Seal all rows as they are now, under the present key, and count them. Return their number.

    For a database from a server with another key, or after the key was changed or lost. Seals prove nothing of before.
    """
    SealCheckpoint.objects.all().delete()
    sealed = 0
    for model in sealed_models():
        chains: dict[int, list[SealedRow]] = {}
        for row in model._base_manager.order_by("seal_number", "pk"):
            chains.setdefault(row.owner_id, []).append(row)
        for owner_id, rows in chains.items():
            changed = [row for number, row in enumerate(rows, start=1) if row.seal_as(number)]
            model._base_manager.bulk_update(changed, ["seal_number", "seal"], batch_size=100)
            label = model._meta.label_lower
            SealCheckpoint.objects.create(chain=label, owner_id=owner_id, number=len(rows), lines=len(rows))
            sealed += len(rows)
    _log.warning("sealed anew: %s lines, as they are now", sealed)
    return sealed
