"""Addresses of the front page, a club's page and an event's."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from pairing.pages.home import views

urlpatterns = [
    path("", views.home, name="home"),
    path("<slug:club>/", views.club, name="club"),
    path("<slug:club>/birthdays/", views.club_birthdays, name="club_birthdays"),
    path("<slug:club>/<slug:event>/", views.tournament, name="tournament"),
]

offer(
    Way(spot=Spot.CLUB, name="events", title=_("Events"), page="club", place=5),
    Way(spot=Spot.EVENT, name="overview", title=_("Event"), page="tournament", place=10),
)
