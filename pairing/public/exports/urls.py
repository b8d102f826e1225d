"""Addresses of what an event gives away as files."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from pairing.public.exports import views

urlpatterns = [
    path("<slug:club>/events/files/", views.club_files, name="club_files"),
    path("<slug:club>/<slug:event>/files/", views.event_files, name="event_files"),
    path("<slug:club>/<slug:event>/files/pages.zip", views.event_folder, name="event_folder"),
    path("<slug:club>/<slug:event>/files/round-<int:number>.<slug:kind>", views.round_file, name="round_file"),
    path("<slug:club>/<slug:event>/files/<slug:table>.<slug:kind>", views.event_table, name="event_table"),
]

offer(
    Way(spot=Spot.EVENT_MORE, name="files", title=_("Files, in and out"), page="event_files", place=5),
    Way(spot=Spot.NEW_EVENT, name="files", title=_("Files, in and out"), page="club_files", place=20),
)
