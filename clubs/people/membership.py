"""Since when somebody belongs to the club, until when, and with whom he pays: what his dues depend on."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Member
from clubs.people.forms import LEAVING, days_in_order, offer_payers, refuse_payer_of_others
from clubs.people.spells import save_with_spells
from clubs.writing.day_field import DayField


class MembershipForm(forms.ModelForm):
    """The family and the two days of a member. Who has a last day that is over is a former member."""

    joined_on = DayField(label=gettext_lazy("joined on"))
    left_on = DayField(
        label=gettext_lazy("left on"), help_text=gettext_lazy("The last day, which may be one to come. Empty: stays.")
    )

    class Meta:
        model = Member
        fields = ("family_payer", "joined_on", "left_on")
        help_texts = {"family_payer": gettext_lazy("On whose account this person's dues are charged.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_payers(self, self.instance.club)

    def clean_family_payer(self) -> Member | None:
        return refuse_payer_of_others(self.instance, self.cleaned_data["family_payer"])

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        left = values.get("left_on")
        if left and self.instance.status not in (*LEAVING, Member.Status.FORMER):
            self.add_error("left_on", _("Only a member leaves: a guest simply stays away."))
        elif not left and self.instance.status == Member.Status.FORMER and "left_on" in self.changed_data:
            self.add_error("left_on", _("A former member comes back by the secretary's page, with a status."))
        days_in_order(self)
        return values

    def save(self, commit: bool = True) -> Member:
        left, today = self.cleaned_data["left_on"], timezone.localdate()
        if left and left < today:
            self.instance.status = Member.Status.FORMER
        elif left and self.instance.status == Member.Status.FORMER:
            self.instance.status = Member.Status.MEMBER
        saved: Member = super().save(commit=False)
        if commit:
            # These alone: the secretary may be at the rest.
            save_with_spells(saved, ["family_payer", "joined_on", "left_on", "status"])
        return saved
