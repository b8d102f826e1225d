"""Printing preferences of a club, and records of printed papers."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from clubs.models import Club
from tournaments.models import Tournament


class PaperPreference(models.Model):
    """The options last used to print a paper, by their URL parameters.

    Languages and paper size are stored for their event, the others for the club.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="paper_habits")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="paper_habits"
    )
    """None if it applies to every event of the club."""
    document = models.CharField(max_length=40)
    """The code of the paper, such as `print_cards`."""
    options = models.JSONField(default=dict)
    """Texts by the field names of `PaperForm`."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "document"], condition=models.Q(tournament=None), name="paper_habit_once"
            ),
            models.UniqueConstraint(fields=["tournament", "document"], name="paper_habit_once_an_event"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament or self.club}: {self.document}"


class PrintedPaper(models.Model):
    """The latest printing of an event's paper: its round and its edition."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="printings")
    document = models.CharField(max_length=40)
    round_number = models.PositiveSmallIntegerField(default=0)
    """0 for a paper of the whole event."""
    edition = models.CharField(max_length=64)
    """Unchanged while the printed copy is still valid (`PaperDefinition.edition`)."""
    printed_at = models.DateTimeField(default=timezone.now)
    printed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "document", "round_number"], name="printing_once")]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.document} {self.round_number or ''}".strip()
