"""Addresses of series, the calendar and attendance."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from tournaments.series import views

urlpatterns = [
    path("<slug:club>/calendar/", views.calendar, name="calendar"),
    path("<slug:club>/calendar.ics", views.calendar_feed, name="calendar_feed"),
    path("<slug:club>/attendance/", views.attendance_page, name="attendance"),
    path("<slug:club>/series/new/", views.series_new, name="series_new"),
    path("<slug:club>/series/<int:series>/", views.series_page, name="series"),
    path("<slug:club>/series/<int:series>/edit/", views.series_edit, name="series_edit"),
    path("<slug:club>/<slug:event>/evenings/", views.evenings, name="evenings"),
]

offer(Way(spot=Spot.CLUB, name="calendar", title=_("Calendar"), page="calendar", place=30))
