"""The sections of the club settings page, one form each."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.finance.dues.ledger import check_currency_change
from clubs.membership.letterhead.logo_files import LogoField, logo_mark
from clubs.models import Club, ClubLetterhead, User, time_zone_choices
from clubs.two_factor import has_two_factor

DEFAULT_CLUB_COLOUR = "#14613f"
"""Shown when a club has no colour of its own. Choosing it stores no colour."""


class ColourField(forms.CharField):
    """A colour written as #rrggbb."""

    widget = forms.TextInput(attrs={"type": "color"})

    def clean(self, value: Any) -> str:
        colour = super().clean((value or "").strip().lower())
        if colour in ("", DEFAULT_CLUB_COLOUR):
            return ""
        if len(colour) != 7 or colour[0] != "#" or set(colour[1:]) - set("0123456789abcdef"):
            raise ValidationError(_("Enter a colour as #rrggbb, such as #14613f."))
        return colour


class CurrencyField(forms.CharField):
    """A three-letter currency code, or empty."""

    widget = forms.TextInput(attrs={"size": 4, "maxlength": 3, "autocapitalize": "characters", "autocomplete": "off"})

    def clean(self, value: Any) -> str:
        code = super().clean((value or "").strip().upper())
        if code and not (len(code) == 3 and code.isascii() and code.isalpha()):
            raise ValidationError(_("Enter 3 capital letters, such as EUR."))
        return str(code)


class ClubIdentityForm(forms.ModelForm):
    """The club's name, city, federation, currency, email, colour and logo."""

    currency = CurrencyField(
        label=gettext_lazy("currency"),
        required=False,
        help_text=Club._meta.get_field("currency").help_text,
    )
    colour = ColourField(
        label=gettext_lazy("colour"),
        required=False,
        help_text=gettext_lazy("For the bar at the top of the club's pages."),
    )
    logo_file = LogoField(
        label=gettext_lazy("logo"),
        required=False,
        help_text=gettext_lazy("PNG or JPEG, up to 2 MB. It appears on the club's printouts."),
    )

    class Meta:
        model = Club
        fields = ("name", "city", "federation", "currency", "email", "colour")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["colour"] = self.initial.get("colour") or DEFAULT_CLUB_COLOUR

    def clean_federation(self) -> str:
        return self.cleaned_data["federation"].strip().upper()

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"] or self.instance.currency
        check_currency_change(self.instance, currency)
        return currency

    def save(self, commit: bool = True) -> Club:
        club = super().save(commit)
        logo = self.cleaned_data["logo_file"]
        if logo is not None and commit:
            save_club_logo(club, logo)
        return club


class ClubLanguageForm(forms.ModelForm):
    """The club's language and time zone."""

    class Meta:
        model = Club
        fields = ("language", "time_zone")
        help_texts = {
            "language": gettext_lazy("For emails and printouts. Everyone can choose their own language for the pages."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"] = time_zone_field()


class ByeRulesForm(forms.ModelForm):
    """The bye rules that new events start with."""

    class Meta:
        model = Club
        fields = ("requested_byes_allowed", "requested_bye_worth", "bye_in_last_round", "bye_deadline_hours")

    def clean_bye_deadline_hours(self) -> int:
        hours = self.cleaned_data["bye_deadline_hours"]
        if hours > 720:
            raise ValidationError(_("Enter at most 720 hours (30 days)."))
        return hours


class OfficerTwoFactorForm(forms.ModelForm):
    """The setting that requires two-factor sign-in for officers."""

    class Meta:
        model = Club
        fields = ("officers_need_two_factor",)
        help_texts = {
            "officers_need_two_factor": gettext_lazy(
                "They enter a code from their phone after the password. Officers without it are asked to set it up."
            )
        }

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by = by

    def clean_officers_need_two_factor(self) -> bool:
        wanted = self.cleaned_data["officers_need_two_factor"]
        if wanted and not has_two_factor(self.by):
            raise ValidationError(
                _("Set up your own two-factor authentication first. Otherwise you would lose access to these pages.")
            )
        return wanted


def time_zone_field() -> forms.ChoiceField:
    """Return a choice of time zones. The empty choice is the server's zone."""
    of_server = format_lazy("{} ({})", gettext_lazy("server's time zone"), settings.TIME_ZONE)
    return forms.ChoiceField(
        label=gettext_lazy("time zone"), required=False, choices=[("", of_server), *time_zone_choices()]
    )


def save_club_logo(club: Club, logo: bytes) -> None:
    """Store a logo returned by `read_logo` for the club's pages and printouts."""
    ClubLetterhead.objects.update_or_create(club=club, defaults={"logo": logo})
    club.logo_mark = logo_mark(logo)
    club.save(update_fields=["logo_mark"])
