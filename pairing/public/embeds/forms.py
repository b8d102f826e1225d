"""The form for a club's website and search engines."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club
from pairing.public.embeds.frame_permissions import MAX_ORIGINS, parse_origin


class WebsiteSettingsForm(forms.ModelForm):
    """Websites that can show events, one a line; only their origins are saved."""

    sites = forms.CharField(
        label=gettext_lazy("websites that can show your events"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "placeholder": "https://www.example.org"}),
        help_text=gettext_lazy("One address per line. If empty, no other website can embed your events."),
    )
    field_order = ("sites", "in_search_engines")

    class Meta:
        model = Club
        fields = ("in_search_engines",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["sites"] = "\n".join(self.instance.frame_origins)

    def clean_sites(self) -> list[str]:
        found = dict.fromkeys(parse_origin(line) for line in self.cleaned_data["sites"].split())
        if len(found) > MAX_ORIGINS:
            raise ValidationError(_("At most %(number)s websites.") % {"number": MAX_ORIGINS})
        return list(found)

    def save(self, commit: bool = True) -> Club:
        self.instance.frame_origins = self.cleaned_data["sites"]
        club: Club = super().save(commit)
        return club
