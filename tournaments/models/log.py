"""The log of an event."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models.signals import post_delete, pre_delete
from django.dispatch import receiver
from django.utils import timezone

from clubs.models import User
from common.models import SealedChain, SealedRow
from tournaments.models.events import Tournament
from tournaments.models.rounds import Round


class LogEntry(SealedRow):
    """An action in an event: who did what, and when. Never edited, except to erase names (see `triggers`)."""

    SEALED_IN, IS_LOCKED_CHAIN = "tournament", False

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    round = models.ForeignKey(Round, on_delete=models.SET_NULL, null=True, blank=True, related_name="log")
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    action = models.CharField(max_length=40)
    details = models.JSONField(default=dict, blank=True)
    erasure = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """The later entry that erased a name from the details, if any."""

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["tournament", "seal_number"], name="log_in_its_order")]
        verbose_name_plural = "log"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"


@receiver(pre_delete, sender=User)
@receiver(pre_delete, sender=Round)
def seal_without(sender: type[models.Model], instance: models.Model, **_more: Any) -> None:
    """Remove a person or a round from the lines about them, and seal these anew, before the person or round goes."""
    column = "actor" if sender is User else "round"
    for line in LogEntry.objects.filter(**{column: instance}):
        line.change_sealed(**{column: None})


@receiver(post_delete, sender=Tournament)
def delete_chain(instance: Tournament, **_more: Any) -> None:
    """Delete the length of an event's log along with the event."""
    SealedChain.objects.filter(label=LogEntry._meta.label_lower, owner_id=instance.pk).delete()
