"""Addresses of the front page, a club's page and events."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.ways import Spot, Way, offer
from tournaments.events.views import events, front

urlpatterns = [
    path("", front.home, name="home"),
    path("<slug:club>/", front.club, name="club"),
    path("<slug:club>/events/new/", events.tournament_new, name="tournament_new"),
    path("<slug:club>/<slug:event>/", events.tournament, name="tournament"),
    path("<slug:club>/<slug:event>/edit/", events.tournament_edit, name="tournament_edit"),
]

offer(Way(spot=Spot.EVENT, name="overview", title=_("Event"), page="tournament", place=10))
