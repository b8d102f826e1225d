"""The latest start of each scheduled task."""

from __future__ import annotations

from django.db import models


class ScheduledTaskRun(models.Model):
    """A scheduled task (`common.schedule`) with the due time of its latest start."""

    name = models.CharField(max_length=40, unique=True)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.due_at:%Y-%m-%d %H:%M}"
