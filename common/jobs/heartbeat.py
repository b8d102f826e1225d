"""The heartbeat of a running job: a thread with its own connection, next to the working thread.

Every second it marks the job as alive, so that one long step of a pairing is not mistaken for a crash. It also saves
the progress and checks if the job should stop. The work itself only reads the result, which costs nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from enum import StrEnum
from types import TracebackType
from typing import Any

from django.db import DatabaseError, connection, connections
from django.utils import timezone

from common.models import Job

HEARTBEAT_SECONDS = 1.0

_log = logging.getLogger(__name__)


class StopReason(StrEnum):
    """The reason why a job must stop early."""

    CANCELLED = "cancelled"
    TOO_LONG = "too long"
    TAKEN = "taken"
    """Another process runs it: this one was silent for too long and was considered dead."""


class JobHeartbeat:
    """Context manager that saves signs of life while a job runs. `stop` is the reason to stop early, or None.

    Inside a transaction there is no thread: others could not see the row, and SQLite allows one writer.
    """

    def __init__(self, job: Job) -> None:
        self.stop: StopReason | None = None
        self.progress: dict[str, Any] = {"done": job.done, "total": job.total, "stage": job.stage}
        """The values of `done`, `total` and `stage` for the row."""

        self._mine = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=Job.State.RUNNING)
        self._time_limit = job.time_limit
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name=f"pulse-{job.pk}")

    def __enter__(self) -> JobHeartbeat:
        if not connection.in_atomic_block:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _beat(self) -> None:
        begun = time.monotonic()
        try:
            while not self._over.wait(HEARTBEAT_SECONDS):
                try:
                    self._look(time.monotonic() - begun)
                except DatabaseError:
                    _log.warning("no heartbeat written: the database does not answer", exc_info=True)
                    connection.close()
        finally:
            connections.close_all()

    def _look(self, seconds: float) -> None:
        if not self._mine.update(heartbeat_at=timezone.now(), **self.progress):
            self.stop = StopReason.TAKEN
        elif self._mine.filter(cancel_asked=True).exists():
            self.stop = StopReason.CANCELLED
        elif self._time_limit is not None and seconds > self._time_limit:
            self.stop = StopReason.TOO_LONG
