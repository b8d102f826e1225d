"""Forms for direct debits."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.finance.direct_debit.debit_collections import first_bank_day_from
from clubs.models import DirectDebitMandate
from common.text.day_field import DayField
from common.text.ibans import SEPA_COUNTRIES, parse_iban

SUGGESTED_DAYS_AHEAD = 14
"""Members must be notified two weeks before, unless they have agreed to less."""


class DirectDebitMandateForm(forms.ModelForm):
    """A mandate with the data on the signed form."""

    iban = forms.CharField(label=gettext_lazy("account (IBAN)"), max_length=50)
    signed_on = DayField(label=gettext_lazy("signed on"), required=True)

    class Meta:
        model = DirectDebitMandate
        fields = ("reference", "holder", "iban", "signed_on")

    def clean_iban(self) -> str:
        iban = parse_iban(self.cleaned_data["iban"])
        if not iban:
            raise ValidationError(_("This isn't a valid IBAN. Check for a wrong or missing digit."))
        if iban[:2] not in SEPA_COUNTRIES:
            raise ValidationError(_("SEPA direct debits don't work with accounts in this country."))
        return iban

    def clean_signed_on(self) -> Any:
        if self.cleaned_data["signed_on"] > timezone.localdate():
            raise ValidationError(_("The date is in the future."))
        return self.cleaned_data["signed_on"]


class DebitCollectionForm(forms.Form):
    """The day of a collection. Each form has a unique key, so submitting it twice collects only once."""

    on = DayField(label=gettext_lazy("collection date"), required=True)
    form_key = forms.UUIDField(widget=forms.HiddenInput)


def suggested_collection_date() -> date:
    """Return the suggested day of a new collection, which is a bank day."""
    return first_bank_day_from(timezone.localdate() + timedelta(days=SUGGESTED_DAYS_AHEAD))


class CollectionArrivalForm(forms.Form):
    """The day on which the money arrived."""

    on = DayField(label=gettext_lazy("date received"), required=True)
