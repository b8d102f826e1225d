"""The form for an event's prizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.text.amounts import (
    Cents,
    cents_to_decimal,
    explain_invalid_amount,
    has_other_currency,
    is_amount_with_currency,
    parse_amount,
    set_form_currency,
)
from pairing.pages.standings.prize_giving import EVERYONE, PrizesOfList
from pairing.view_models.standings.player_categories import possible_categories_of_event
from tournaments.models import PrizeFund

MAX_PRIZES = 100
MAX_THING_LENGTH = 80
_EMPTY_ROWS = 2


class PrizeFormLine(NamedTuple):
    """One line in the form: money, a prize in kind, or both."""

    cents: Cents
    thing: str


class PrizeAmountsField(forms.CharField):
    """Prizes from first place down, one per line: `80`, `a cup`, `80 + a cup`.

    The cleaned value is a tuple of `PrizeFormLine`.
    """

    currency = ""
    widget = forms.Textarea(attrs={"rows": 4, "class": "amounts", "autocomplete": "off"})

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else "\n".join(_written(*each) for each in value)

    def clean(self, value: Any) -> tuple[PrizeFormLine, ...]:
        lines = [line.strip() for line in (super().clean(value) or "").splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        if len(lines) > MAX_PRIZES:
            raise ValidationError(_("A prize list can have up to %(most)s prizes.") % {"most": MAX_PRIZES})
        entered = tuple(_read(line, self.currency) for line in lines)
        if any(later.cents > earlier.cents for earlier, later in pairwise(entered)):
            raise ValidationError(_("A prize can't be larger than the one above it."))
        return entered


class PrizesForm(forms.Form):
    """The prizes for everyone and for categories, and the rules for sharing.

    After validation, `prize_lists` are the lists that have prizes.
    """

    sharing = forms.ChoiceField(
        label=gettext_lazy("prize sharing"), choices=PrizeFund.PrizeSharing.choices, widget=forms.RadioSelect
    )
    one_prize_each = forms.BooleanField(
        label=gettext_lazy("one prize per player, the largest they qualify for"), required=False
    )
    everyone = PrizeAmountsField(
        label=gettext_lazy("prizes for all players"),
        required=False,
        help_text=gettext_lazy(
            "One prize per line, first place first. Enter an amount, an item or both, such as “80 + a cup”."
        ),
    )

    def __init__(self, *args: Any, fund: PrizeFund, listed: Sequence[PrizesOfList], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.update(sharing=fund.sharing, one_prize_each=fund.one_prize_each)
        kept = {each.category: tuple(PrizeFormLine(*both) for both in each.prizes_by_place) for each in listed}
        self.initial["everyone"] = kept.pop(EVERYONE, ())
        known = {key: str(label) for key, (label, _category) in possible_categories_of_event(fund.tournament).items()}
        choices = [("", "–"), *known.items(), *((key, key) for key in kept if key not in known)]
        self.row_count = len(kept) + _EMPTY_ROWS
        if self.is_bound:
            self.row_count = max(self.row_count, sum(name.startswith("category_") for name in self.data))
        for row, (key, prizes) in enumerate([*kept.items(), *[("", ())] * (self.row_count - len(kept))]):
            self.fields[f"category_{row}"] = forms.ChoiceField(
                label=_("category"), choices=choices, required=False, initial=key
            )
            self.fields[f"prizes_{row}"] = PrizeAmountsField(label=_("prizes"), required=False, initial=prizes)
        set_form_currency(self, fund.tournament.club.currency)

    def category_rows(self) -> Iterator[tuple[BoundField, BoundField]]:
        """Yield the fields of each category row: category and prizes."""
        for row in range(self.row_count):
            yield self[f"category_{row}"], self[f"prizes_{row}"]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        seen: set[str] = set()
        for row in range(self.row_count):
            category, prizes = said.get(f"category_{row}"), said.get(f"prizes_{row}")
            if category and category in seen:
                self.add_error(f"category_{row}", _("This category is listed twice."))
            if prizes and category == "":
                self.add_error(f"category_{row}", _("Choose a category for these prizes."))
            seen.add(category or "")
        return said

    @property
    def prize_lists(self) -> tuple[PrizesOfList, ...]:
        said = self.cleaned_data
        rows = [(EVERYONE, said["everyone"])]
        rows += [(said[f"category_{row}"], said[f"prizes_{row}"]) for row in range(self.row_count)]
        return tuple(
            PrizesOfList(
                category=key,
                prizes=tuple(each.cents for each in entered),
                things=tuple(each.thing for each in entered),
            )
            for key, entered in rows
            if entered
        )


def _read(line: str, currency: str) -> PrizeFormLine:
    """Parse a line: an amount with an optional prize in kind after a plus, or a prize in kind only."""
    if not line[:1].isdigit() and not is_amount_with_currency(line.partition("+")[0]):
        return PrizeFormLine(0, _thing(line, line))
    amount, plus, thing = line.partition("+")
    try:
        cents = parse_amount(amount, currency)
    except ValueError as wrong:
        if has_other_currency(amount, currency):
            raise ValidationError(explain_invalid_amount(amount, currency)) from wrong
        raise ValidationError(
            _("“%(line)s” isn't an amount. Enter 80 or 80.50, for example.") % {"line": line}
        ) from wrong
    if not cents:
        raise ValidationError(_("A prize can't be 0. Remove the line."))
    return PrizeFormLine(cents, _thing(thing.strip(), line) if plus else "")


def _thing(thing: str, line: str) -> str:
    if not any(letter.isalpha() for letter in thing):
        raise ValidationError(_("“%(line)s” isn't an amount. Enter 80 or 80.50, for example.") % {"line": line})
    if len(thing) > MAX_THING_LENGTH:
        raise ValidationError(
            _("“%(item)s” is too long. An item can have up to %(most)s characters.")
            % {"item": f"{thing[:40]}…", "most": MAX_THING_LENGTH}
        )
    return thing


def _written(cents: Cents, thing: str) -> str:
    whole, part = divmod(cents, 100)
    amount = (str(cents_to_decimal(cents)) if part else str(whole)) if cents else ""
    return " + ".join(filter(None, (amount, thing)))
