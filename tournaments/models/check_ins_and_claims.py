"""Check-ins, results reported by players, and results entered a second time."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from tournaments.models.events import Entry
from tournaments.models.rounds import Game, Round


class CheckIn(models.Model):
    """What is known about whether a player is coming to a round. Without a row, nothing is known.

    `is_coming` means that the player said beforehand that they are coming; then `state` may be empty. `by_player` means
    that the player checked in themselves; then `by` is empty. `says_here_at` is when a player checked in who is marked
    absent or has asked for a bye. The arbiter must then decide.
    """

    class State(models.TextChoices):
        HERE = "here", _("here")
        LATE = "late", _("late")
        ABSENT = "absent", _("absent")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="check_ins")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="check_ins")
    state = models.CharField(_("state"), max_length=6, choices=State, blank=True)
    at = models.DateTimeField()
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    by_player = models.BooleanField(default=False)
    says_here_at = models.DateTimeField(null=True, blank=True)
    is_coming = models.BooleanField(default=False)

    class Meta:
        ordering = ["round", "entry"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="check_in_once_a_round"),
            models.CheckConstraint(condition=Q(state__in=["", "here", "late", "absent"]), name="check_in_state_known"),
            models.CheckConstraint(
                condition=~Q(state="") | Q(says_here_at__isnull=False) | Q(is_coming=True),
                name="check_in_says_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_state_display()}"


class ResultClaim(models.Model):
    """A result reported by one of the two players. It counts once the other player reports the same result."""

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
    """A result entered a second time from the slip. The board is verified if it agrees with the board's result."""

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
        """Return True if this result equals the board's result."""
        return self.result == self.game.result
