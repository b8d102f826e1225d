"""The club's accounts and accounting entries.

Every entry names a source and a target account, so the books always balance. The treasurer sees income or expense in a
category.
"""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, User
from clubs.models.custom_constraints import AppendOnlyConstraint
from clubs.models.dues import LedgerEntry
from common.models import SealedRow


class BookAccount(models.Model):
    """Cash, a bank account, an income or expense category, or the opening balances."""

    class Kind(models.TextChoices):
        CASH = "cash", _("cash")
        BANK = "bank", _("bank account")
        INCOME = "income", _("income")
        EXPENSE = "expense", _("expense")
        OPENING = "opening", _("opening balances")

    MONEY_KINDS = (Kind.CASH, Kind.BANK)
    CATEGORY_KINDS = (Kind.INCOME, Kind.EXPENSE)

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="book_accounts")
    kind = models.CharField(_("type"), max_length=7, choices=Kind)
    name = models.CharField(_("name"), max_length=60)
    number = models.CharField(
        _("number for the tax adviser"),
        max_length=8,
        blank=True,
        validators=[RegexValidator(r"^[0-9]{4,8}\Z", _("4 to 8 digits."))],
    )
    """The number in the tax adviser's chart of accounts."""
    iban = models.CharField(_("account number"), max_length=34, blank=True)
    begins_on = models.DateField(_("start date"), null=True, blank=True)
    """For cash and bank accounts: the day of the opening balance."""
    is_for_dues = models.BooleanField(default=False, editable=False)
    """The category of members' dues, filled automatically from the dues ledger."""
    is_for_guests = models.BooleanField(default=False, editable=False)
    """The category of guest fees, filled automatically from the dues ledger."""
    is_for_entry_fees = models.BooleanField(default=False, editable=False)
    """The category of entry fees, filled automatically from bank statements."""
    is_closed = models.BooleanField(_("no longer in use"), default=False)

    class Meta:
        ordering = ["kind", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "kind", "name"], name="book_account_name_once"),
            models.UniqueConstraint(fields=["club"], condition=Q(is_for_dues=True), name="book_account_for_dues_once"),
            models.UniqueConstraint(
                fields=["club"], condition=Q(is_for_guests=True), name="book_account_for_guests_once"
            ),
            models.UniqueConstraint(
                fields=["club"], condition=Q(is_for_entry_fees=True), name="book_account_for_entry_fees_once"
            ),
            models.UniqueConstraint(fields=["club"], condition=Q(kind="opening"), name="book_account_opening_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["cash", "bank", "income", "expense", "opening"]), name="book_account_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class BookEntry(SealedRow):
    """An amount moved from one account to another on a given day. Never changed or deleted.

    Entries are numbered without gaps per club and year. A mistake is reversed by an opposite entry with `corrects` and
    `reason`. Entries made by the dues ledger have a `ledger_entry`.
    """

    SEALED_IN = "club"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="book_entries")
    year = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    on = models.DateField(_("date"))
    source = models.ForeignKey(BookAccount, on_delete=models.PROTECT, related_name="entries_from")
    target = models.ForeignKey(BookAccount, on_delete=models.PROTECT, related_name="entries_to")
    amount = models.PositiveIntegerField(_("amount"))
    party = models.CharField(_("payer or payee"), max_length=140, blank=True)
    text = models.CharField(_("description"), max_length=160, blank=True)
    ledger_entry = models.OneToOneField(
        LedgerEntry, on_delete=models.PROTECT, null=True, blank=True, related_name="book_entry"
    )
    corrects = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="corrected_by"
    )
    reason = models.CharField(_("reason"), max_length=160, blank=True)
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    entered_at = models.DateTimeField(default=timezone.now, editable=False)
    form_key = models.UUIDField(null=True, unique=True, editable=False)

    class Meta:
        ordering = ["year", "number"]
        indexes = [models.Index(fields=["club", "seal_number"], name="book_entries_in_their_order")]
        verbose_name_plural = "book entries"
        constraints = [
            AppendOnlyConstraint(name="books_are_final"),
            models.UniqueConstraint(fields=["club", "year", "number"], name="book_entry_number_once"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="book_entry_of_something"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="book_entry_between_two"),
            models.CheckConstraint(
                condition=Q(corrects__isnull=True) | ~Q(reason=""), name="book_entry_taken_back_with_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.voucher_number

    @property
    def voucher_number(self) -> str:
        """The number as printed on the voucher: 2026/17."""
        return f"{self.year}/{self.number}"


class Voucher(models.Model):
    """The image or PDF that documents an entry."""

    entry = models.ForeignKey(BookEntry, on_delete=models.PROTECT, related_name="vouchers")
    filename = models.CharField(_("file"), max_length=160)
    kind = models.CharField(max_length=4)
    data = models.BinaryField()
    digest = models.CharField(max_length=64, editable=False)
    added_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "digest"], name="voucher_once_an_entry"),
            models.CheckConstraint(condition=Q(kind__in=["pdf", "png", "jpeg"]), name="voucher_kind_known"),
        ]

    def __str__(self) -> str:
        return self.filename


class AccountingYearStatusChange(SealedRow):
    """The closing of a year, or its reopening with a reason. The latest one counts.

    `figures` are the year's totals at that time.
    """

    SEALED_IN = "club"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="year_steps")
    year = models.PositiveSmallIntegerField()
    closes = models.BooleanField()
    reason = models.CharField(_("reason"), max_length=160, blank=True)
    figures = models.JSONField(default=dict)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            AppendOnlyConstraint(name="year_steps_are_final"),
            models.CheckConstraint(condition=Q(closes=True) | ~Q(reason=""), name="year_reopened_with_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.year} {'closed' if self.closes else 'opened'}"


class Budget(models.Model):
    """The expected income or expense of a category in a year."""

    account = models.ForeignKey(BookAccount, on_delete=models.CASCADE, related_name="budgets")
    year = models.PositiveSmallIntegerField()
    amount = models.PositiveIntegerField(_("amount"))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "year"], name="budget_once_a_year")]

    def __str__(self) -> str:
        return f"{self.account} {self.year}"
