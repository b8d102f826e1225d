"""Work that outlasts a request: one row a job, with its progress."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.people import Club, User


class Job(models.Model):
    """Something a task does for somebody. `done` of `total` say how far it is (0 of 0: not known).

    `heartbeat_at` is renewed while somebody works on it; a running job without one for a while has lost its worker
    and is taken up again (see `clubs.jobs`).
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    task = models.CharField(max_length=100)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="jobs")
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.WAITING)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state"], condition=Q(state__in=["waiting", "running"]), name="job_unfinished")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed"]), name="job_state_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.pk} ({self.state})"

    @property
    def is_over(self) -> bool:
        """Nobody works on it any more, nor will."""
        return self.state in (self.State.DONE, self.State.FAILED)

    @property
    def percent(self) -> int | None:
        """How much is done; None where nobody knows."""
        return min(100, self.done * 100 // self.total) if self.total else None
