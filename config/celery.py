"""The Celery application: broker and results on Redis in a deployment."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("clubnight")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
