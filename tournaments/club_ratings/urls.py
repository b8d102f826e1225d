"""Addresses of the club's own ratings."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from tournaments.club_ratings import views

urlpatterns = [
    path("<slug:club>/ratings/", views.club_ratings, name="club_ratings"),
    path("<slug:club>/ratings/months/", views.ratings_of_month, name="ratings_of_month"),
    path("<slug:club>/ratings/months.<slug:kind>", views.ratings_of_month_export, name="ratings_of_month_export"),
    path("<slug:club>/ratings/method/", views.rating_method, name="rating_method"),
    path("<slug:club>/ratings/<int:member>/", views.member_ratings, name="member_ratings"),
]

offer(
    Way(
        spot=Spot.MEMBER_FACTS,
        name="ratings",
        title=_("The club's own ratings, with every game"),
        page="member_ratings",
        place=10,
    ),
    Way(spot=Spot.CLUB, name="ratings", title=_("Ratings"), page="club_ratings", place=20, when=lambda c: c["belongs"]),
    Way(spot=Spot.SETTINGS, name="ratings", title=_("How the club rates its games"), page="rating_method", place=45),
    Way(spot=Spot.RATINGS, name="ratings", title=_("Ratings"), page="club_ratings", place=10),
)
