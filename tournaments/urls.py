"""URLs of events: one line for each package.

Packages with fixed words in a club's address come before those of events, whose slug can be any word.
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tournaments.notifications.urls")),
    path("", include("tournaments.privacy.urls")),
    path("", include("tournaments.club_ratings.urls")),
    path("", include("tournaments.series.urls")),
    path("", include("tournaments.import_export.urls")),
    path("", include("tournaments.events.urls")),
    path("", include("tournaments.audit_log.urls")),
    path("", include("tournaments.entries.urls")),
    path("", include("tournaments.check_in.urls")),
    path("", include("tournaments.online_entries.urls")),
]
