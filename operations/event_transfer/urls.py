"""URLs for event files."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from operations.event_transfer import views

urlpatterns = [
    path("<slug:club>/events/bring-in/", views.event_file_import, name="event_file_import"),
    path("<slug:club>/<slug:event>/take-along.json", views.event_file_export, name="event_file_export"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.NEW_EVENT,
        name="bring in",
        title=_("From another Clubnight server"),
        url_name="event_file_import",
        position=10,
    )
)
