"""Addresses of the pages that explain the methods."""

from __future__ import annotations

from django.urls import path

from pairing.explanations import views

urlpatterns = [
    path("help/systems/all/", views.help_systems, name="help_systems"),
    path("help/systems/<slug:name>/", views.help_system, name="help_system"),
]
