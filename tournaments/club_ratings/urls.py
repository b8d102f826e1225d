"""URLs of the club's own ratings."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from tournaments.club_ratings import views

urlpatterns = [
    path("<slug:club>/ratings/", views.club_ratings, name="club_ratings"),
    path("<slug:club>/ratings/months/", views.ratings_of_month, name="ratings_of_month"),
    path("<slug:club>/ratings/months.<slug:kind>", views.ratings_of_month_export, name="ratings_of_month_export"),
    path("<slug:club>/ratings/method/", views.rating_method_edit, name="rating_method_edit"),
    path("<slug:club>/ratings/<int:member>/", views.member_ratings, name="member_ratings"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.MEMBER_FACTS,
        name="ratings",
        title=_("Club ratings and rated games"),
        url_name="member_ratings",
        position=10,
    ),
    MenuLink(
        slot=MenuSlot.CLUB,
        name="ratings",
        title=_("Ratings"),
        url_name="club_ratings",
        position=20,
        is_visible=lambda c: c["belongs"],
    ),
    MenuLink(
        slot=MenuSlot.SETTINGS,
        name="ratings",
        title=_("How ratings are calculated"),
        url_name="rating_method_edit",
        position=45,
    ),
    MenuLink(slot=MenuSlot.RATING_LISTS, name="ratings", title=_("Ratings"), url_name="club_ratings", position=10),
)
