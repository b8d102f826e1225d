"""A round paired once more on trial: kept until the arbiter takes it over or discards it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from common.models import Job
from tournaments.models import LogEntry, Round


class PairingProposal(models.Model):
    """How a paired round would be paired now. Nothing has changed by it.

    It stands on the round's pairing of `base_version` and on the event as its `ground` sums it up; where either is
    another now, it is out of date. `absent` are entries taken out, `present` put in, by keys. `boards` and `bye` are
    kept as those of a `PairingState`, `scores` as those of a round. `correction` is the corrected result that
    gave rise to it, if one did.

    Of a waiting round that has no legal pairing it is a way out: `relief` says what it lets go of.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ADOPTED = "adopted", _("adopted")
        DISCARDED = "discarded", _("discarded")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="proposals")
    job = models.OneToOneField(Job, on_delete=models.SET_NULL, null=True, related_name="proposal")
    correction = models.ForeignKey(LogEntry, on_delete=models.SET_NULL, null=True, related_name="+")
    base_version = models.PositiveIntegerField()
    ground = models.CharField(max_length=64)
    absent = models.JSONField(default=list)
    present = models.JSONField(default=list)
    relief = models.CharField(max_length=10, blank=True)
    boards = models.JSONField(default=list)
    bye = models.JSONField(null=True)
    scores = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["open", "adopted", "discarded"]), name="proposal_state_known")
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.pk} ({self.state})"
