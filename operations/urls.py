"""Pages of running the service: one line a package."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("operations.health.urls")),
    path("", include("operations.demo.urls")),
    path("", include("operations.backups.urls")),
    path("", include("operations.event_transfer.urls")),
]
