"""URLs of online entries."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from tournaments.online_entries.views import players, secretary

player_urls: list[URLPattern] = [
    path("", players.online_entry_form, name="online_entry_form"),
    path("list/", players.online_entry_list, name="online_entry_list"),
    path("confirm/<str:token>/", players.online_entry_confirm, name="online_entry_confirm"),
    path("<str:token>/", players.online_entry_status, name="online_entry_status"),
]

secretary_urls: list[URLPattern] = [
    path("", secretary.online_entries_review, name="online_entries_review"),
    path("settings/", secretary.entry_form_edit, name="entry_form_edit"),
    path("export/", secretary.online_entries_export, name="online_entries_export"),
    path("<int:online_entry>/", secretary.online_entry_decide, name="online_entry_decide"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/enter/", include(player_urls)),
    path("<slug:club>/<slug:event>/online-entries/", include(secretary_urls)),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.EVENT_MORE,
        name="online_entries",
        title=_("Online entries"),
        url_name="online_entries_review",
        position=15,
        is_visible=lambda context: bool(context.get("is_secretary")),
    )
)
