"""Notification channels (devices and addresses), and notifications to players."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from tournaments.models.events import Entry
from tournaments.models.rounds import Round


class NotificationChannel(models.Model):
    """A channel for notifications: email, or push messages to a device.

    It belongs to a member, or to a guest of one event. A member's emails go to the member's address (`email` is empty),
    a guest's to the one they entered, once confirmed. `version` is that of the personal link with which a device or a
    guest's address was added: a new link ends the channel. `site` is the server's address at that time.
    """

    keep_one_when_merging = True
    """When two members are merged and both have the same channel, one is kept."""

    class ChannelKind(models.TextChoices):
        MAIL = "mail", _("email")
        PUSH = "push", _("notification")

    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="message_ways")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="message_ways")
    kind = models.CharField(max_length=4, choices=ChannelKind)
    email = models.EmailField(_("email"), blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    endpoint = models.TextField(blank=True)
    endpoint_mark = models.CharField(max_length=64, blank=True)
    """Hash of the endpoint, to recognise a device."""
    p256dh = models.CharField(max_length=120, blank=True)
    auth = models.CharField(max_length=40, blank=True)
    version = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=10, blank=True)
    site = models.CharField(max_length=200)
    pairings = models.BooleanField(_("my pairing is published or changed"), default=False)
    results = models.BooleanField(_("my result is disputed or changed"), default=False)
    evenings = models.BooleanField(_("a reminder before the evening"), default=False)
    links = models.BooleanField(_("my personal link, when the club sends it out"), default=True)
    made_at = models.DateTimeField(auto_now_add=True)
    last_told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = _("notification channels")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(member__isnull=False, entry__isnull=True) | Q(member__isnull=True, entry__isnull=False),
                name="message_way_of_one",
            ),
            models.CheckConstraint(
                condition=Q(kind="mail", endpoint="") | (Q(kind="push", email="") & ~Q(endpoint_mark="")),
                name="message_way_whole",
            ),
            models.UniqueConstraint(fields=["member", "endpoint_mark"], name="message_way_once_a_member"),
            models.UniqueConstraint(fields=["entry", "endpoint_mark"], name="message_way_once_a_guest"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Notification(models.Model):
    """A notification sent through one channel, once. `about` names its subject (`line 12`: a log entry).

    `facts` are the data for the text; `claim` names the worker that is sending it. `letter` is the same for all that
    were sent together. HANDED means that the mail server got it but its answer was lost; it isn't sent again.
    """

    class Kind(models.TextChoices):
        PAIRING = "pairing", _("pairing")
        RESULT = "result", _("result")
        EVENING = "evening", _("evening reminder")
        LINK = "link", _("personal link")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        CLAIMED = "claimed", _("sending")
        HANDED = "handed", _("sent, not confirmed")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not delivered")
        DROPPED = "dropped", _("out of date")

    channel = models.ForeignKey(NotificationChannel, on_delete=models.CASCADE, related_name="messages")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="messages")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, null=True, blank=True, related_name="messages")
    kind = models.CharField(max_length=7, choices=Kind)
    about = models.CharField(max_length=60)
    facts = models.JSONField(default=dict, blank=True)
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.WAITING)
    claim = models.CharField(max_length=32, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    give_up_at = models.DateTimeField()
    error = models.CharField(max_length=200, blank=True)
    letter = models.CharField(max_length=32, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state__in=["waiting", "claimed"]), name="message_to_be_sent")
        ]
        constraints = [
            models.UniqueConstraint(fields=["channel", "entry", "about"], name="message_once_a_way"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "claimed", "handed", "sent", "failed", "dropped"]),
                name="message_state_known",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["pairing", "result", "evening", "link"]), name="message_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.about} ({self.state})"
