"""Addresses of lists and report files, both ways."""

from __future__ import annotations

from django.urls import path

from tournaments.exchange import views

urlpatterns = [
    path("<slug:club>/events/import/", views.tournament_import, name="tournament_import"),
    path("<slug:club>/<slug:event>/export.trf", views.trf_export, name="trf_export"),
    path("<slug:club>/<slug:event>/players/paste/", views.entries_paste, name="entries_paste"),
    path("<slug:club>/<slug:event>/players/import/", views.entries_import, name="entries_import"),
]
