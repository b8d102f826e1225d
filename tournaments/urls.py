"""Pages of events: one line a room.

Rooms with fixed words in a club's address come before events, whose own address is any word.
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tournaments.telling.urls")),
    path("", include("tournaments.people.urls")),
    path("", include("tournaments.rated.urls")),
    path("", include("tournaments.seasons.urls")),
    path("", include("tournaments.exchange.urls")),
    path("", include("tournaments.events.urls")),
    path("", include("tournaments.log.urls")),
    path("", include("tournaments.entries.urls")),
    path("", include("tournaments.door.urls")),
]
