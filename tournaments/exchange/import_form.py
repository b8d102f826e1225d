"""What is asked of an event that is made from a report file."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import TimeKind
from tournaments.models import System, Tournament


class ImportSystemForm(forms.Form):
    """The pairing system of an event made from a report file, and what it counts for."""

    system = forms.ChoiceField(
        label=gettext_lazy("pairing system"),
        choices=System.choices,
        initial=System.FIDE_1989,
        help_text=gettext_lazy("The system by which the next rounds are to be paired."),
    )
    rated_as = forms.ChoiceField(
        label=Tournament._meta.get_field("rated_as").verbose_name,
        choices=[("", gettext_lazy("not rated")), *TimeKind.choices],
        initial=TimeKind.STANDARD,
        required=False,
        help_text=gettext_lazy("By the time control in the file, where it has one: look whether it is right."),
    )

    @property
    def rated_as_said(self) -> str | None:
        """What was chosen; None where nobody was asked."""
        return self.cleaned_data["rated_as"] if "rated_as" in self.data else None

    def clean_system(self) -> System:
        try:
            return System(self.cleaned_data["system"])
        except ValueError as unknown:
            raise ValidationError(_("Choose one of the pairing systems.")) from unknown
