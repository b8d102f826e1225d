"""URLs of the help pages about the methods."""

from __future__ import annotations

from django.urls import path

from pairing.explanations import views

urlpatterns = [
    path("help/systems/all/", views.pairing_help_list, name="pairing_help_list"),
    path("help/systems/<slug:name>/", views.pairing_help_page, name="pairing_help_page"),
]
