"""The Celery application: broker and results on Redis in a deployment."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_ready
from kombu.entity import Queue

from common.jobs.kinds import Line
from config.garbage import look_seldom

look_seldom()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("clubnight")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A worker that is told no queue serves all of them; with several, none waits for another's work.
app.conf.task_queues = [Queue(line.value) for line in Line]
app.conf.task_default_queue = Line.CHORES.value
# Beat rings every minute; what is due, and that it is begun once, is looked up in the database (common/schedule).
app.conf.beat_schedule = {"chores": {"task": "common.tasks.begin_chores", "schedule": 60.0, "options": {"expires": 60}}}


@worker_init.connect
def refuse_to_work_on_a_later_database(**_signal: Any) -> None:
    """What a receiver raises is only logged, but for the end of the program."""
    from operations.schema_guard import LaterDatabase, refuse_to_start

    try:
        refuse_to_start()
    except LaterDatabase as later:
        raise SystemExit(str(later)) from later


@worker_ready.connect
def take_up_what_others_left(**_signal: Any) -> None:
    """A worker just started does what was waiting for one, or died with the one before it."""
    from common.jobs.queue import watch_over_jobs

    watch_over_jobs()
