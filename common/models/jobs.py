"""Work that outlasts a request: one row a job, with its progress."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """Something a task does for somebody. `done` of `total` say how far it is (0 of 0: not known).

    Of one task and `key` there is one unfinished job, however often it is asked for; without a key there may be many.
    `arguments` are the task's (keys of rows; `next`: where its owner goes when it is done), `result` what it returned.
    `sent_at` is empty until the queue has it. `heartbeat_at` is renewed while somebody works on it; a running job
    without one for a while has lost its worker and is taken up again, as the next `attempt` (see `common.jobs.queue`).
    `language` is that of who asked, in which `error` is written.
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
    """In seconds; none: as long as it takes."""
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
        """Nobody works on it any more, nor will."""
        return self.state not in (self.State.WAITING, self.State.RUNNING)

    @property
    def percent_done(self) -> int | None:
        """How much is done; None where nobody knows."""
        return min(100, self.done * 100 // self.total) if self.total else None
