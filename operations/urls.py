"""URLs of operations, one line per package."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("operations.health.urls")),
    path("", include("operations.demo.urls")),
    path("", include("operations.backups.urls")),
    path("", include("operations.event_transfer.urls")),
    path("", include("operations.club_transfer.urls")),
]
