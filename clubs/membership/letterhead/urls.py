"""Addresses of how a club has its papers printed."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.membership.letterhead import views
from common.navigation import Spot, Way, offer

urlpatterns = [
    path("<slug:club>/settings/paper/", views.paper_settings, name="paper_settings"),
    path("<slug:club>/settings/paper/logo.png", views.club_logo, name="club_logo"),
]

offer(Way(spot=Spot.SETTINGS, name="paper", title=_("The club's paper"), page="paper_settings", place=30))
