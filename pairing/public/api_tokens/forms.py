"""The form for a new token."""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from pairing.models import ApiToken
from tournaments.models import Tournament

LIFETIMES = (30, 90, 365)
"""The days after which a token can expire."""


class ApiTokenForm(forms.Form):
    """A token's name, scopes, event and expiry."""

    name = forms.CharField(
        label=_("token name"), max_length=60, help_text=_("The program that will use it. The log shows this name.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("what it may do"),
        choices=ApiToken.Scope.choices,
        widget=forms.CheckboxSelectMultiple,
    )
    tournament = forms.ModelChoiceField(
        label=_("Event"), queryset=Tournament.objects.none(), required=False, empty_label=_("all events")
    )
    lifetime = forms.ChoiceField(
        label=_("expires"),
        required=False,
        initial=365,
        choices=[
            *((days, ngettext_lazy("after %(n)s day", "after %(n)s days", days) % {"n": days}) for days in LIFETIMES),
            ("", _("never")),
        ],
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tournament"].queryset = club.tournaments.order_by("-pk")  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """Refuse invisible characters, with which a name could look like another."""
        name: str = self.cleaned_data["name"]
        if any(unicodedata.category(sign) in ("Cc", "Cf") for sign in name):
            raise ValidationError(gettext("The name has invisible characters. Enter it again."))
        return name

    def clean_lifetime(self) -> str:
        """Refuse tokens that change something and never expire: their creator may leave the club."""
        lifetime: str = self.cleaned_data["lifetime"]
        if not lifetime and set(self.cleaned_data.get("scopes", ())) - {ApiToken.Scope.READ}:
            raise ValidationError(gettext("Tokens that can make changes have to expire. Choose when."))
        return lifetime

    @property
    def expires_at(self) -> datetime | None:
        """The time after which the token no longer works, or None."""
        days = self.cleaned_data["lifetime"]
        return timezone.now() + timedelta(days=int(days)) if days else None
