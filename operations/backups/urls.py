"""URLs of the server's backups."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from operations.backups import views

urlpatterns = [
    path("clubs/backups/", views.backup_list, name="backup_list"),
    path("clubs/backups/make/", views.backup_make, name="backup_make"),
    path("clubs/backups/<str:name>", views.backup_download, name="backup_download"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.ONBOARDING,
        name="backups",
        title=_("Backups"),
        url_name="backup_list",
        position=40,
        is_visible=lambda c: c["user"].is_superuser,
    )
)
