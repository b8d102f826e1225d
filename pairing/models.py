"""Pairing models other than the rounds: states of a draft, proposals, printouts, the hall message."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Club, User
from common.models import Job
from tournaments.models import LogEntry, Round, Tournament


class PairingCause(models.TextChoices):
    """The change that led to a pairing state."""

    FOUND = "found", _("original pairings")
    PAIRED = "paired", _("paired by the system")
    SWAPPED = "swapped", _("two players swapped")
    COLOURS = "colours", _("colours swapped")
    MOVED = "moved", _("board moved")
    PAIR_REMOVED = "pair removed", _("pair removed")
    PAIR_MADE = "pair made", _("pair added")
    BYE_GIVEN = "bye given", _("bye given")
    BYE_TAKEN = "bye taken", _("bye removed")
    PLAYER_OUT = "player out", _("player removed")
    PLAYER_IN = "player in", _("player added")
    DISCARDED = "discarded", _("draft discarded")
    UNPUBLISHED = "unpublished", _("pairings unpublished")
    ADOPTED = "adopted", _("proposal applied")
    SESSION = "session", _("manual changes")
    RESTORED = "restored", _("restored")


class PairingState(models.Model):
    """A stored state of a round's pairing, complete enough to restore it.

    `boards`: {"board", "white", "black", "reasons"} with keys of entries. `byes`: {"entry", "kind", "reasons"}, all of
    the round. `unpaired`: keys of players still to be paired. `numbers` are the pairing numbers by key of entry. In
    round 1 `accelerated_players` is the size of Baku's upper group.
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
    """A user's session for changing a round's pairings manually. There is one at a time.

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


class PairingProposal(models.Model):
    """A proposal to pair a round again. It changes nothing until it is adopted.

    It depends on `base_version` of the pairing and on the event's fingerprint `ground`. If either changes, it is
    outdated. `absent` and `present` are keys of entries removed and added. `boards` and `bye` are stored as in
    `PairingState`, `scores` as in a round. `correction` is the corrected result that caused it, if any.

    If the round has no legal pairing, it is a relaxation: `relief` is the `RelaxationKind`.
    """

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("proposal", "open")
        ADOPTED = "adopted", _("applied")
        DISCARDED = "discarded", _("discarded")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="proposals")
    job = models.OneToOneField(Job, on_delete=models.SET_NULL, null=True, related_name="proposal")
    correction = models.ForeignKey(LogEntry, on_delete=models.SET_NULL, null=True, related_name="+")
    base_version = models.PositiveIntegerField()
    ground = models.CharField(max_length=64)
    absent = models.JSONField(default=list)
    present = models.JSONField(default=list)
    relief = models.CharField(max_length=10, blank=True)
    boards = models.JSONField(default=list)
    bye = models.JSONField(null=True)
    scores = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["open", "adopted", "discarded"]), name="proposal_state_known")
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.pk} ({self.state})"


class PaperPreference(models.Model):
    """The options last used for a printout, by URL parameter.

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
    """The latest printing of one of an event's printouts, with its round and edition."""

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


class HallMessage(models.Model):
    """A message on an event's hall screen until a given time. There is one at a time."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="hall_message")
    text = models.CharField(_("message"), max_length=160)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.text

    @property
    def is_shown(self) -> bool:
        """True until the message expires."""
        return timezone.now() < self.until
