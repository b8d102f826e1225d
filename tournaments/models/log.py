"""The log of an event."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from clubs.models import User
from common.models import SealedRow, set_null_and_seal
from tournaments.models.events import Tournament
from tournaments.models.rounds import Round


class LogEntry(SealedRow):
    """An action in an event: who did what, and when. Never edited, except to erase names (see `triggers`)."""

    SEALED_IN, IS_LOCKED_CHAIN = "tournament", False

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    round = models.ForeignKey(Round, on_delete=set_null_and_seal, null=True, blank=True, related_name="log")
    actor = models.ForeignKey(User, on_delete=set_null_and_seal, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    action = models.CharField(max_length=40)
    details = models.JSONField(default=dict, blank=True)
    erasure = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """The later entry that erased a name from the details, if any."""

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["tournament", "seal_number"], name="log_in_its_order")]
        verbose_name_plural = "log"

    @property
    def counts_in_chain_length(self) -> bool:
        """False for a board's first result, which the board stores. Finishing the round updates the chain's length."""
        return bool(self.details.get("before") != "")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"
