"""Addresses of rating lists."""

from __future__ import annotations

from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from clubs.rating.lists import views
from common.navigation import Spot, Way, offer

urlpatterns: list[URLPattern] = [
    path("<slug:club>/ratings/lists/", views.rating_lists, name="rating_lists"),
    path("<slug:club>/ratings/lists/players/<int:player>/", views.listed_is_member, name="listed_is_member"),
    path("<slug:club>/ratings/lists/new/", views.rating_list_new, name="rating_list_new"),
    path("<slug:club>/ratings/lists/imports/<int:listed>/", views.rating_list_import, name="rating_list_import"),
    path("<slug:club>/ratings/lists/registers/new/", views.register_new, name="register_new"),
    path("<slug:club>/ratings/lists/registers/<int:register>/", views.register_edit, name="register_edit"),
    path("<slug:club>/ratings/lists/registers/<int:register>/address/", views.register_fetch, name="register_fetch"),
    path("<slug:club>/ratings/lists/registers/<int:register>/changes/", views.rating_changes, name="rating_changes"),
]

offer(
    Way(spot=Spot.LISTED, name="claim", title=_("This is our member"), page="listed_is_member", place=20),
    Way(spot=Spot.SETTINGS, name="lists", title=_("Rating lists"), page="rating_lists", place=40),
    Way(
        spot=Spot.ARRIVED,
        name="lists",
        title=_("Bring in the rating list your players stand in"),
        page="rating_lists",
        place=40,
    ),
)
