"""What a club prints: how it wants each paper, and what of an event has gone to the printer."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from clubs.models import Club
from tournaments.models import Tournament


class PaperPreference(models.Model):
    """How somebody of the club had a paper printed the last time: what was chosen, as its address names it.

    Languages and the size of the paper belong to the event they were chosen for, and are kept with it.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="paper_habits")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="paper_habits"
    )
    """None for what holds for every event of the club."""
    document = models.CharField(max_length=40)
    """The code of the paper: `print_cards`."""
    options = models.JSONField(default=dict)
    """Texts by the names of `PaperForm`'s fields."""

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
    """That a paper of an event was printed, the last time: of which round, and what its content was then."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="printings")
    document = models.CharField(max_length=40)
    round_number = models.PositiveSmallIntegerField(default=0)
    """0 for a paper of the whole event."""
    edition = models.CharField(max_length=64)
    """The same as long as what hangs on the wall holds (`PaperDefinition.edition`)."""
    printed_at = models.DateTimeField(default=timezone.now)
    printed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "document", "round_number"], name="printing_once")]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.document} {self.round_number or ''}".strip()
