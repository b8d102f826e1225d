"""The WSGI application, for gunicorn and similar servers."""

import os
import sys

from django.core.wsgi import get_wsgi_application

# Only pages send tasks. Importing the queue here gives them its address, while commands, which never send any, start in
# half the time.
from config.celery import app as queue
from config.garbage_collection import freeze_loaded_objects

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from clubs.membership.onboarding.club_creation import set_up_announcement  # noqa: E402
from common.jobs.queue import start_lost_job_watcher  # noqa: E402
from common.schedule.due_tasks import start_schedule_watcher  # noqa: E402
from operations.backups.work_folders import delete_leftovers  # noqa: E402
from operations.schema_guard import check_database_at_startup  # noqa: E402

check_database_at_startup()
delete_leftovers()
start_lost_job_watcher()
start_schedule_watcher()
sys.stderr.write(set_up_announcement())
freeze_loaded_objects()

__all__ = ["application", "queue"]
