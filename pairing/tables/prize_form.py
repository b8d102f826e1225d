"""The form with which an arbiter sets an event's prizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.writing.amounts import Cents, decimal_of, read_amount
from pairing.standings.categories import categories_of
from pairing.tables.prize_giving import EVERYONE, ListedPrizes
from tournaments.models import PrizeFund

MOST_PRIZES = 100
_EMPTY_ROWS = 2


class AmountsField(forms.CharField):
    """Amounts from the first place on, a line for each; the cleaned value is whole cents."""

    widget = forms.Textarea(attrs={"rows": 4, "class": "amounts", "autocomplete": "off"})

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else "\n".join(map(_written, value))

    def clean(self, value: Any) -> tuple[Cents, ...]:
        lines = [line.strip() for line in (super().clean(value) or "").splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        if len(lines) > MOST_PRIZES:
            raise ValidationError(_("No list has more than %(most)s prizes.") % {"most": MOST_PRIZES})
        amounts = tuple(_read(line) for line in lines)
        if any(later > earlier for earlier, later in pairwise(amounts)):
            raise ValidationError(_("No place can bring more than the one before it."))
        return amounts


class PrizesForm(forms.Form):
    """The prizes for everyone, those of categories, and how they are given.

    `lists` of the valid form are the lists in which there is anything.
    """

    sharing = forms.ChoiceField(
        label=gettext_lazy("equal points"), choices=PrizeFund.Sharing.choices, widget=forms.RadioSelect
    )
    one_prize_each = forms.BooleanField(
        label=gettext_lazy("one prize a player, the greatest he has a claim to"), required=False
    )
    everyone = AmountsField(
        label=gettext_lazy("prizes for all"),
        required=False,
        help_text=gettext_lazy("One amount a line, from the first place on."),
    )

    def __init__(self, *args: Any, fund: PrizeFund, listed: Sequence[ListedPrizes], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.update(sharing=fund.sharing, one_prize_each=fund.one_prize_each)
        kept = {each.category: each.prizes for each in listed}
        self.initial["everyone"] = kept.pop(EVERYONE, ())
        known = {key: str(label) for key, (label, _category) in categories_of(fund.tournament).items()}
        choices = [("", "–"), *known.items(), *((key, key) for key in kept if key not in known)]
        self.row_count = len(kept) + _EMPTY_ROWS
        if self.is_bound:
            self.row_count = max(self.row_count, sum(name.startswith("category_") for name in self.data))
        for row, (key, prizes) in enumerate([*kept.items(), *[("", ())] * (self.row_count - len(kept))]):
            self.fields[f"category_{row}"] = forms.ChoiceField(
                label=_("category"), choices=choices, required=False, initial=key
            )
            self.fields[f"prizes_{row}"] = AmountsField(label=_("prizes"), required=False, initial=prizes)

    def rows(self) -> Iterator[tuple[BoundField, BoundField]]:
        """The fields of categories, two and two."""
        for row in range(self.row_count):
            yield self[f"category_{row}"], self[f"prizes_{row}"]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        seen: set[str] = set()
        for row in range(self.row_count):
            category, prizes = said.get(f"category_{row}"), said.get(f"prizes_{row}")
            if category and category in seen:
                self.add_error(f"category_{row}", _("This category stands here twice."))
            if prizes and category == "":
                self.add_error(f"category_{row}", _("Say whom these prizes are for."))
            seen.add(category or "")
        return said

    @property
    def lists(self) -> tuple[ListedPrizes, ...]:
        said = self.cleaned_data
        rows = [(EVERYONE, said["everyone"])]
        rows += [(said[f"category_{row}"], said[f"prizes_{row}"]) for row in range(self.row_count)]
        return tuple(ListedPrizes(category=key, prizes=prizes) for key, prizes in rows if prizes)


def _read(line: str) -> Cents:
    try:
        cents = read_amount(line)
    except ValueError as wrong:
        raise ValidationError(_("“%(line)s” is no amount; write 80 or 80.50.") % {"line": line}) from wrong
    if not cents:
        raise ValidationError(_("A prize of nothing is none; leave the line out."))
    return cents


def _written(cents: Cents) -> str:
    whole, part = divmod(cents, 100)
    return str(decimal_of(cents)) if part else str(whole)
