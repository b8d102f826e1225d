"""Pairing models other than the rounds: drafts, proposals, printouts, the hall message, tokens and webhooks."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Club, User
from common.models import EmailOutboxRow, Job
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


class ApiToken(EmailOutboxRow):
    """A key with which a program uses the API for a club. Only its hash is stored (`pairing.public.api_tokens`).

    `tournament` limits it to one event. Rows stay when a token is revoked: they say who made it and who revoked it.
    `site` is the server's URL, for the link in the email to the secretaries.
    """

    CREATED = "created"
    """The kind of its email."""

    class Scope(models.TextChoices):
        READ = "read", _("read private events too")
        ENTRIES = "entries:write", _("enter and withdraw players, and mark absences")
        RESULTS = "results:write", _("enter and correct results")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="api_tokens")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=60)
    scopes = models.JSONField(default=list)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    site = models.CharField(max_length=200)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name"], condition=Q(revoked_at__isnull=True), name="api_token_name_once"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_expired(self) -> bool:
        """True if its expiry date has passed, or if it can change something and has none."""
        if self.expires_at is None:
            return bool(set(self.scopes) - {self.Scope.READ})
        return self.expires_at <= timezone.now()

    @property
    def is_valid(self) -> bool:
        """True if it can be used now."""
        return self.revoked_at is None and not self.is_expired

    @property
    def scope_labels(self) -> list[str]:
        """What it allows, in words."""
        return [str(self.Scope(scope).label) for scope in self.scopes if scope in self.Scope.values]


class Webhook(EmailOutboxRow):
    """A URL that is told what happens in a club's events (`pairing.public.webhooks`).

    `topics` are the chosen `Topic`s. The secret of its signatures is derived from the server's key and `salt`.
    `site` is the server's URL, such as https://chess.example/, for links.
    """

    class EmailKind(models.TextChoices):
        CREATED = "created"
        STOPPED = "stopped"

    class Topic(models.TextChoices):
        ROUNDS = "rounds", _("a round is published or unpublished")
        RESULTS = "results", _("a result is entered, corrected or withdrawn")
        STANDINGS = "standings", _("the standings change: a round is finished, reopened or corrected")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    topics = models.JSONField(default=list)
    salt = models.CharField(max_length=32, editable=False)
    site = models.CharField(max_length=200)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    is_paused = models.BooleanField(default=False)
    failing_since = models.DateTimeField(null=True)
    """The first failure since the last success."""
    stopped_at = models.DateTimeField(null=True)
    """When it was switched off because it had failed for too long."""

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["club", "url"], name="webhook_url_once_a_club")]

    def __str__(self) -> str:
        return self.url

    @property
    def is_active(self) -> bool:
        """True if it is sent what happens."""
        return not self.is_paused and self.stopped_at is None

    @property
    def topic_labels(self) -> list[str]:
        """What it is told, in words."""
        return [str(self.Topic(topic).label) for topic in self.topics if topic in self.Topic.values]


class WebhookDelivery(models.Model):
    """A message to a webhook, sent again with the same `message_id` and `body` until it is accepted or given up."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("message", "waiting")
        DELIVERED = "delivered", pgettext_lazy("message", "delivered")
        FAILED = "failed", pgettext_lazy("message", "given up")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message_id = models.CharField(max_length=40, unique=True)
    kind = models.CharField(max_length=20)
    """The `type` in its body, such as `round.published`."""
    body = models.TextField()
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    """When it is sent or tried again. While a process sends it: when others may take it over."""
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    status_code = models.PositiveSmallIntegerField(null=True)
    """The status of the latest answer, if there was one."""
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "due_at"], name="webhook_deliveries_due")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "delivered", "failed"]), name="webhook_delivery_state_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.message_id}"
