"""Background jobs, one row each, with their progress."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """A background job. `done` of `total` is its progress (0 of 0: unknown).

    For each task and `key` there is at most one unfinished job. Jobs without a key are not limited. `arguments` are the
    task's (keys of rows; `next`: where its owner goes afterwards), `result` its return value. `sent_at` is empty until
    the queue has it. `heartbeat_at` is renewed while the job runs. A running job without a recent heartbeat has lost
    its worker and is claimed again, as the next `attempt` (see `common.jobs.queue`). `language` is that of the user who
    created it, and `error` is in it.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    task = models.CharField(max_length=100)
    key = models.CharField(max_length=100, blank=True)
    arguments = models.JSONField(default=dict, blank=True)
    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, null=True, blank=True, related_name="jobs")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    language = models.CharField(max_length=10, blank=True)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    stage = models.CharField(max_length=40, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    result = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    time_limit = models.PositiveIntegerField(null=True, blank=True)
    """In seconds. None means no limit."""
    cancel_asked = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state"], condition=Q(state__in=["waiting", "running"]), name="job_unfinished")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed", "cancelled"]), name="job_state_known"
            ),
            models.UniqueConstraint(
                fields=["task", "key"],
                condition=Q(state__in=["waiting", "running"]) & ~Q(key=""),
                name="job_unfinished_once_a_key",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.pk} ({self.state})"

    @property
    def is_over(self) -> bool:
        """True if the job will not run again."""
        return self.state not in (self.State.WAITING, self.State.RUNNING)

    @property
    def percent_done(self) -> int | None:
        """The percentage done, or None if unknown."""
        return min(100, self.done * 100 // self.total) if self.total else None
