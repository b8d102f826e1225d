"""The form for a new token."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

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

    @property
    def expires_at(self) -> datetime | None:
        """The time after which the token no longer works, or None."""
        days = self.cleaned_data["lifetime"]
        return timezone.now() + timedelta(days=int(days)) if days else None
