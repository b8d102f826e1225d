"""Forms for bank statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from clubs.finance.accounting.forms import CentsField
from clubs.finance.bank.bank_formats import bank_formats
from clubs.finance.bank.line_splitting import MAX_PARTS, MIN_PARTS
from clubs.finance.bank.statement_reader import CAMT, MT940
from clubs.finance.bank.statement_tables import STATEMENT_COLUMNS, has_required_columns
from clubs.models import BookAccount, Club, ExpectedPayment, Member
from clubs.request_types import parse_key
from common.tabular.file_field import ChosenFileField
from common.tabular.parsed_table import ParsedTable
from common.tabular.text_tables import TableRow
from common.text.amounts import Cents
from common.text.day_field import DayField


class StatementUploadForm(forms.Form):
    """A statement: a bank's file, or pasted lines."""

    file = ChosenFileField(
        label=gettext_lazy("bank statement file"),
        required=False,
        help_text=gettext_lazy("CAMT.053, MT940, CSV or Excel, just as you downloaded it."),
        error_messages={
            "too_large": gettext_lazy(
                "The file is larger than 5 MB. Download a statement for a shorter period from the bank."
            )
        },
    )
    text = forms.CharField(
        label=gettext_lazy("or paste transactions"),
        required=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "One transaction per line, with date, amount and description separated by semicolons. We look for "
            "the payment reference in the description."
        ),
    )
    format = forms.ChoiceField(
        label=gettext_lazy("format"),
        required=False,
        help_text=gettext_lazy("Choose the format yourself if we detect the wrong one."),
    )
    ask_again = forms.BooleanField(label=gettext_lazy("let me choose the columns again"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["format"].choices = statement_format_choices()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not self.errors and bool(values.get("file")) == bool(values.get("text")):
            raise ValidationError(_("Choose a file or paste lines."))
        return values


OTHER_TABLE = "table"
"""A table of a bank that has no format of its own."""


def statement_format_choices() -> list[tuple[str, Any]]:
    """Return the choices for a statement's format: automatic, CAMT.053, MT940, any table, or a particular bank's."""
    banks = [(bank.key, f"{bank.name} ({bank.country})") for bank in bank_formats()]
    return [
        ("", _("detect automatically")),
        (CAMT, "CAMT.053 (XML)"),
        (MT940, "MT940"),
        (OTHER_TABLE, _("any table (CSV or Excel)")),
        (_("tables from specific banks"), banks),
    ]


class StatementColumnsForm(forms.Form):
    """The meaning of each column of a bank's table, and the table's account if the club has several."""

    own_account = ""

    COLUMN_LABELS = {
        "day": gettext_lazy("date"),
        "amount": gettext_lazy("amount (negative for money out)"),
        "credit": gettext_lazy("money in"),
        "debit": gettext_lazy("money out"),
        "currency": gettext_lazy("currency"),
        "party": gettext_lazy("other party's name"),
        "payee": gettext_lazy("payee's name, if in a separate column"),
        "party_account": gettext_lazy("other party's account"),
        "text": gettext_lazy("description"),
        "symbol": gettext_lazy("variable symbol"),
        "reference": gettext_lazy("bank reference"),
        "fee": gettext_lazy("fee, if not part of the amount"),
    }

    def __init__(
        self,
        *args: Any,
        table: ParsedTable,
        accounts: Sequence[BookAccount],
        above: Sequence[TableRow] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        if len(above) > 1:
            lines = [(str(row.line), f"{row.line}: {' · '.join(filter(None, row.cells))[:80]}") for row in above]
            self.fields["headings_in"] = forms.ChoiceField(
                label=gettext_lazy("header row"), choices=lines, required=False
            )
            self.initial["headings_in"] = str(table.lines[0].line)
        if len(accounts) > 1:
            whose = [(account.iban, f"{account.name} · {account.iban}") for account in accounts]
            self.fields["whose"] = forms.ChoiceField(label=gettext_lazy("bank account"), choices=whose)
        width = max(len(row.cells) for row in table.lines)
        named = [*table.headings, *[""] * (width - len(table.headings))]
        places = [(str(place), heading or str(place + 1)) for place, heading in enumerate(named)]
        for name in STATEMENT_COLUMNS:
            self.fields[name] = forms.ChoiceField(
                label=self.COLUMN_LABELS[name], required=False, choices=[("", pgettext_lazy("column", "none")), *places]
            )

    @property
    def guessed_columns(self) -> dict[str, int]:
        """The suggested column for each field."""
        return {name: int(self.initial[name]) for name in STATEMENT_COLUMNS if self.initial.get(name)}

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self.own_account = values.pop("whose", "")
        values.pop("headings_in", None)
        places = {name: int(place) for name, place in values.items() if place}
        if not has_required_columns(places):
            raise ValidationError(_("Choose a column for the date and one for the amount."))
        if len(set(places.values())) != len(places):
            raise ValidationError(_("The same column is used twice. Choose a different column for each field."))
        return places


class BankBalanceForm(forms.Form):
    """A bank balance entered by hand, for statements that contain none."""

    account = forms.ModelChoiceField(BookAccount.objects.none(), label=gettext_lazy("account"), empty_label=None)
    on = DayField(label=gettext_lazy("at the end of"), required=True)
    amount = CentsField(label=gettext_lazy("balance"), signed=True)

    def __init__(self, *args: Any, accounts: Sequence[BookAccount], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = BookAccount.objects.filter(pk__in=[account.pk for account in accounts])
        self.fields["account"].queryset = found  # type: ignore[attr-defined]
        self.initial.setdefault("on", timezone.localdate())

    def clean_on(self) -> Any:
        on = self.cleaned_data["on"]
        if on > timezone.localdate():
            raise ValidationError(_("The date is in the future."))
        return on


class LinePartForm(forms.Form):
    """A part of a line: its target and amount."""

    target = forms.ChoiceField(label=gettext_lazy("member or account"), required=False)
    amount = CentsField(required=False)

    def __init__(self, *args: Any, targets: Sequence[tuple[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].choices = targets  # type: ignore[attr-defined]


class LinePartBaseFormSet(forms.BaseFormSet):
    """The parts of a line. One amount may be left empty, and that part gets the rest."""

    def __init__(self, *args: Any, whole: Cents, rows: int = MIN_PARTS, **kwargs: Any) -> None:
        self.extra = min(rows, MAX_PARTS)
        super().__init__(*args, **kwargs)
        self.whole = whole
        self.parts: list[tuple[Cents, str]] = []

    def clean(self) -> None:
        if any(self.errors):
            return
        rows = [form.cleaned_data for form in self.forms]
        said = [row for row in rows if row.get("amount") is not None or row.get("target")]
        rest = self.whole - sum(row.get("amount") or 0 for row in said)
        without = [row for row in said if row.get("amount") is None]
        if len(without) > 1:
            raise ValidationError(_("Only one amount can be empty. Enter the others."))
        self.parts = [(row["amount"] if row.get("amount") is not None else rest, row.get("target", "")) for row in said]


LinePartFormSet = cast(
    "type[LinePartBaseFormSet]",
    forms.formset_factory(
        LinePartForm, formset=LinePartBaseFormSet, max_num=MAX_PARTS, absolute_max=MAX_PARTS, validate_max=True
    ),
)


def booking_target_choices(club: Club) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return members, then book accounts, as groups of choices. Two queries."""
    members = [(f"member:{member.pk}", member.name) for member in club.members.filter(erased_at=None)]
    usable = club.book_accounts.filter(is_closed=False, is_for_dues=False).exclude(kind=BookAccount.Kind.OPENING)
    accounts = [(f"account:{account.pk}", account.name) for account in usable]
    return [(_("Members"), members), (_("Accounting"), accounts)]


def parse_booking_target(club: Club, text: str) -> Member | BookAccount | ExpectedPayment | None:
    """Return the target sent by a form, or None if it is empty or belongs to another club."""
    kind, _colon, key = text.partition(":")
    if kind == "member":
        return Member.objects.filter(club=club, pk=parse_key(key)).first()
    if kind == "account":
        return BookAccount.objects.filter(club=club, pk=parse_key(key)).first()
    if kind == "expected":
        return ExpectedPayment.objects.filter(club=club, pk=parse_key(key)).first()
    return None
