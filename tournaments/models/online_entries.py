"""Online entries: the entry form of an event, its fees, and what people submitted with it."""

from __future__ import annotations

from enum import StrEnum

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import ExpectedPayment, FideTitle, Member
from common.models import ConfirmedByEmailRow
from tournaments.models.events import Entry, Tournament

MAX_QUESTIONS = 3
MAX_ANSWER_LENGTH = 200


class OnlineEntrySettings(models.Model):
    """The settings of an event's entry form. Without a row, the event has no form.

    Amounts of money are in cents. An empty limit doesn't apply.
    """

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="entry_form")
    is_open = models.BooleanField(_("players can enter online"), default=False)
    closes_at = models.DateTimeField(_("closing time"), null=True, blank=True)
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True, validators=[MinValueValidator(1)])
    rating_from = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    rating_to = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    born_from = models.PositiveSmallIntegerField(_("born in or after"), null=True, blank=True)
    born_to = models.PositiveSmallIntegerField(_("born in or before"), null=True, blank=True)
    needs_approval = models.BooleanField(_("the secretary approves each entry"), default=False)
    asks_id = models.BooleanField(_("ask for a FIDE or national ID"), default=True)
    asks_club = models.BooleanField(_("ask for the club"), default=False)
    guardian_under = models.PositiveSmallIntegerField(
        _("guardian needed under age"), default=16, validators=[MaxValueValidator(21)]
    )
    """0 means that no guardian is needed. The age is the one reached in the year of the event."""
    questions = models.JSONField(default=list, blank=True)
    """Up to `MAX_QUESTIONS` questions of the club, as texts."""
    early_until = models.DateField(_("early fee until"), null=True, blank=True)
    payment_url = models.URLField(_("link to pay elsewhere"), blank=True)
    is_waiting_list_paused = models.BooleanField(default=False)
    """True after an import: no place is offered until the secretary saves the settings."""

    class Meta:
        verbose_name_plural = "online entry settings"
        constraints = [
            models.CheckConstraint(
                condition=Q(rating_from__isnull=True) | Q(rating_to__isnull=True) | Q(rating_to__gte=F("rating_from")),
                name="entry_form_ratings_in_order",
            ),
            models.CheckConstraint(
                condition=Q(born_from__isnull=True) | Q(born_to__isnull=True) | Q(born_to__gte=F("born_from")),
                name="entry_form_years_in_order",
            ),
        ]

    def __str__(self) -> str:
        return str(self.tournament)


class EntryFee(models.Model):
    """An entry fee in cents. The first fee of the event that matches a player applies."""

    settings = models.ForeignKey(OnlineEntrySettings, on_delete=models.CASCADE, related_name="fees")
    place = models.PositiveSmallIntegerField(_("order"), default=1)
    name = models.CharField(_("name"), max_length=60)
    amount = models.PositiveIntegerField(_("amount"))
    early_amount = models.PositiveIntegerField(_("early amount"), null=True, blank=True)
    from_age = models.PositiveSmallIntegerField(_("from age"), null=True, blank=True)
    to_age = models.PositiveSmallIntegerField(_("to age"), null=True, blank=True)
    for_members = models.BooleanField(_("club members only"), default=False)

    class Meta:
        ordering = ["place", "pk"]

    def __str__(self) -> str:
        return self.name


class OnlineEntry(ConfirmedByEmailRow):
    """What a person submitted with an event's entry form, and its status.

    The address is confirmed before anything else happens. An accepted player has an `entry`.
    """

    class State(models.TextChoices):
        UNCONFIRMED = "unconfirmed", _("email not confirmed")
        APPROVAL = "approval", _("waiting for approval")
        WAITING = "waiting", _("on the waiting list")
        OFFERED = "offered", _("place offered")
        ENTERED = "entered", _("entered")
        REFUSED = "refused", _("not accepted")
        WITHDRAWN = "withdrawn", pgettext_lazy("entry", "withdrawn")
        LAPSED = "lapsed", _("offer not taken")

    class EmailKind(StrEnum):
        """The email that is due."""

        CONFIRM = "confirm"
        STATE = "state"
        """A message about the entry's status."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="online_entries")
    state = models.CharField(_("state"), max_length=11, choices=State, default=State.UNCONFIRMED)
    entry = models.OneToOneField(
        Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="online_entry", editable=False
    )
    member = models.ForeignKey(
        Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="online_entries", editable=False
    )
    """The member of the club who is probably the same person."""
    is_member_certain = models.BooleanField(default=False, editable=False)
    """True if it is the member, according to their device, their address in the member list, or the secretary."""
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    """Why it was declined."""
    queue_number = models.IntegerField(null=True, blank=True, editable=False)
    """The order of the waiting list: smaller numbers first. Given when the address is confirmed."""
    name = models.CharField(_("name"), max_length=160)
    email = models.EmailField(_("email"), blank=True)
    """In lower case. Empty if the entry came with an event from another server."""
    birth_year = models.PositiveSmallIntegerField(_("birth year"), null=True, blank=True)
    fide_id = models.CharField(_("FIDE ID"), max_length=11, blank=True)
    national_id = models.CharField(_("national ID"), max_length=20, blank=True)
    title = models.CharField(_("title"), max_length=3, choices=FideTitle, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Member.Sex, blank=True)
    rating = models.PositiveSmallIntegerField(_("rating"), default=0)
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    club_name = models.CharField(_("club"), max_length=120, blank=True)
    shows_name = models.BooleanField(_("show my name on public lists"), default=False)
    guardian_name = models.CharField(_("guardian"), max_length=160, blank=True)
    guardian_email = models.EmailField(_("guardian's email"), blank=True)
    answers = models.JSONField(default=list, blank=True)
    """The questions and answers, as pairs of texts."""
    fee = models.PositiveIntegerField(_("entry fee"), default=0)
    """In cents, fixed when the address is confirmed."""
    payment = models.OneToOneField(
        ExpectedPayment, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="online_entry"
    )
    offer_ends_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["queue_number", "pk"]
        verbose_name_plural = "online entries"
        indexes = [
            models.Index(fields=["email_due_at"], condition=~Q(email_due=""), name="online_entry_email_due"),
            models.Index(fields=["email", "sent_at"], name="online_entry_by_email"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], condition=~Q(token_hash=""), name="online_entry_token_once"),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "unconfirmed",
                        "approval",
                        "waiting",
                        "offered",
                        "entered",
                        "refused",
                        "withdrawn",
                        "lapsed",
                    ]
                ),
                name="online_entry_state_known",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="online_entry_has_a_name"),
            models.CheckConstraint(condition=Q(rating__lte=3500), name="online_entry_rating_in_range"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def contact_email(self) -> str:
        """The address that emails go to: the guardian's for a minor."""
        return self.guardian_email or self.email

    def is_from(self, member: Member) -> bool:
        """Return True if the entry is certainly the member's, as anybody can enter their name."""
        if self.is_member_certain and self.member_id == member.pk:
            return True
        own = (member.email, member.guardian_email_on(timezone.localdate()))
        return bool(self.contact_email) and self.contact_email in (address.lower() for address in own)

    @property
    def public_name(self) -> str:
        """The name on public lists. It is in initials if the person didn't agree to it, or the member refused."""
        # Only if it is certainly the member. Strangers must not learn who is one.
        member = self.member if self.is_member_certain else None
        has_refused = member is not None and member.publication_consent == Member.Consent.REFUSED
        if self.shows_name and not has_refused:
            return self.name
        return ", ".join(f"{part.strip()[0]}." for part in self.name.split(",") if part.strip())
