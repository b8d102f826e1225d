"""The WSGI application, for gunicorn and its like."""

import os

from django.core.wsgi import get_wsgi_application

# Tasks are sent from pages only. Imported here, the queue's address is known there, and commands, which never send
# any, start in half the time.
from config.celery import app as queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from clubs.jobs import take_up_after_start  # noqa: E402

take_up_after_start()

__all__ = ["application", "queue"]
