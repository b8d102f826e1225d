"""Forms about people."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Member, Title


class FederationField(forms.CharField):
    """Three letters, in capitals whatever was typed."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("federation"),
            required=False,
            help_text=gettext_lazy("Three letters, such as POL."),
            widget=forms.TextInput(attrs={"size": 4, "maxlength": 3, "autocapitalize": "characters"}),
            **kwargs,
        )

    def clean(self, value: str) -> str:
        value = super().clean(value).strip().upper()
        if value and not (len(value) == 3 and value.isascii() and value.isalpha()):
            raise ValidationError(_("Write the three letters FIDE uses, such as POL, CZE or BUL, or leave it empty."))
        return value


def name_the_empty_choices(form: forms.BaseForm) -> None:
    """Say in words what leaving title or sex open means."""
    form.fields["title"].choices = [("", _("none")), *Title.choices]  # type: ignore[attr-defined]
    form.fields["sex"].choices = [("", _("not given")), *Member.Sex.choices]  # type: ignore[attr-defined]


class MemberForm(forms.ModelForm):
    """A person in the club's book."""

    federation = FederationField()
    rating = forms.IntegerField(
        label=gettext_lazy("rating"),
        required=False,
        min_value=0,
        max_value=3500,
        help_text=gettext_lazy("Leave it empty for a player without a rating."),
        error_messages={
            "invalid": gettext_lazy("Write the rating as a whole number, such as 1850."),
            "max_value": gettext_lazy("Ratings go up to 3500: check the figures."),
            "min_value": gettext_lazy("A rating is not below 0: check the figures."),
        },
    )

    class Meta:
        model = Member
        fields = (
            "family_name",
            "given_name",
            "title",
            "rating",
            "rating_is_estimate",
            "federation",
            "fide_id",
            "sex",
            "birth_year",
            "is_active",
        )
        help_texts = {
            "is_active": gettext_lazy("Only active members are offered when you choose the players of an event."),
            "rating_is_estimate": gettext_lazy(
                "For a player without a rating whose strength you have put down yourself."
            ),
        }
        error_messages = {
            "family_name": {"required": gettext_lazy("Write at least the family name.")},
            "fide_id": {"invalid": gettext_lazy("A FIDE ID has figures only.")},
            "birth_year": {"invalid": gettext_lazy("Write the year with four figures, such as 1968.")},
        }

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.club = club
        name_the_empty_choices(self)
        if not self.instance.rating:
            self.initial["rating"] = None

    def clean_rating(self) -> int:
        return self.cleaned_data["rating"] or 0

    def clean_fide_id(self) -> int | None:
        fide_id = self.cleaned_data["fide_id"]
        if fide_id is None:
            return None
        other = Member.objects.filter(club=self.instance.club, fide_id=fide_id).exclude(pk=self.instance.pk).first()
        if other is not None:
            raise ValidationError(
                _("%(name)s already has this FIDE ID. Change that member, or check the figures."),
                params={"name": other.name},
            )
        return fide_id
