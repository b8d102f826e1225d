"""Dues seasons, fees, accounts and an append-only ledger. Amounts are in cents."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, Member, User
from clubs.models.custom_constraints import AppendOnlyConstraint
from common.models import SealedRow
from common.text.payment_references import payment_reference

INSTALMENT_CHOICES = (1, 2, 3, 4, 6, 12)
"""Numbers of instalments for a season's dues: the divisors of 12 months."""


class ProRataMethod(models.TextChoices):
    """The method for calculating the dues of members who join or leave during a season."""

    WHOLE = "", _("full amount")
    HALF = "half", _("each half season or part of one")
    MONTH = "month", _("each month or part of one")


class DuesSeason(models.Model):
    """A period for which dues are charged."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(_("name"), max_length=40)
    starts_on = models.DateField(_("start date"))
    ends_on = models.DateField(_("end date"))
    due_on = models.DateField(_("due date"))
    ages_on = models.DateField(_("ages as of"), null=True, blank=True)
    """Empty for the season's first day."""
    part_counts_by = models.CharField(
        _("joining or leaving mid-season"), max_length=6, choices=ProRataMethod, blank=True
    )
    instalments = models.PositiveSmallIntegerField(
        _("instalments"), default=1, choices=[(n, str(n)) for n in INSTALMENT_CHOICES]
    )

    class Meta:
        ordering = ["-starts_on", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="season_name_once_a_club"),
            models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="season_ends_after_it_begins"),
            models.CheckConstraint(condition=Q(instalments__in=INSTALMENT_CHOICES), name="season_instalments_known"),
        ]

    def __str__(self) -> str:
        return self.name


class FeeClass(models.Model):
    """A fee for a class of members. The first matching class of a season applies. 0 charges nothing.

    A class with `from_age` or `to_age`, such as juniors, does not match members of unknown birth year. A family rate
    has two classes. The one for the first member has the family's total or their own fee, the other applies to further
    members.
    """

    class FamilyPosition(models.TextChoices):
        ANY = "", _("everyone")
        FIRST = "first", _("first in a household")
        FURTHER = "next", _("others in a household")

    season = models.ForeignKey(DuesSeason, on_delete=models.CASCADE, related_name="fee_classes")
    place = models.PositiveSmallIntegerField(_("order"), default=1)
    name = models.CharField(_("name"), max_length=60)
    amount = models.PositiveIntegerField(_("amount"))
    status = models.CharField(_("status"), max_length=9, choices=Member.Status, blank=True)
    from_age = models.PositiveSmallIntegerField(_("from age"), null=True, blank=True)
    to_age = models.PositiveSmallIntegerField(_("to age"), null=True, blank=True)
    family = models.CharField(_("household"), max_length=5, choices=FamilyPosition, blank=True)

    class Meta:
        ordering = ["place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "name"], name="fee_class_name_once_a_season"),
            models.CheckConstraint(
                condition=Q(from_age__isnull=True) | Q(to_age__isnull=True) | Q(to_age__gte=F("from_age")),
                name="fee_class_ages_in_order",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class DuesAccount(models.Model):
    """A member's dues account. After a merge of duplicates, a member can have two."""

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="accounts")

    def __str__(self) -> str:
        return self.payment_reference

    @property
    def payment_reference(self) -> str:
        """The reference to put on a transfer, which identifies the account."""
        return payment_reference(self.pk)


class LedgerEntry(SealedRow):
    """A line in the club's ledger: a charge, waiver, payment or refund, or its reversal.

    Never changed or deleted. A mistake is corrected by a counter-entry of the same kind with a negative amount,
    `corrects` and `reason`. Payments and refunds have receipt numbers, without gaps per club and year.
    """

    SEALED_IN = "club"

    class Kind(models.TextChoices):
        DUE = "due", _("charge")
        PAYMENT = "payment", _("payment")
        REFUND = "refund", _("refund")
        WAIVER = "waiver", _("waiver")

    class Method(models.TextChoices):
        CASH = "cash", _("cash")
        TRANSFER = "transfer", _("bank transfer")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="ledger")
    account = models.ForeignKey(DuesAccount, on_delete=models.PROTECT, related_name="ledger")
    kind = models.CharField(_("type"), max_length=7, choices=Kind)
    amount = models.IntegerField(_("amount"))
    season = models.ForeignKey(DuesSeason, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    on_behalf_of = models.ForeignKey(
        DuesAccount, on_delete=models.PROTECT, null=True, blank=True, related_name="charged_to_others"
    )
    """The account of the person charged, if a family member pays. Accounts move along when members are merged."""
    booked_on = models.DateField(_("date"))
    due_on = models.DateField(_("due date"), null=True, blank=True)
    text = models.CharField(_("text"), max_length=160, blank=True)
    method = models.CharField(_("method"), max_length=8, choices=Method, blank=True)
    reference = models.CharField(_("reference"), max_length=140, blank=True)
    guest_night_on = models.DateField(null=True, blank=True)
    """The guest evening that was charged or paid. It is not part of dues and has its own accounting category."""
    receipt_year = models.PositiveSmallIntegerField(null=True, blank=True)
    receipt_number = models.PositiveIntegerField(null=True, blank=True)
    corrects = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="corrected_by"
    )
    reason = models.CharField(_("reason"), max_length=160, blank=True)
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    entered_at = models.DateTimeField(default=timezone.now, editable=False)
    form_key = models.UUIDField(null=True, unique=True, editable=False)
    """The ID of the submitted form, so that submitting it twice writes one entry."""

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["club", "seal_number"], name="ledger_in_its_order")]
        verbose_name_plural = "ledger"
        constraints = [
            AppendOnlyConstraint(name="ledger_is_final"),
            models.UniqueConstraint(fields=["club", "receipt_year", "receipt_number"], name="receipt_number_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["due", "payment", "refund", "waiver"]), name="ledger_kind_known"
            ),
            models.CheckConstraint(
                condition=(Q(corrects__isnull=True, amount__gt=0, reason="") & ~Q(kind="waiver"))
                | (Q(corrects__isnull=True, amount__gt=0, kind="waiver") & ~Q(reason=""))
                | (Q(corrects__isnull=False, amount__lt=0) & ~Q(reason="")),
                name="ledger_taken_back_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["due", "waiver"], method="", receipt_year__isnull=True, receipt_number__isnull=True
                )
                | Q(
                    kind__in=["payment", "refund"],
                    method__in=["cash", "transfer"],
                    receipt_year__isnull=False,
                    # Comparing NULL gives NULL, which a check constraint accepts, so it is excluded explicitly.
                    receipt_number__isnull=False,
                    receipt_number__gte=1,
                ),
                name="ledger_payments_have_receipts",
            ),
        ]

    def __str__(self) -> str:
        return self.printed_receipt_number or f"{self.kind} {self.pk}"

    @property
    def visible_reference(self) -> str:
        """The reference. Empty for an erased person, because it may name them."""
        return "" if self.account.member.erased_at else self.reference

    @property
    def visible_text(self) -> str:
        """The text. For an erased person, only the text of a season's dues, because it contains no names."""
        return "" if self.account.member.erased_at and not self.season_id else self.text

    @property
    def visible_reason(self) -> str:
        """The reason for a reversal or waiver. For an erased person, a dash if there was one."""
        return "–" if self.account.member.erased_at and self.reason else self.reason

    @property
    def printed_receipt_number(self) -> str:
        """The receipt number as printed: 2026/17. Empty for a charge."""
        return f"{self.receipt_year}/{self.receipt_number}" if self.receipt_number else ""


class Reminder(models.Model):
    """A reminder to pay, and whether it was sent."""

    class State(models.TextChoices):
        SENDING = "sending", _("sending")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="reminders")
    on = models.DateField(_("date"))
    level = models.PositiveSmallIntegerField(_("level"), default=1)
    amount = models.PositiveIntegerField(_("amount"))
    sent_to = models.EmailField(_("to"))
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.SENDING)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-on", "-pk"]
        constraints = [models.UniqueConstraint(fields=["member", "on"], name="reminder_once_a_day")]

    def __str__(self) -> str:
        return f"{self.on} {self.sent_to}"


class ReminderTemplate(models.Model):
    """A club's own text for reminders at one level. The default is in `clubs.finance.dues.reminder_texts`."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="reminder_texts")
    level = models.PositiveSmallIntegerField(_("level"))
    subject = models.CharField(_("subject"), max_length=120)
    text = models.TextField(_("text"), max_length=3000)

    class Meta:
        ordering = ["level"]
        constraints = [models.UniqueConstraint(fields=["club", "level"], name="reminder_words_once_a_level")]

    def __str__(self) -> str:
        return self.subject


class GuestNight(models.Model):
    """An evening that a guest attended."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="guest_nights")
    on = models.DateField(_("date"))

    class Meta:
        ordering = ["-on"]
        constraints = [models.UniqueConstraint(fields=["member", "on"], name="guest_night_once")]

    def __str__(self) -> str:
        return f"{self.on} {self.member}"
