"""URLs of the club settings."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.membership.club_settings import views
from common.navigation import MenuLink, MenuSlot, register_menu_links

urlpatterns = [
    path("<slug:club>/settings/", views.club_settings, name="club_settings"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.CLUB,
        name="settings",
        title=_("Settings"),
        url_name="club_settings",
        position=90,
        is_visible=lambda c: c["may_edit"],
    )
)
