"""Forms for accounting."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.finance.accounting.entries import balance_of_account
from clubs.models import BankStatementLine, BookAccount, BookEntry, Budget, Club
from common.text.amounts import (
    Cents,
    explain_invalid_amount,
    format_amount_for_input,
    format_money,
    parse_amount,
    set_form_currency,
)
from common.text.confirmation_form import ConfirmationForm
from common.text.day_field import DayField


class CentsField(forms.CharField):
    """An amount of money. The cleaned value is in cents.

    `set_form_currency` sets its currency. With `signed`, it may be negative.
    """

    currency = ""

    def __init__(self, *, signed: bool = False, **kwargs: Any) -> None:
        self.signed = signed
        kwargs.setdefault("label", gettext_lazy("amount"))
        widget = forms.TextInput(attrs={"inputmode": "decimal", "size": 9, "autocomplete": "off"})
        super().__init__(widget=widget, max_length=20, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return format_amount_for_input(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> Cents | None:
        text = super().clean(value).replace("−", "-")
        if not text:
            return None
        is_below = self.signed and text.startswith("-")
        try:
            cents = parse_amount(text.removeprefix("-") if is_below else text, self.currency)
        except ValueError as wrong:
            raise ValidationError(explain_invalid_amount(text, self.currency)) from wrong
        return -cents if is_below else cents


class AccountingEntryForm(ConfirmationForm):
    """Money in, money out, or a transfer between accounts."""

    DIRECTIONS = (
        ("out", gettext_lazy("money out")),
        ("in", gettext_lazy("money in")),
        ("move", gettext_lazy("transfer between accounts")),
    )
    form_key = forms.UUIDField(widget=forms.HiddenInput)
    way = forms.ChoiceField(label=gettext_lazy("type"), choices=DIRECTIONS, initial="out", widget=forms.RadioSelect)
    amount = CentsField()
    on = DayField(label=gettext_lazy("date"), required=True)
    money = forms.ModelChoiceField(
        BookAccount.objects.none(), label=gettext_lazy("cash or bank account"), empty_label=None
    )
    other = forms.ModelChoiceField(
        BookAccount.objects.none(), label=gettext_lazy("category, or account to transfer to")
    )
    party = forms.CharField(label=gettext_lazy("payer or payee"), required=False, max_length=140)
    text = forms.CharField(label=gettext_lazy("description"), required=False, max_length=160)
    file = forms.FileField(label=gettext_lazy("supporting document (PDF or image)"), required=False)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        usable = BookAccount.objects.filter(club=club, is_closed=False, is_for_dues=False)
        self.fields["money"].queryset = usable.filter(kind__in=BookAccount.MONEY_KINDS)  # type: ignore[attr-defined]
        others = usable.exclude(kind=BookAccount.Kind.OPENING)
        self.fields["other"].queryset = others  # type: ignore[attr-defined]
        self.initial.setdefault("form_key", uuid.uuid4())
        self.initial.setdefault("on", timezone.localdate())
        set_form_currency(self, club.currency)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("amount") == 0:
            self.add_error("amount", _("The amount can't be 0."))
        money, other, way = (values.get(name) for name in ("money", "other", "way"))
        if other is not None and money == other:
            self.add_error("other", _("Choose 2 different accounts."))
        elif other is not None and way is not None and (way == "move") != (other.kind in BookAccount.MONEY_KINDS):
            self.add_error("other", _("For a transfer, choose an account. For anything else, choose a category."))
        return values


class NewAccountingAccountForm(forms.Form):
    """A new cash account, bank account or category."""

    KIND_CHOICES = [choice for choice in BookAccount.Kind.choices if choice[0] != BookAccount.Kind.OPENING]
    kind = forms.ChoiceField(label=gettext_lazy("type"), choices=KIND_CHOICES, widget=forms.RadioSelect)
    name = forms.CharField(label=gettext_lazy("name"), max_length=60)
    iban = forms.CharField(label=gettext_lazy("account number"), required=False, max_length=42)
    balance = CentsField(label=gettext_lazy("balance"), required=False, signed=True)
    on = DayField(label=gettext_lazy("at the start of"), required=False)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("kind") in BookAccount.MONEY_KINDS and not values.get("on"):
            self.add_error("on", _("Enter the date of the opening balance."))
        return values


class YearBudgetForm(forms.Form):
    """The budget of each category in a year. An empty field means no budget."""

    def __init__(self, *args: Any, club: Club, year: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.year = year
        self.accounts = list(
            BookAccount.objects.filter(club=club, kind__in=BookAccount.CATEGORY_KINDS, is_closed=False)
        )
        known = dict(Budget.objects.filter(account__in=self.accounts, year=year).values_list("account_id", "amount"))
        for account in self.accounts:
            label = f"{account.get_kind_display()}: {account.name}"
            self.fields[f"of_{account.pk}"] = CentsField(label=label, required=False)
            self.initial[f"of_{account.pk}"] = known.get(account.pk)
        set_form_currency(self, club.currency)

    def save(self) -> None:
        """Save the entered budgets and delete the emptied ones."""
        for account in self.accounts:
            amount = self.cleaned_data[f"of_{account.pk}"]
            if amount is None:
                Budget.objects.filter(account=account, year=self.year).delete()
            else:
                Budget.objects.update_or_create(account=account, year=self.year, defaults={"amount": amount})


class AccountingAccountEditForm(forms.ModelForm):
    """An account's name, its numbers, and whether it is closed."""

    class Meta:
        model = BookAccount
        fields = ("name", "iban", "number", "is_closed")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.kind != BookAccount.Kind.BANK:
            del self.fields["iban"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = BookAccount.objects.filter(club=self.instance.club, kind=self.instance.kind, name=name)
        if others.exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("An account or category with this name already exists."))
        return name

    def clean_is_closed(self) -> bool:
        is_closed: bool = self.cleaned_data["is_closed"]
        own = self.instance
        if is_closed and (own.is_for_dues or own.is_for_guests or own.is_for_entry_fees):
            raise ValidationError(_("Fees are recorded in this category automatically, so it must stay in use."))
        left = balance_of_account(self.instance) if self.instance.kind in BookAccount.MONEY_KINDS else 0
        if is_closed and left:
            said = {"amount": format_money(left, self.instance.club.currency)}
            raise ValidationError(_("The balance is %(amount)s. Transfer it to another account first.") % said)
        return is_closed


class YearPackageForm(forms.Form):
    """The numbers for a DATEV file. Without them, the package contains no such file."""

    consultant = forms.IntegerField(
        label=gettext_lazy("DATEV number of the tax adviser"), required=False, min_value=1001, max_value=9_999_999
    )
    client = forms.IntegerField(
        label=gettext_lazy("DATEV number of the club"), required=False, min_value=1, max_value=99_999
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if (values.get("consultant") is None) != (values.get("client") is None):
            raise ValidationError(_("Enter both numbers, or leave both empty for a package without a DATEV file."))
        return values


class ReasonForm(forms.Form):
    """The reason for a reversal or reopening."""

    reason = forms.CharField(
        label=gettext_lazy("reason"), max_length=160, help_text=gettext_lazy("This is kept permanently.")
    )


class AccountingEntryReversalForm(ReasonForm):
    """The reversal of an entry. Without a date, `reversal_date_of_entry` is used."""

    on = DayField(label=gettext_lazy("date"), required=False)
    aside = forms.BooleanField(label=gettext_lazy("also ignore the bank transaction"), required=False)

    def __init__(self, *args: Any, entry: BookEntry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not BankStatementLine.objects.filter(booking=entry).exists():
            del self.fields["aside"]


class OpeningBalanceForm(ReasonForm):
    """A corrected opening balance."""

    balance = CentsField(label=gettext_lazy("opening balance"), signed=True)
    field_order = ("balance", "reason")
