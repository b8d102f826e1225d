"""Bank statement lines, expected payments, bank balances, and the column layouts of banks' CSV files."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models.accounting import BookEntry
from clubs.models.clubs_and_members import Club, User
from clubs.models.dues import LedgerEntry
from common.text.payment_references import payment_reference


class ExpectedPaymentQuerySet(models.QuerySet["ExpectedPayment"]):
    """Queries for expected payments."""

    def paid(self) -> ExpectedPaymentQuerySet:
        """Return the payments that were marked as paid, or came in completely by bank statement."""
        booked = Q(bank_lines__booking__isnull=False, bank_lines__booking__corrected_by=None)
        received = self.annotate(received=Coalesce(Sum("bank_lines__amount", filter=booked), 0))
        return received.filter(Q(marked_paid_on__isnull=False) | Q(received__gte=F("amount")))


class ExpectedPayment(models.Model):
    """A payment that the club expects by bank transfer and that isn't a member's dues, such as an entry fee.

    Statement lines with its reference are matched with it. The name of the payer is erased with the person.
    """

    FIRST_NUMBER = 900_000_000
    """References of dues accounts have smaller numbers."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="expected_payments")
    amount = models.PositiveIntegerField(_("amount"))
    purpose = models.CharField(_("purpose"), max_length=140)
    payer = models.CharField(_("payer"), max_length=160, blank=True)
    marked_paid_on = models.DateField(_("paid on"), null=True, blank=True)
    """The day on which an officer marked it as paid, for example in cash."""

    objects = ExpectedPaymentQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="expected_payment_of_something")]

    def __str__(self) -> str:
        return f"{self.purpose}: {self.payer}" if self.payer else self.purpose

    @property
    def payment_reference(self) -> str:
        """The reference to put on the transfer."""
        return payment_reference(self.FIRST_NUMBER + self.pk)


class BankStatementLineQuerySet(models.QuerySet["BankStatementLine"]):
    """Queries for bank statement lines."""

    def needing_review(self) -> BankStatementLineQuerySet:
        """Return lines that are not booked, or whose booking was reversed. Split lines are replaced by their parts."""
        return self.filter(
            # A payment returned by the bank has a line of its own.
            Q(entry=None) | Q(entry__corrected_by__isnull=False, entry__corrected_by__bank_line=None),
            Q(booking=None) | Q(booking__corrected_by__isnull=False),
            ignored_because="",
            parts=None,
        )


class BankStatementLine(models.Model):
    """A line in a bank statement. Outgoing payments have negative amounts.

    `identity` is derived from the bank's data (`clubs.finance.bank.statements`), and `place` counts equal lines of one
    statement. Importing a statement again adds nothing, even at the same time. A split line is booked through its
    `parts`, which add up to its amount.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="bank_lines")
    own_account = models.CharField(_("account"), max_length=34, blank=True)
    booked_on = models.DateField(_("date"))
    amount = models.IntegerField(_("amount"))
    party = models.CharField(_("name"), max_length=140, blank=True)
    party_account = models.CharField(_("other party's account"), max_length=34, blank=True)
    text = models.CharField(_("description"), max_length=500, blank=True)
    bank_reference = models.CharField(_("bank reference"), max_length=140, blank=True)
    identity = models.CharField(max_length=64, editable=False)
    place = models.PositiveSmallIntegerField(default=1, editable=False)
    entry = models.OneToOneField(LedgerEntry, on_delete=models.PROTECT, null=True, blank=True, related_name="bank_line")
    booking = models.OneToOneField(BookEntry, on_delete=models.PROTECT, null=True, blank=True, related_name="bank_line")
    expected_payment = models.ForeignKey(
        ExpectedPayment, on_delete=models.SET_NULL, null=True, blank=True, related_name="bank_lines"
    )
    """The expected payment that `booking` is for."""
    part_of = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="parts")
    ignored_because = models.CharField(_("reason for ignoring"), max_length=160, blank=True)
    kept_at = models.DateTimeField(default=timezone.now, editable=False)
    """When its file was imported. All lines of a file have the same time, and so are different payments."""
    kept_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = BankStatementLineQuerySet.as_manager()

    class Meta:
        ordering = ["booked_on", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "identity", "place"], name="bank_line_once"),
            models.CheckConstraint(condition=~Q(amount=0), name="bank_line_of_something"),
        ]

    def __str__(self) -> str:
        return f"{self.booked_on} {self.amount} {self.party}"


class BankCsvLayout(models.Model):
    """The meaning of the columns of a bank's CSV file, recognised by its headings.

    `columns` gives positions from 0 for `day`, `amount` or `credit` and `debit`, `currency`, `party`, `payee`,
    `party_account`, `text`, `symbol`, `reference` and `fee`.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="bank_tables")
    headings = models.CharField(max_length=1000)
    columns = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "headings"], name="bank_table_once_a_club")]

    def __str__(self) -> str:
        return self.headings


class BankBalance(models.Model):
    """The balance of a bank account at the end of a day, from a statement or entered by hand."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="bank_balances")
    own_account = models.CharField(max_length=34)
    on = models.DateField(_("date"))
    amount = models.IntegerField(_("amount"))

    class Meta:
        ordering = ["-on", "-pk"]
        constraints = [models.UniqueConstraint(fields=["club", "own_account", "on"], name="bank_balance_once_a_day")]

    def __str__(self) -> str:
        return f"{self.own_account} {self.on}: {self.amount}"
