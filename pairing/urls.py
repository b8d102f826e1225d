"""Pages of pairing: one line a room."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("pairing.vitals.urls")),
    path("", include("pairing.api.urls")),
    path("", include("pairing.design.urls")),
    path("", include("pairing.demo.urls")),
    path("", include("pairing.backups.urls")),
    path("", include("pairing.moving.urls")),
    path("", include("pairing.outgoing.urls")),
    path("", include("pairing.outside.urls")),
    path("", include("pairing.phone.urls")),
    path("", include("pairing.reasons.urls")),
    path("", include("pairing.desk.urls")),
    path("", include("pairing.by_hand.urls")),
    path("", include("pairing.trials.urls")),
    path("", include("pairing.comparing.urls")),
    path("", include("pairing.replay.urls")),
    path("", include("pairing.tables.urls")),
    path("", include("pairing.printing.urls")),
    path("", include("pairing.front.urls")),
]
