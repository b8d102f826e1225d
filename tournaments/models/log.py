"""The log of an event."""

from __future__ import annotations

from django.db import models

from clubs.models import User
from tournaments.models.events import Tournament
from tournaments.models.rounds import Round


class LogEntry(models.Model):
    """An action in an event: who did what, and when. Never edited, except to erase names (see `triggers`)."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    round = models.ForeignKey(Round, on_delete=models.SET_NULL, null=True, blank=True, related_name="log")
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=40)
    details = models.JSONField(default=dict, blank=True)
    erasure = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """The later entry that erased a name from the details, if any."""
    sealed = models.JSONField(null=True, blank=True, editable=False)
    """The entry's seal in the chain of its event's log (`tournaments.audit_log.seal_chain`); None before sealing."""

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "log"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"


class SealedLog(models.Model):
    """The sealed length of an event's log, stored apart, so that cutting off its end is noticed."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="sealed_log")
    lines = models.PositiveIntegerField()
    seal = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.lines} lines, {self.seal}"
