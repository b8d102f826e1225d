"""Addresses of the server's backups."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from operations.backups import views

urlpatterns = [
    path("clubs/backups/", views.backups, name="backups"),
    path("clubs/backups/make/", views.backup_make, name="backup_make"),
    path("clubs/backups/<str:name>", views.backup_file, name="backup_file"),
]

offer(
    Way(
        spot=Spot.ARRIVING,
        name="backups",
        title=_("Backups"),
        page="backups",
        place=40,
        when=lambda c: c["user"].is_superuser,
    )
)
