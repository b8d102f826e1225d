"""Permissions for frames in a club's own website."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.clickjacking import xframe_options_exempt

from clubs.models import Club
from clubs.request_types import WebRequest
from clubs.time_zones import activate_club_time_zone

MAX_ORIGINS = 10
_HOST = re.compile(r"(?=.{1,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?))*\Z")

View = Callable[..., HttpResponse]


def parse_origin(address: str) -> str:
    """Return the origin of a website's URL, such as `https://www.example.org`, or raise ValidationError.

    Wildcards are not allowed, and only this computer can use http: a site that frames a page controls what is round it.
    """
    refused = ValidationError(
        _("“%(address)s” isn't a website address. Enter one such as https://www.example.org.") % {"address": address}
    )
    try:
        parts = urlsplit(address.strip())
        host = (parts.hostname or "").encode("idna").decode()
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise refused from error
    is_here = host in ("localhost", "127.0.0.1")
    if parts.scheme not in (("https", "http") if is_here else ("https",)) or not _HOST.match(host) or parts.username:
        raise refused
    return f"{parts.scheme}://{host}{port}"


def allow_in_frames(view: View) -> View:
    """Allow the club's websites to show a page in a frame. Raises Http404 if the club has none.

    Visitors are anonymous here, even if they are signed in elsewhere. A frame shows public data only, in the club's
    language or that of `?lang=`, and sets no cookie.
    """

    @wraps(view)
    def framed_view(request: WebRequest, club: str, *args: Any, **kwargs: Any) -> HttpResponse:
        the_club = Club.objects.filter(slug=club).first()
        if the_club is None or not the_club.frame_origins:
            raise Http404
        activate_club_time_zone(the_club)
        request.user = AnonymousUser()
        wanted = request.GET.get("lang", "")
        translation.activate(wanted if wanted in dict(settings.LANGUAGES) else the_club.language)
        response = view(request, club, *args, **kwargs)
        response.frame_ancestors = ["'self'", *the_club.frame_origins]  # type: ignore[attr-defined]
        return response

    return xframe_options_exempt(framed_view)


class WebsiteSettingsForm(forms.ModelForm):
    """Websites that can show events, one per line. Only their origins are saved."""

    sites = forms.CharField(
        label=gettext_lazy("websites that can show your events"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "placeholder": "https://www.example.org"}),
        help_text=gettext_lazy(
            "One address per line. If you leave this empty, no other website can embed your events."
        ),
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
            raise ValidationError(_("You can add up to %(number)s websites.") % {"number": MAX_ORIGINS})
        return list(found)

    def save(self, commit: bool = True) -> Club:
        self.instance.frame_origins = self.cleaned_data["sites"]
        club: Club = super().save(commit)
        return club
