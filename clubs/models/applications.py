"""Membership applications: what somebody submitted with the club's form, and the people who want to join."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models.clubs_and_members import Club, Member, User
from common.models import ConfirmedByEmailRow, EmailOutboxRow


class MembershipApplication(ConfirmedByEmailRow):
    """A membership application from one person or a family. The email address is the sender's.

    The address is confirmed before an officer can decide. An accepted application makes each person a member.
    """

    class State(models.TextChoices):
        UNCONFIRMED = "unconfirmed", _("email not confirmed")
        OPEN = "open", _("waiting for approval")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("not accepted")
        KNOWN = "known", _("already a member")
        WITHDRAWN = "withdrawn", pgettext_lazy("entry", "withdrawn")

    class DuesPayment(models.TextChoices):
        TRANSFER = "transfer", _("bank transfer")
        SIGNED = "signed", _("direct debit, signed here")
        PAPER = "paper", _("direct debit, signed on paper")

    class EmailKind(StrEnum):
        """The email that is due."""

        CONFIRM = "confirm"
        STATE = "state"
        """The decision, or that the application was withdrawn."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="applications")
    state = models.CharField(_("state"), max_length=11, choices=State, default=State.UNCONFIRMED)
    guardian_name = models.CharField(_("parent or guardian"), max_length=160, blank=True)
    """The name of a parent or guardian who isn't joining. Empty if the first adult applicant sent the form."""
    email = models.EmailField(_("email"))
    """In lower case."""
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    address = models.TextField(_("address"), max_length=300, blank=True)
    publishes_names = models.BooleanField(_("names and results can be shown in public"), default=False)
    shows_photos = models.BooleanField(_("photos can be shown in public"), default=False)
    dues_payment = models.CharField(
        _("payment of dues"), max_length=8, choices=DuesPayment, default=DuesPayment.TRANSFER
    )
    holder = models.CharField(_("account holder"), max_length=70, blank=True)
    iban = models.CharField(_("account (IBAN)"), max_length=34, blank=True)
    signature = models.CharField(_("signature"), max_length=160, blank=True)
    """The name that the account holder typed as a signature."""
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    decided_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.TextField(_("reason"), max_length=500, blank=True)
    """Why it was declined."""

    class Meta:
        ordering = ["confirmed_at", "pk"]
        verbose_name_plural = "membership applications"
        indexes = [
            models.Index(fields=["email_due_at"], condition=~Q(email_due=""), name="application_email_due"),
            models.Index(fields=["email", "sent_at"], name="application_by_email"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], condition=~Q(token_hash=""), name="application_token_once"),
            models.CheckConstraint(
                condition=Q(state__in=["unconfirmed", "open", "accepted", "refused", "known", "withdrawn"]),
                name="application_state_known",
            ),
            models.CheckConstraint(
                condition=~Q(dues_payment="signed") | (~Q(iban="") & ~Q(holder="") & ~Q(signature="")),
                name="application_mandate_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.email


class Applicant(models.Model):
    """A person who wants to join the club."""

    application = models.ForeignKey(MembershipApplication, on_delete=models.CASCADE, related_name="people")
    family_name = models.CharField(_("family name"), max_length=80)
    given_name = models.CharField(_("given name"), max_length=80)
    birth_date = models.DateField(_("birth date"))
    member = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="applications")
    """The member that the person became."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name as it appears in the member list: family name, given name."""
        return f"{self.family_name}, {self.given_name}"

    @property
    def spoken_name(self) -> str:
        """The name as people say it: given name, family name."""
        return f"{self.given_name} {self.family_name}"


class ApplicationNotice(EmailOutboxRow):
    """An email that tells an officer about a confirmed application."""

    application = models.ForeignKey(MembershipApplication, on_delete=models.CASCADE, related_name="notices")
    email = models.EmailField(_("email"))

    class Meta:
        indexes = [
            models.Index(fields=["email_due_at"], condition=~Q(email_due=""), name="application_notice_due"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["application", "email"], name="application_notice_once"),
        ]

    def __str__(self) -> str:
        return self.email
