"""Forms for setting up the server and creating clubs."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from clubs.membership.accounts.forms import NewAccountForm
from clubs.membership.club_settings.forms import ClubIdentityForm, time_zone_field
from clubs.membership.onboarding.club_creation import is_set_up_code
from clubs.membership.onboarding.default_currencies import CURRENCY_PRESETS, first_accepted_language, likely_currency
from clubs.models import ClubRequest


class SetUpCodeForm(forms.Form):
    """The set-up code that the server printed."""

    code = forms.CharField(
        label=gettext_lazy("set-up code"),
        max_length=40,
        help_text=gettext_lazy("The 12 letters and digits the server printed when it started."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "autofocus": True}),
    )

    def clean_code(self) -> str:
        code = self.cleaned_data["code"]
        if not is_set_up_code(code):
            raise ValidationError(_("This isn't the right code. To see it, run “manage.py setup_code” on the server."))
        return code


class FirstAccountForm(NewAccountForm):
    """The account of the person who sets up the server."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].initial = "secretary"
        self.fields["first_name"].widget.attrs["autofocus"] = not self.is_bound


class NewClubForm(ClubIdentityForm):
    """A new club. `club_creation` saves it. `rating_list` decides the next step."""

    rating_list = forms.ChoiceField(
        label=gettext_lazy("rating list for your players"),
        choices=[
            ("", gettext_lazy("none for now")),
            ("fide", gettext_lazy("FIDE rating list")),
            ("national", gettext_lazy("our federation's list")),
        ],
        required=False,
        help_text=gettext_lazy("For finding players when you enter them. You can import the list at any time."),
    )

    class Meta(ClubIdentityForm.Meta):
        fields = ("name", "city", "federation", "language", "currency", "time_zone", "email", "colour")  # type: ignore[assignment]
        labels = {"name": gettext_lazy("club name")}
        help_texts = {
            "language": gettext_lazy("For emails and printouts. Everyone can choose their own language for the pages."),
            "email": gettext_lazy("On the club's page. Replies to the club's emails go here too."),
        }

    def __init__(self, *args: Any, browser: str = "", **kwargs: Any) -> None:
        """`browser` is the browser's Accept-Language header."""
        super().__init__(*args, **kwargs)
        self.fields["time_zone"] = time_zone_field()
        self.fields["time_zone"].help_text = _("From this device if the browser allows it, otherwise from the server.")
        self.fields["time_zone"].widget.attrs["data-clock"] = not self.is_bound
        self.fields["language"].initial = get_language()
        self.initial["currency"] = likely_currency(language=first_accepted_language(browser) or get_language() or "")
        self.fields["currency"].widget.attrs["data-currencies"] = json.dumps(CURRENCY_PRESETS)
        self.fields["currency"].widget.attrs["data-chosen"] = self.is_bound

    def clean_currency(self) -> str:
        said: str = self.cleaned_data["currency"]
        language = self.cleaned_data.get("language", "")
        return said or likely_currency(federation=self.cleaned_data.get("federation", ""), language=language)


class AdditionalClubForm(NewClubForm):
    """Another club on the server, and its secretary's email."""

    secretary_email = forms.EmailField(
        label=gettext_lazy("secretary's email"),
        required=False,
        help_text=gettext_lazy("We'll send an invitation there. Leave empty to be the secretary yourself for now."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = not self.is_bound


class ClubRequestForm(forms.ModelForm):
    """A request for a club on this server."""

    class Meta:
        model = ClubRequest
        fields = ("name", "city", "asked_by", "email", "words")
        widgets = {"words": forms.Textarea(attrs={"rows": 4})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = not self.is_bound
