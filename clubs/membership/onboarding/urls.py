"""Addresses of setting up and of clubs."""

from __future__ import annotations

from django.conf import settings
from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.membership.onboarding import views
from common.navigation import Spot, Way, offer

urlpatterns = [
    path("set-up/", views.set_up, name="set_up"),
    path("clubs/", views.server_clubs, name="server_clubs"),
    path("clubs/new/", views.club_new, name="club_new"),
    path("clubs/ask/", views.club_ask, name="club_ask"),
    path("clubs/asked/<int:asked>/", views.club_request_answer, name="club_request_answer"),
    path("<slug:club>/settings/welcome/", views.arrived, name="arrived"),
]

offer(
    Way(
        spot=Spot.ARRIVING,
        name="clubs",
        title=_("Clubs of this server"),
        page="server_clubs",
        place=10,
        when=lambda c: c["user"].is_superuser,
    ),
    Way(
        spot=Spot.ARRIVING,
        name="ask",
        title=_("Have your club here"),
        page="club_ask",
        place=20,
        when=lambda c: settings.CLUBS_MAY_BE_ASKED_FOR and not c["user"].is_superuser,
    ),
)
