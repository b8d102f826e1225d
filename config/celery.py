"""The Celery application, with broker and results on Redis."""

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
# A worker started without queues serves all of them; separate workers keep queues from delaying each other.
app.conf.task_queues = [Queue(line.value) for line in WorkerQueue]
app.conf.task_default_queue = WorkerQueue.CHORES.value
# Beat runs every minute; the database decides what is due and starts it only once (common/schedule).
app.conf.beat_schedule = {
    "chores": {"task": "common.tasks.start_scheduled_tasks", "schedule": 60.0, "options": {"expires": 60}}
}


@worker_init.connect
def refuse_newer_database(**_signal: Any) -> None:
    """Raise SystemExit if the database is newer than the program. Celery would only log other exceptions."""
    from operations.schema_guard import NewerDatabaseError, check_database_at_startup

    try:
        check_database_at_startup()
    except NewerDatabaseError as later:
        raise SystemExit(str(later)) from later


@worker_ready.connect
def requeue_lost_jobs(**_signal: Any) -> None:
    """Start the thread that requeues lost jobs, and delete the leftovers of killed backups."""
    from common.jobs.queue import start_lost_job_watcher
    from operations.backups.work_folders import delete_leftovers

    delete_leftovers()
    start_lost_job_watcher()
