"""When work that comes back by itself was begun last."""

from __future__ import annotations

from django.db import models


class ScheduledTaskRun(models.Model):
    """One row a chore (`common.schedule`): the time it was due for when it was begun last, whoever began it."""

    name = models.CharField(max_length=40, unique=True)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.due_at:%Y-%m-%d %H:%M}"
