"""Direct debits: members' mandates and the collections made with them."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, Member, User
from clubs.models.dues import LedgerEntry


class DirectDebitMandate(models.Model):
    """A member's SEPA core mandate. Each member has at most one active mandate. Ended ones are kept."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="mandates")
    reference = models.CharField(
        _("mandate reference"),
        max_length=35,
        validators=[RegexValidator(r"^[A-Za-z0-9+?/:().,'-]+\Z", _("Letters, digits and + ? / : ( ) . , ' - only."))],
    )
    holder = models.CharField(_("account holder"), max_length=70)
    iban = models.CharField(_("account (IBAN)"), max_length=34)
    signed_on = models.DateField(_("signed on"))
    ended_on = models.DateField(_("ended on"), null=True, blank=True)

    class Meta:
        ordering = ["-signed_on", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["member"], condition=Q(ended_on=None), name="one_mandate_holds"),
            models.CheckConstraint(
                condition=Q(ended_on=None) | Q(ended_on__gte=F("signed_on")), name="mandate_ends_after_it_was_signed"
            ),
        ]

    def __str__(self) -> str:
        return self.reference


class DirectDebitCollection(models.Model):
    """A file of direct debits for the bank. Received payments are booked manually, one by one or all together."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="collections")
    collected_on = models.DateField(_("collection date"))
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    form_key = models.UUIDField(unique=True, editable=False)
    """The ID of the submitted form, so that submitting it twice collects once."""
    taken_back_at = models.DateTimeField(null=True, blank=True)
    """Set if the file was withdrawn before it was sent to the bank."""

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.collected_on} ({self.pk})"


class DirectDebitLine(models.Model):
    """The amount collected from a member, with a copy of the mandate, and the payment once booked."""

    collection = models.ForeignKey(DirectDebitCollection, on_delete=models.PROTECT, related_name="lines")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="direct_debit_lines")
    mandate_reference = models.CharField(max_length=35)
    signed_on = models.DateField()
    holder = models.CharField(max_length=70)
    iban = models.CharField(max_length=34)
    amount = models.PositiveIntegerField(_("amount"))
    entry = models.OneToOneField(
        LedgerEntry, on_delete=models.PROTECT, null=True, blank=True, related_name="collected_by"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="collected_something"),
        ]

    def __str__(self) -> str:
        return f"{self.mandate_reference} {self.amount}"
