"""The lines of an event's log as a chain: whoever changes, takes out or slips in one later breaks every seal behind it.

A seal is the SHA-256 of the seal before and of the line's own digest. Lines are sealed some minutes after they were
written, in the order of their keys, so that nobody who enters a result waits for anybody who enters another. A line
from which a name was erased keeps the digest of what stood there: the line that says so stands in the chain itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.chores import kinds as chore_kinds
from clubs.jobs.kinds import JobKind, register
from clubs.models import Job
from tournaments.models import LogEntry, Tournament

SEALED_AFTER = timedelta(minutes=5)
"""By then every transaction that wrote an earlier line is over."""

SEAL = register("tournaments.tasks.seal_logs", JobKind(title=_("Sealing the logs of events")))
chore_kinds.register(chore_kinds.Chore(name="seals", task=SEAL, at=time(2, 45)))

_COLUMNS = ("pk", "at", "action", "details", "actor_id", "round_id", "erasure_id", "sealed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """A place where a chain does not hold: the line's key (None: of no line that is there), and what is wrong."""

    line: int | None
    what: str


def seal_every_log(_job: Job) -> dict[str, Any]:
    """Seal what is not sealed yet, event by event; done twice, the second finds nothing."""
    before = timezone.now() - SEALED_AFTER
    waiting = LogEntry.objects.filter(sealed__isnull=True, at__lt=before).order_by()
    events = waiting.values_list("tournament_id", flat=True).distinct()
    return {"lines": sum(seal_log(pk, before=before) for pk in sorted(events))}


@transaction.atomic
def seal_log(event: int, *, before: datetime) -> int:
    """Seal the lines of an event written before this time; how many."""
    Tournament.with_deleted.select_for_update(no_key=True).get(pk=event)
    lines = LogEntry.objects.filter(tournament=event)
    last = lines.filter(sealed__isnull=False).order_by("-sealed__number").values_list("sealed", flat=True).first()
    number, seal = (last["number"], last["seal"]) if last else (0, "")
    to_seal = list(lines.filter(sealed__isnull=True, at__lt=before).order_by("pk"))
    for line in to_seal:
        number += 1
        digest = _digest(line.at, line.action, line.details, line.actor_id, line.round_id)
        seal = _next(seal, digest)
        line.sealed = {
            "number": number,
            "actor": line.actor_id,
            "round": line.round_id,
            "digest": digest,
            "seal": seal,
        }
    LogEntry.objects.bulk_update(to_seal, ["sealed"], batch_size=100)
    return len(to_seal)


def breaks_in(lines: Iterable[Mapping[str, Any]]) -> Iterator[Break]:
    """Where the chain of one event does not hold; `lines` are all of its log's, as `columns_of` reads them."""
    sealed = sorted((line for line in lines if line["sealed"]), key=lambda line: line["sealed"]["number"])
    seal = ""
    for place, line in enumerate(sealed, start=1):
        told = line["sealed"]
        if told["number"] != place:
            yield Break(line=None, what=f"sealed line {place} is not there")
            return
        seal = _next(seal, told["digest"])
        if told["seal"] != seal:
            yield Break(line=line["pk"], what=f"the seal of line {place} is not that of the lines before it")
            return
        if line["erasure_id"] is None and _digest_of(line) != told["digest"]:
            yield Break(line=line["pk"], what=f"line {place} was changed after it was sealed")
        for name in ("actor", "round"):
            # Somebody who is no more leaves the line without him.
            if line[f"{name}_id"] not in (None, told[name]):
                yield Break(line=line["pk"], what=f"line {place} names another {name} than when it was sealed")


def columns_of(lines: Any) -> Any:
    """What `breaks_in` wants to know of these lines."""
    return lines.values(*_COLUMNS)


def _digest_of(line: Mapping[str, Any]) -> str:
    told = line["sealed"]
    return _digest(line["at"], line["action"], line["details"], told["actor"], told["round"])


def _digest(at: datetime, action: str, details: Any, actor: int | None, round: int | None) -> str:
    said = [at.astimezone(UTC).isoformat(timespec="microseconds"), action, details, actor, round]
    return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _next(seal: str, digest: str) -> str:
    return hashlib.sha256(f"{seal}{digest}".encode()).hexdigest()
