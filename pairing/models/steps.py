"""The pairing states of an unpublished round, its restore points, and its editing sessions."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from tournaments.models import Round


class PairingCause(models.TextChoices):
    """The change that led to a pairing state."""

    FOUND = "found", _("original pairings")
    PAIRED = "paired", _("paired by the system")
    SWAPPED = "swapped", _("two players swapped")
    COLOURS = "colours", _("colours swapped")
    MOVED = "moved", _("a board moved")
    PAIR_REMOVED = "pair removed", _("a pair removed")
    PAIR_MADE = "pair made", _("a pair added")
    BYE_GIVEN = "bye given", _("bye given")
    BYE_TAKEN = "bye taken", _("bye removed")
    PLAYER_OUT = "player out", _("a player removed")
    PLAYER_IN = "player in", _("a player added")
    DISCARDED = "discarded", _("draft discarded")
    UNPUBLISHED = "unpublished", _("pairings unpublished")
    ADOPTED = "adopted", _("proposal adopted")
    SESSION = "session", _("manual changes")
    RESTORED = "restored", _("restored")


class PairingState(models.Model):
    """A stored state of a round's pairing, complete enough to restore it.

    `boards`: {"board", "white", "black", "reasons"} with keys of entries. `byes`: {"entry", "kind", "reasons"}, all of
    the round. `unpaired`: keys of players still to be paired. In round 1 `numbers` are the pairing numbers by key of
    entry, and `accelerated_players` is the size of Baku's upper group.
    """

    is_paired = models.BooleanField()
    boards = models.JSONField(default=list)
    byes = models.JSONField(default=list)
    unpaired = models.JSONField(default=list)
    scores = models.JSONField(default=dict)
    numbers = models.JSONField(default=dict)
    accelerated_players = models.PositiveIntegerField(null=True)
    paired_at = models.DateTimeField(null=True)
    cause = models.CharField(max_length=12, choices=PairingCause)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class PairingStep(PairingState):
    """A step in the history of a round's pairing. The current step matches the rows of the round.

    Later steps have been undone and can be redone.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    is_current = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="pairing_step_number_once"),
            models.UniqueConstraint(
                fields=["round"], condition=Q(is_current=True), name="pairing_step_one_current_a_round"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.number} {self.cause}"


class RestorePoint(PairingState):
    """A pairing saved before it was discarded, unpublished or changed manually.

    `cause` is the change, `by` its author.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="restore_points")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.round}: {self.cause}"


class EditingSession(models.Model):
    """A user's session of changing a round's pairing manually. There is one at a time.

    `began_from` is the pairing at its start. `taken_over_by` is the user who took over.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="editing_sessions")
    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    began_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    began_from = models.ForeignKey(RestorePoint, on_delete=models.SET_NULL, null=True, related_name="+")
    taken_over_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round"], condition=Q(ended_at__isnull=True), name="editing_session_one_open_a_round"
            )
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.by}"
