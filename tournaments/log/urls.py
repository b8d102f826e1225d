"""Address of an event's log."""

from __future__ import annotations

from django.urls import path

from tournaments.log import views

urlpatterns = [path("<slug:club>/<slug:event>/log/", views.tournament_log, name="tournament_log")]
