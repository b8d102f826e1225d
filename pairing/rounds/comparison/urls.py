"""Addresses of pairings looked at side by side."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from pairing.rounds.comparison import checked_views, views, what_if_views

a_round: list[URLPattern] = [
    path("compare/", views.round_compare, name="round_compare"),
    path("what-if/", what_if_views.what_if, name="what_if"),
    path("what-if/<int:job>/", what_if_views.what_if_result, name="what_if_result"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/checked/", checked_views.event_checked, name="event_checked"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(a_round)),
]

offer(Way(spot=Spot.EVENT_MORE, name="checked", title=_("Held against the rules"), page="event_checked", place=30))
