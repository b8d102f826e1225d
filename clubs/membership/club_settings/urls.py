"""Addresses of a club's settings."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.membership.club_settings import views
from common.navigation import Spot, Way, offer

urlpatterns = [
    path("<slug:club>/settings/", views.club_settings, name="club_settings"),
]

offer(
    Way(
        spot=Spot.CLUB,
        name="settings",
        title=_("Settings"),
        page="club_settings",
        place=90,
        when=lambda c: c["may_edit"],
    )
)
