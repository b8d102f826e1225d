"""Pages of people: one line a room."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("clubs.accounts.urls")),
    path("", include("clubs.identity.urls")),
    path("", include("clubs.moving_in.urls")),
    path("", include("clubs.club_settings.urls")),
    path("", include("clubs.jobs.urls")),
    path("", include("clubs.letterhead.urls")),
    path("", include("clubs.people.urls")),
    path("", include("clubs.money.urls")),
    path("", include("clubs.bank.urls")),
    path("", include("clubs.debits.urls")),
    path("", include("clubs.books.urls")),
    path("", include("clubs.rating_lists.urls")),
]
