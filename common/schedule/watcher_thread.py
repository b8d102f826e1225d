"""Where there is no queue, and so no Celery beat: a thread of the server looks what is due."""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.db import DatabaseError, connections

from common.schedule.due_tasks import start_due_tasks

CHECK_INTERVAL_SECONDS = 60.0

_log = logging.getLogger(__name__)


def start_schedule_watcher() -> None:
    """In a server just started, as long as it lives. Nothing where a queue is: there beat does it."""
    if not settings.CELERY_BROKER_URL:
        threading.Thread(target=_look_now_and_then, daemon=True, name="chores").start()


def _look_now_and_then() -> None:
    pause = threading.Event()
    # Not at once: whoever starts a server wants to see its pages first.
    while not pause.wait(CHECK_INTERVAL_SECONDS):
        try:
            start_due_tasks()
        except DatabaseError:
            _log.warning("no chores begun: the database is not ready", exc_info=True)
        finally:
            connections.close_all()
