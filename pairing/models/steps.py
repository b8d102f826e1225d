"""Every state the pairing of a round has been in, until the round is published, and who is changing it by hand."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from tournaments.models import Round


class PairingCause(models.TextChoices):
    """What brought a pairing into its state."""

    FOUND = "found", _("as it was found")
    PAIRED = "paired", _("paired by the system")
    SWAPPED = "swapped", _("two players swapped")
    COLOURS = "colours", _("colours turned")
    MOVED = "moved", _("a board put at another place")
    PAIR_REMOVED = "pair removed", _("a pair removed")
    PAIR_MADE = "pair made", _("a pair made")
    BYE_GIVEN = "bye given", _("the bye given")
    BYE_TAKEN = "bye taken", _("the bye taken away")
    PLAYER_OUT = "player out", _("a player taken out")
    PLAYER_IN = "player in", _("a player put in")
    DISCARDED = "discarded", _("draft discarded")
    UNPUBLISHED = "unpublished", _("taken back after publishing")
    ADOPTED = "adopted", _("taken over from a trial pairing")
    SESSION = "session", _("changed by hand")
    RESTORED = "restored", _("restored")


class PairingState(models.Model):
    """The pairing of a round as it once was: enough to make it so again.

    `boards`: {"board", "white", "black", "reasons"} with keys of entries; `byes`: {"entry", "kind", "reasons"}, all of
    the round; `unpaired`: keys of those whom the arbiter has still to seat. In round 1 `numbers` holds the numbers
    given, by key of entry, and `accelerated_players` the size of Baku's upper group.
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
    """A step on the way of a round's pairing; the current one says how the rows of the round stand now.

    Those behind the current one have been undone and can be done again.
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
    """A pairing kept before it was thrown away, taken back or changed by hand; `cause` says which, `by` who did."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="restore_points")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.round}: {self.cause}"


class EditingSession(models.Model):
    """Somebody changes a round's pairing by hand, from beginning to end; one at a time.

    `began_from` is the pairing as it was then; `taken_over_by` whoever ended the session to begin another.
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
