"""The Celery application: broker and results on Redis in a deployment."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_ready
from kombu.entity import Queue

from common.jobs.kinds import WorkerQueue
from config.garbage_collection import collect_garbage_rarely

collect_garbage_rarely()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("clubnight")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A worker that is told no queue serves all of them; with several, none waits for another's work.
app.conf.task_queues = [Queue(line.value) for line in WorkerQueue]
app.conf.task_default_queue = WorkerQueue.CHORES.value
# Beat rings every minute; what is due, and that it is begun once, is looked up in the database (common/schedule).
app.conf.beat_schedule = {
    "chores": {"task": "common.tasks.start_scheduled_tasks", "schedule": 60.0, "options": {"expires": 60}}
}


@worker_init.connect
def refuse_newer_database(**_signal: Any) -> None:
    """What a receiver raises is only logged, but for the end of the program."""
    from operations.schema_guard import NewerDatabaseError, check_database_at_startup

    try:
        check_database_at_startup()
    except NewerDatabaseError as later:
        raise SystemExit(str(later)) from later


@worker_ready.connect
def requeue_lost_jobs(**_signal: Any) -> None:
    """A worker just started does what was waiting for one, or died with the one before it."""
    from common.jobs.queue import start_lost_job_watcher

    start_lost_job_watcher()
