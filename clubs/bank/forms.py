"""Forms about statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.bank.tables import COLUMNS, are_enough
from clubs.files.chosen_file import ChosenFileField
from clubs.files.spreadsheets import Table
from clubs.files.text_tables import TableRow
from clubs.models import BookAccount


class StatementForm(forms.Form):
    """A statement: a file of the bank's, or its lines pasted."""

    file = ChosenFileField(
        label=gettext_lazy("file of the bank"),
        required=False,
        help_text=gettext_lazy("CAMT.053, MT940, CSV or Excel, as it was downloaded."),
        error_messages={"too_large": gettext_lazy("The file is larger than 5 MB: load a shorter time from the bank.")},
    )
    text = forms.CharField(
        label=gettext_lazy("or lines of the statement"),
        required=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        help_text=gettext_lazy("One transfer a line: date; amount; text. The reference is found in the text."),
    )
    ask_again = forms.BooleanField(label=gettext_lazy("ask again which column of a table is what"), required=False)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not self.errors and bool(values.get("file")) == bool(values.get("text")):
            raise ValidationError(_("Choose a file, or paste lines."))
        return values


class ColumnsForm(forms.Form):
    """Which column of a bank's table is what; and whose statement it is, where the club has several accounts."""

    own_account = ""

    LABELS = {
        "day": gettext_lazy("date"),
        "amount": gettext_lazy("amount, with its sign"),
        "credit": gettext_lazy("amount that came in"),
        "debit": gettext_lazy("amount that went out"),
        "currency": gettext_lazy("currency"),
        "party": gettext_lazy("name of the other side"),
        "payee": gettext_lazy("name of who was paid, in a column of its own"),
        "party_account": gettext_lazy("account of the other side"),
        "text": gettext_lazy("text"),
        "reference": gettext_lazy("the bank's reference"),
    }

    def __init__(
        self,
        *args: Any,
        table: Table,
        accounts: Sequence[BookAccount],
        above: Sequence[TableRow] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        if len(above) > 1:
            lines = [(str(row.line), f"{row.line}: {' · '.join(filter(None, row.cells))[:80]}") for row in above]
            self.fields["headings_in"] = forms.ChoiceField(
                label=gettext_lazy("the headings stand in line"), choices=lines, required=False
            )
            self.initial["headings_in"] = str(table.lines[0].line)
        if len(accounts) > 1:
            whose = [(account.iban, f"{account.name} · {account.iban}") for account in accounts]
            self.fields["whose"] = forms.ChoiceField(label=gettext_lazy("statement of which account"), choices=whose)
        width = max(len(row.cells) for row in table.lines)
        named = [*table.headings, *[""] * (width - len(table.headings))]
        places = [(str(place), heading or str(place + 1)) for place, heading in enumerate(named)]
        for name in COLUMNS:
            self.fields[name] = forms.ChoiceField(
                label=self.LABELS[name], required=False, choices=[("", gettext_lazy("none")), *places]
            )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self.own_account = values.pop("whose", "")
        values.pop("headings_in", None)
        places = {name: int(place) for name, place in values.items() if place}
        if not are_enough(places):
            raise ValidationError(_("A date and an amount are needed."))
        if len(set(places.values())) != len(places):
            raise ValidationError(_("Two fields have the same column: every column is one thing."))
        return places
