"""The log of an event."""

from __future__ import annotations

from django.db import models

from clubs.models import User
from tournaments.models.events import Tournament
from tournaments.models.rounds import Round


class LogEntry(models.Model):
    """Who did what in an event, and when; never edited, but for names that are erased (see `triggers`)."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    round = models.ForeignKey(Round, on_delete=models.SET_NULL, null=True, blank=True, related_name="log")
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=40)
    details = models.JSONField(default=dict, blank=True)
    erasure = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """The later line with whose erasing of a name the details were written anew, if they were."""
    sealed = models.JSONField(null=True, blank=True, editable=False)
    """The line's place in the chain of its event's log (`tournaments.audit_log.seal_chain`); none before it is
    sealed."""

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "log"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"


class SealedLog(models.Model):
    """How far an event's log is sealed, kept beside its lines: whoever cuts their end off leaves this."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="sealed_log")
    lines = models.PositiveIntegerField()
    seal = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.lines} lines, {self.seal}"
