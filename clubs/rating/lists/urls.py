"""URLs of rating lists."""

from __future__ import annotations

from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from clubs.rating.lists import views
from common.navigation import MenuLink, MenuSlot, register_menu_links

urlpatterns: list[URLPattern] = [
    path("<slug:club>/ratings/lists/", views.rating_list_overview, name="rating_list_overview"),
    path(
        "<slug:club>/ratings/lists/players/<int:player>/",
        views.listed_player_link_member,
        name="listed_player_link_member",
    ),
    path("<slug:club>/ratings/lists/new/", views.rating_list_upload, name="rating_list_upload"),
    path(
        "<slug:club>/ratings/lists/imports/<int:listed>/",
        views.rating_list_import_progress,
        name="rating_list_import_progress",
    ),
    path("<slug:club>/ratings/lists/registers/new/", views.rating_register_new, name="rating_register_new"),
    path(
        "<slug:club>/ratings/lists/registers/<int:register>/", views.rating_register_edit, name="rating_register_edit"
    ),
    path(
        "<slug:club>/ratings/lists/registers/<int:register>/address/",
        views.rating_register_download,
        name="rating_register_download",
    ),
    path(
        "<slug:club>/ratings/lists/registers/<int:register>/changes/",
        views.rating_list_changes,
        name="rating_list_changes",
    ),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.LISTED_PLAYER,
        name="claim",
        title=_("Link to member"),
        url_name="listed_player_link_member",
        position=20,
    ),
    MenuLink(
        slot=MenuSlot.SETTINGS, name="lists", title=_("Rating lists"), url_name="rating_list_overview", position=40
    ),
    MenuLink(
        slot=MenuSlot.NEW_CLUB,
        name="lists",
        title=_("Import your players' rating list"),
        url_name="rating_list_overview",
        position=40,
    ),
)
