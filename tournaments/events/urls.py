"""Addresses of making and changing events."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from tournaments.events.views import deleting, events

urlpatterns = [
    path("<slug:club>/events/new/", events.tournament_new, name="tournament_new"),
    path("<slug:club>/events/deleted/", deleting.deleted_list, name="deleted_events"),
    path("<slug:club>/events/deleted/<int:deleted>/restore/", deleting.deleted_restore, name="deleted_restore"),
    path("<slug:club>/<slug:event>/system/", events.tournament_system, name="tournament_system"),
    path("<slug:club>/<slug:event>/delete/", deleting.tournament_delete, name="tournament_delete"),
    path("<slug:club>/<slug:event>/again/", deleting.tournament_again, name="tournament_again"),
    path("<slug:club>/<slug:event>/edit/", events.tournament_edit, name="tournament_edit"),
]

offer(Way(spot=Spot.ARRIVED, name="event", title=_("Your first event"), page="tournament_new", place=10))
