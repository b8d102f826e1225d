"""Addresses of the club's own ratings."""

from __future__ import annotations

from django.urls import path

from tournaments.rated import views

urlpatterns = [
    path("<slug:club>/ratings/", views.club_ratings, name="club_ratings"),
    path("<slug:club>/ratings/method/", views.rating_method, name="rating_method"),
    path("<slug:club>/ratings/<int:member>/", views.member_ratings, name="member_ratings"),
]
