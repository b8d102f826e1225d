"""Messages on the hall screen."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Tournament


class HallMessage(models.Model):
    """A message on an event's hall screen until a given time. There is one at a time."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="hall_message")
    text = models.CharField(_("message"), max_length=160)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.text

    @property
    def is_shown(self) -> bool:
        """True until its time has passed."""
        return timezone.now() < self.until
