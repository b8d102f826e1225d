"""Proposed pairings, kept until the arbiter adopts or discards them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import User
from common.models import Job
from tournaments.models import LogEntry, Round


class PairingProposal(models.Model):
    """A proposal to pair a round again. It changes nothing until it is adopted.

    It depends on `base_version` of the pairing and on the event's fingerprint `ground`. If either changes, it is
    outdated. `absent` and `present` are keys of entries removed and added. `boards` and `bye` are stored as in
    `PairingState`, `scores` as in a round. `correction` is the corrected result that caused it, if any.

    If the round has no legal pairing, it is a relaxation: `relief` is the `RelaxationKind`.
    """

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("proposal", "open")
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
