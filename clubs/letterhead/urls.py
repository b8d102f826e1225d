"""Addresses of how a club has its papers printed."""

from __future__ import annotations

from django.urls import path

from clubs.letterhead import views

urlpatterns = [
    path("<slug:club>/settings/paper/", views.paper_settings, name="paper_settings"),
    path("<slug:club>/settings/paper/logo.png", views.club_logo, name="club_logo"),
]
