"""URLs for club archives."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from operations.club_transfer import views

urlpatterns = [
    path("clubs/import/", views.club_import, name="club_import"),
    path("<slug:club>/settings/export/", views.club_export, name="club_export"),
    path("<slug:club>/settings/export/archive.zip", views.club_export_download, name="club_export_download"),
]

register_menu_links(
    MenuLink(slot=MenuSlot.SETTINGS_ONLINE, name="export", title=_("Export everything"), url_name="club_export", position=90),
    MenuLink(
        slot=MenuSlot.ONBOARDING,
        name="import",
        title=_("Import club from another Clubnight server"),
        url_name="club_import",
        position=30,
        is_visible=lambda c: c["user"].is_superuser,
    ),
)
