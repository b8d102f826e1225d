"""Addresses of making and changing events."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.ways import Spot, Way, offer
from tournaments.events.views import events

urlpatterns = [
    path("<slug:club>/events/new/", events.tournament_new, name="tournament_new"),
    path("<slug:club>/<slug:event>/edit/", events.tournament_edit, name="tournament_edit"),
]

offer(Way(spot=Spot.ARRIVED, name="event", title=_("Your first event"), page="tournament_new", place=10))
