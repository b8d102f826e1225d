"""URLs of the letterhead settings."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.membership.letterhead import views
from common.navigation import MenuLink, MenuSlot, register_menu_links

urlpatterns = [
    path("<slug:club>/settings/paper/", views.letterhead_settings, name="letterhead_settings"),
    path("<slug:club>/settings/paper/logo.png", views.letterhead_logo, name="letterhead_logo"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.SETTINGS, name="paper", title=_("Print settings"), url_name="letterhead_settings", position=30
    )
)
