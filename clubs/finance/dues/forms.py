"""Forms for dues."""

from __future__ import annotations

import re
import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.finance.accounting.entries import default_reversal_date
from clubs.finance.dues.fee_calculation import split_into_instalments
from clubs.finance.dues.ledger import check_currency_change
from clubs.finance.dues.reminder_texts import REMINDER_PLACEHOLDERS
from clubs.models import BankStatementLine, Club, DuesSeason, FeeClass, LedgerEntry, Member
from common.text.amounts import explain_invalid_amount, format_amount_for_input, parse_amount, set_form_currency
from common.text.confirmation_form import ConfirmationForm
from common.text.day_field import DayField
from common.text.ibans import is_creditor_id, normalise_account_number, parse_iban
from common.text.placeholders import unknown_placeholders


class AmountField(forms.CharField):
    """An amount of money. The cleaned value is in cents. `set_form_currency` sets its currency."""

    currency = ""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", gettext_lazy("amount"))
        widget = forms.TextInput(attrs={"inputmode": "decimal", "size": 8, "autocomplete": "off"})
        self.may_be_nothing = kwargs.pop("may_be_nothing", False)
        super().__init__(widget=widget, max_length=20, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return format_amount_for_input(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text and not self.required:
            return None
        try:
            cents = parse_amount(text, self.currency)
        except ValueError as wrong:
            raise ValidationError(explain_invalid_amount(text, self.currency)) from wrong
        if not cents and not self.may_be_nothing:
            raise ValidationError(_("The amount can't be 0."))
        return cents


class _OnceForm(forms.Form):
    """A form with a unique key, so that submitting it twice has only one effect."""

    form_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("form_key", uuid.uuid4())


class MemberRefundForm(ConfirmationForm, _OnceForm):
    """A refund."""

    amount = AmountField()
    method = forms.ChoiceField(
        label=gettext_lazy("payment method"),
        choices=LedgerEntry.Method.choices,
        initial="cash",
        widget=forms.RadioSelect,
    )
    paid_on = DayField(label=gettext_lazy("date"), required=True)
    reference = forms.CharField(label=gettext_lazy("reference or note"), required=False, max_length=140)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("paid_on", timezone.localdate())


class MemberPaymentForm(MemberRefundForm):
    """A payment received."""


class MemberWaiverForm(_OnceForm):
    """A waiver. Without a date, it is dated today."""

    amount = AmountField()
    on = DayField(label=gettext_lazy("date"), required=False)
    reason = forms.CharField(
        label=gettext_lazy("reason"),
        max_length=160,
        help_text=gettext_lazy("This is kept permanently."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("on", timezone.localdate())


class MemberChargeForm(_OnceForm):
    """A charge other than the season's dues."""

    text = forms.CharField(label=gettext_lazy("description"), max_length=160)
    amount = AmountField()
    due_on = DayField(label=gettext_lazy("due date"), required=True)


class LedgerEntryReversalForm(forms.Form):
    """The reversal of a ledger entry: the reason, the payment's date, and an option to ignore its bank line."""

    reason = forms.CharField(
        label=gettext_lazy("reason"),
        max_length=160,
        help_text=gettext_lazy("This is kept permanently."),
    )
    on = DayField(label=gettext_lazy("date"))
    aside = forms.BooleanField(label=gettext_lazy("also ignore the bank transaction"), required=False)

    def __init__(self, *args: Any, line: LedgerEntry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if line.method:
            self.initial["on"] = default_reversal_date(line.club, line.booked_on)
        else:
            del self.fields["on"]
        if not BankStatementLine.objects.filter(entry=line).exists():
            del self.fields["aside"]


class ReminderTextForm(forms.Form):
    """A club's reminder text for one level. Leaving both fields empty restores the default."""

    subject = forms.CharField(label=gettext_lazy("subject"), required=False, max_length=120)
    text = forms.CharField(
        label=gettext_lazy("text"), required=False, max_length=3000, widget=forms.Textarea(attrs={"rows": 9})
    )

    def clean_subject(self) -> str:
        return self._with_known_places("subject")

    def clean_text(self) -> str:
        return self._with_known_places("text")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for one, other in (("subject", "text"), ("text", "subject")):
            if values.get(one) and one in values and values.get(other) == "":
                self.add_error(other, _("Fill in both fields, or leave both empty."))
        return values

    def _with_known_places(self, name: str) -> str:
        text: str = self.cleaned_data[name].strip()
        if unknown := unknown_placeholders(text, REMINDER_PLACEHOLDERS):
            said = ngettext("Unknown placeholder: %(what)s.", "Unknown placeholders: %(what)s.", len(unknown))
            raise ValidationError(said, params={"what": ", ".join(unknown)})
        return text


class DuesSettingsForm(forms.ModelForm):
    """The club's currency, bank account, creditor ID, reply address and guest settings."""

    guest_night_fee = AmountField(
        label=gettext_lazy("guest fee"),
        required=False,
        may_be_nothing=True,
        help_text=gettext_lazy("Recorded on the guests page for each guest night. Leave empty for no fee."),
    )

    class Meta:
        model = Club
        fields = ("currency", "bank_account", "creditor_id", "email", "guest_nights_allowed", "guest_night_fee")
        widgets = {
            "currency": forms.TextInput(attrs={"size": 4, "maxlength": 3, "autocapitalize": "characters"}),
            "bank_account": forms.TextInput(attrs={"placeholder": "DE89 3704 0044 0532 0130 00"}),
        }
        error_messages = {"currency": {"invalid": gettext_lazy("Enter 3 capital letters, such as EUR.")}}

    def clean_bank_account(self) -> str:
        """Check the account number.

        An IBAN must have valid check digits. Other account numbers may have digits and separators.
        """
        written: str = self.cleaned_data["bank_account"].strip()
        number = normalise_account_number(written)
        looks_like_iban = re.match(r"[A-Z]{2}\d\d", number) or re.fullmatch(r"\d{26}", number)
        if written and not parse_iban(written) and (looks_like_iban or not re.fullmatch(r"[\d\s/.\-]{5,}", written)):
            raise ValidationError(_("This isn't a valid IBAN. Check for a wrong or missing digit."))
        return written

    def clean_guest_night_fee(self) -> int:
        return self.cleaned_data["guest_night_fee"] or 0

    def clean_creditor_id(self) -> str:
        written = normalise_account_number(self.cleaned_data["creditor_id"])
        if written and not is_creditor_id(written):
            raise ValidationError(_("This isn't a valid creditor identifier. Check it against the bank's letter."))
        return written

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"]
        check_currency_change(self.instance, currency)
        return currency


class DuesSeasonForm(ConfirmationForm, forms.ModelForm):
    """A dues season."""

    starts_on = DayField(label=gettext_lazy("start date"), required=True)
    ends_on = DayField(label=gettext_lazy("end date"), required=True)
    due_on = DayField(label=gettext_lazy("due date"), required=True)
    ages_on = DayField(
        label=gettext_lazy("ages as of"), help_text=gettext_lazy("Leave empty to use the first day of the season.")
    )

    class Meta:
        model = DuesSeason
        fields = ("name", "starts_on", "ends_on", "due_on", "ages_on", "part_counts_by", "instalments")
        help_texts = {
            "instalments": gettext_lazy("Evenly spaced, starting on the date above."),
            "part_counts_by": gettext_lazy("Uses the joining and leaving dates in the member list."),
        }

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.club = club
        self.fields["instalments"].required = False  # defaults to one
        self.fields["is_sure"].label = gettext_lazy("This is correct. Save it.")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if self.instance.club.seasons.filter(name=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("A season with this name already exists."))
        return name

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        begins, ends = values.get("starts_on"), values.get("ends_on")
        if begins and ends and ends < begins:
            self.add_error("ends_on", _("The season must end after it starts."))
        elif not self.errors and not values.get("is_sure"):
            self._ask_about_late_dues()
        return values

    def _ask_about_late_dues(self) -> None:
        """Ask for confirmation if dues fall due after the season, which is probably a mistyped year."""
        values = self.cleaned_data
        season = DuesSeason(starts_on=values["starts_on"], ends_on=values["ends_on"], due_on=values["due_on"])
        season.instalments = values.get("instalments") or 1
        last = max(
            part.due_on for part in split_into_instalments(season.instalments, season, charged_on=season.starts_on)
        )
        if last > season.ends_on:
            said = {"day": date_format(last, "SHORT_DATE_FORMAT")}
            self.ask_for_confirmation(
                _("The last payment would be due on %(day)s, after the season ends. Is the date right?") % said
            )


class FeeClassForm(forms.ModelForm):
    """A fee class. An amount of 0 charges nothing."""

    amount = AmountField(may_be_nothing=True)
    status = forms.ChoiceField(
        label=gettext_lazy("status"),
        required=False,
        choices=[
            ("", gettext_lazy("any")),
            (Member.Status.MEMBER.value, Member.Status.MEMBER.label),
            (Member.Status.HONORARY.value, Member.Status.HONORARY.label),
        ],
    )

    class Meta:
        model = FeeClass
        fields = ("place", "name", "amount", "status", "from_age", "to_age", "family")
        labels = {"place": gettext_lazy("order")}

    def has_changed(self) -> bool:
        """Return True if any field has changed. In a new row, the default position alone does not count."""
        return bool(set(self.changed_data) - {"place"} if self.instance.pk is None else self.changed_data)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        youngest, oldest = values.get("from_age"), values.get("to_age")
        if youngest is not None and oldest is not None and oldest < youngest:
            self.add_error("to_age", _("The upper age can't be below the lower age."))
        return values


NEW_FEE_CLASS_ROWS = 3


class FeeClassBaseFormSet(forms.BaseInlineFormSet):
    """A season's fee classes, followed by rows for new ones. Submitting a new one twice adds it once."""

    def __init__(self, *args: Any, new_rows: int = NEW_FEE_CLASS_ROWS, **kwargs: Any) -> None:
        self.extra = new_rows
        super().__init__(*args, **kwargs)
        known = self.instance.fee_classes.all() if self.instance.pk else FeeClass.objects.none()
        self.known = {fee.name: fee for fee in known}
        last = max((fee.place for fee in self.known.values()), default=0)
        for place, form in enumerate(self.extra_forms, start=last + 1):
            form.initial["place"] = place
        for form in self.forms:
            set_form_currency(form, self.instance.club.currency)

    def clean(self) -> None:
        super().clean()
        in_form = {form.instance.pk for form in self.initial_forms}
        for form in self.extra_forms:
            known = self.known.get(form.cleaned_data.get("name", "")) if form.is_valid() else None
            if known is None or known.pk in in_form:
                continue
            if known.amount == form.cleaned_data["amount"]:
                form.instance = known
            else:
                form.add_error("name", _("A fee class with this name already exists."))


FeeClassFormSet = forms.inlineformset_factory(
    DuesSeason, FeeClass, form=FeeClassForm, formset=FeeClassBaseFormSet, can_delete=True
)
