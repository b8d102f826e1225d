"""URLs of series, the calendar and attendance."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from tournaments.series import views

urlpatterns = [
    path("<slug:club>/calendar/", views.club_calendar, name="club_calendar"),
    path("<slug:club>/calendar.ics", views.calendar_feed, name="calendar_feed"),
    path("<slug:club>/attendance/", views.attendance_page, name="attendance_page"),
    path("<slug:club>/series/new/", views.series_new, name="series_new"),
    path("<slug:club>/series/<int:series>/", views.series_page, name="series_page"),
    path("<slug:club>/series/<int:series>/edit/", views.series_edit, name="series_edit"),
    path("<slug:club>/<slug:event>/evenings/", views.evenings_edit, name="evenings_edit"),
]

register_menu_links(
    MenuLink(slot=MenuSlot.CLUB, name="calendar", title=_("Calendar"), url_name="club_calendar", position=30)
)
