"""What happens at the door and at the boards of a round: who is here, what players report, what was read twice."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from tournaments.models.events import Entry
from tournaments.models.rounds import Game, Round


class CheckIn(models.Model):
    """What is known at the door of a player in a round; no row: nobody has seen him.

    `by_player` says that he tapped it himself; then `by` is empty. `says_here_at` is when a player whom the arbiter
    has as absent, or who has asked for a bye, tapped that he is here: his row waits for the arbiter.
    """

    class State(models.TextChoices):
        HERE = "here", _("here")
        LATE = "late", _("on the way")
        ABSENT = "absent", _("not here")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="check_ins")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="check_ins")
    state = models.CharField(_("state"), max_length=6, choices=State, blank=True)
    at = models.DateTimeField()
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    by_player = models.BooleanField(default=False)
    says_here_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round", "entry"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="check_in_once_a_round"),
            models.CheckConstraint(condition=Q(state__in=["", "here", "late", "absent"]), name="check_in_state_known"),
            models.CheckConstraint(
                condition=~Q(state="") | Q(says_here_at__isnull=False), name="check_in_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_state_display()}"


class ResultClaim(models.Model):
    """The result of a board as one of its two players has reported it. It counts when the other reports the same."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="claims")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="claims")
    result = models.CharField(
        _("result"), max_length=3, choices=[(value, Game.Result(value).label) for value in ("1-0", "1/2", "0-1")]
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["game", "at"]
        constraints = [
            models.UniqueConstraint(fields=["game", "entry"], name="result_claim_once_a_player"),
            models.CheckConstraint(condition=Q(result__in=["1-0", "1/2", "0-1"]), name="result_claim_known"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.result} ({self.entry})"


class ResultCheck(models.Model):
    """The result of a board as it was typed a second time from the slip. The board is verified while both agree."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="second_reading")
    result = models.CharField(_("result"), max_length=3, choices=Game.Result)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(result__in=[value for value in Game.Result.values if value]),
                name="second_reading_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.result}"

    @property
    def has_same_result(self) -> bool:
        """The board has the result that was read."""
        return self.result == self.game.result
