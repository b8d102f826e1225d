"""The WSGI application, for gunicorn and its like."""

import os
import sys

from django.core.wsgi import get_wsgi_application

# Tasks are sent from pages only. Imported here, the queue's address is known there, and commands, which never send
# any, start in half the time.
from config.celery import app as queue
from config.garbage import keep_what_is_loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from clubs.membership.onboarding.opening import announcement  # noqa: E402
from common.jobs.queue import watch_over_jobs  # noqa: E402
from common.schedule.watching import watch_over_chores  # noqa: E402
from operations.schema_guard import refuse_to_start  # noqa: E402

refuse_to_start()
watch_over_jobs()
watch_over_chores()
sys.stderr.write(announcement())
keep_what_is_loaded()

__all__ = ["application", "queue"]
