"""A member's family payer, joining date and leaving date, on which dues depend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.membership.members.forms import (
    FULL_MEMBER_STATUSES,
    set_payer_choices,
    validate_family_payer,
    validate_membership_dates,
)
from clubs.membership.members.membership_periods import save_with_membership_periods
from clubs.models import Member
from clubs.request_types import parse_key
from common.text.day_field import DayField
from common.text.name_search import NameWords, name_search_words


class FamilyPayerLookup:
    """Finds the family payer named in an imported table, among the members and the table's new people.

    `named` are members by the words of their names. `new` are line numbers by the words of new names.
    """

    def __init__(
        self, by_number: Mapping[int, Member], named: Mapping[NameWords, Sequence[Member]], new: Mapping[NameWords, int]
    ) -> None:
        self._by_number, self._named, self._new = by_number, named, new

    def find_payer(self, text: str) -> Member | int:
        """Return the payer as a member or a line number. Raises ValueError if there is no single match."""
        number = self._by_number.get(parse_key(text)) if text.isdecimal() else None
        if number is not None:
            return number
        words = name_search_words(text)
        same = [each for each in self._named.get(words, ()) if each.status != Member.Status.FORMER]
        new = self._new.get(words)
        if len(same) + (new is not None) > 1:
            raise ValueError(
                _("Several people are called “%(name)s”. Enter the membership number instead.") % {"name": text}
            )
        if not same and new is None:
            said = _("The payer “%(name)s” isn't a member and isn't in the table.")
            raise ValueError(said % {"name": text})
        return same[0] if same else self._new[words]


class FamilyAndDatesForm(forms.ModelForm):
    """A member's family payer, joining date and leaving date.

    Once the last day has passed, the member is a former member.
    """

    joined_on = DayField(label=gettext_lazy("joined on"))
    left_on = DayField(
        label=gettext_lazy("left on"),
        help_text=gettext_lazy(
            "The last day of membership, which can be in the future. Leave empty if the member is staying."
        ),
    )

    class Meta:
        model = Member
        fields = ("family_payer", "joined_on", "left_on")
        help_texts = {"family_payer": gettext_lazy("The member who pays this person's dues.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_payer_choices(self, self.instance.club)

    def clean_family_payer(self) -> Member | None:
        return validate_family_payer(self.instance, self.cleaned_data["family_payer"])

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        left = values.get("left_on")
        if left and self.instance.status not in (*FULL_MEMBER_STATUSES, Member.Status.FORMER):
            self.add_error("left_on", _("Only members have a leaving date. Leave it empty for a guest."))
        elif not left and self.instance.status == Member.Status.FORMER and "left_on" in self.changed_data:
            self.add_error("left_on", _("To bring back a former member, ask the secretary to change their status."))
        validate_membership_dates(self)
        return values

    def save(self, commit: bool = True) -> Member:
        left, today = self.cleaned_data["left_on"], timezone.localdate()
        if left and left < today:
            self.instance.status = Member.Status.FORMER
        elif left and self.instance.status == Member.Status.FORMER:
            self.instance.status = Member.Status.MEMBER
        saved: Member = super().save(commit=False)
        if commit:
            # Save only these fields, as the secretary may be editing others.
            save_with_membership_periods(saved, ["family_payer", "joined_on", "left_on", "status"])
        return saved
