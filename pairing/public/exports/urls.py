"""URLs of an event's exports."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.public.exports import views

urlpatterns = [
    path("<slug:club>/events/files/", views.club_files, name="club_files"),
    path("<slug:club>/<slug:event>/files/", views.event_files, name="event_files"),
    path("<slug:club>/<slug:event>/files/pages.zip", views.event_static_site, name="event_static_site"),
    path("<slug:club>/<slug:event>/files/round-<int:number>.<slug:kind>", views.round_export, name="round_export"),
    path(
        "<slug:club>/<slug:event>/files/<slug:table>.<slug:kind>", views.event_table_export, name="event_table_export"
    ),
]

register_menu_links(
    MenuLink(slot=MenuSlot.EVENT_MORE, name="files", title=_("Import and export"), url_name="event_files", position=5),
    MenuLink(slot=MenuSlot.NEW_EVENT, name="files", title=_("Import and export"), url_name="club_files", position=20),
)
