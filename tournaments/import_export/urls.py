"""Addresses of lists and report files, both ways."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from tournaments.import_export import report_views, views

urlpatterns = [
    path("<slug:club>/events/import/", views.tournament_import, name="tournament_import"),
    path("<slug:club>/ratings/reports/", report_views.reports_of_month, name="reports_of_month"),
    path("<slug:club>/<slug:event>/report/", report_views.event_report, name="event_report"),
    path("<slug:club>/<slug:event>/export.trf", views.trf_export, name="trf_export"),
    path("<slug:club>/<slug:event>/players/paste/", views.entries_paste, name="entries_paste"),
    path("<slug:club>/<slug:event>/players/import/", views.entries_import, name="entries_import"),
]

offer(
    Way(
        spot=Spot.CLUB_RATINGS,
        name="reports",
        title=_("Reports to FIDE"),
        page="reports_of_month",
        place=10,
        when=lambda c: bool(c["may_run"]),
    )
)
