"""Addresses of whole events as files."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from operations.event_transfer import views

urlpatterns = [
    path("<slug:club>/events/bring-in/", views.event_bring_in, name="event_bring_in"),
    path("<slug:club>/<slug:event>/take-along.json", views.event_take_along, name="event_take_along"),
]

offer(
    Way(
        spot=Spot.EVENT_MORE,
        name="take along",
        title=_("The whole event as a file, to go on with elsewhere"),
        page="event_take_along",
        place=10,
    ),
    Way(
        spot=Spot.NEW_EVENT,
        name="bring in",
        title=_("From another Clubnight"),
        page="event_bring_in",
        place=10,
    ),
)
