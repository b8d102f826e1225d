"""The thread that starts due tasks on a server without a queue, and so without Celery beat."""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.db import DatabaseError, connections

from common.schedule.due_tasks import start_due_tasks

CHECK_INTERVAL_SECONDS = 60.0

_log = logging.getLogger(__name__)


def start_schedule_watcher() -> None:
    """Start the thread for the life of this server. With a queue nothing happens: beat does the work."""
    if not settings.CELERY_BROKER_URL:
        threading.Thread(target=_look_now_and_then, daemon=True, name="chores").start()


def _look_now_and_then() -> None:
    pause = threading.Event()
    # Not at once: the first pages should load quickly.
    while not pause.wait(CHECK_INTERVAL_SECONDS):
        try:
            start_due_tasks()
        except DatabaseError:
            _log.warning("no chores begun: the database is not ready", exc_info=True)
        finally:
            connections.close_all()
