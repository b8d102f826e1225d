"""Pages of people: one line a room."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("clubs.accounts.urls")),
    path("", include("clubs.jobs.urls")),
    path("", include("clubs.letterhead.urls")),
    path("", include("clubs.people.urls")),
    path("", include("clubs.money.urls")),
    path("", include("clubs.rating_lists.urls")),
]
