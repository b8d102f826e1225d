"""URLs for creating, changing, repeating and deleting events."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from tournaments.events.views import delete_and_repeat, events

urlpatterns = [
    path("<slug:club>/events/new/", events.tournament_new, name="tournament_new"),
    path("<slug:club>/events/deleted/", delete_and_repeat.deleted_event_list, name="deleted_event_list"),
    path(
        "<slug:club>/events/deleted/<int:deleted>/restore/",
        delete_and_repeat.deleted_event_restore,
        name="deleted_event_restore",
    ),
    path("<slug:club>/<slug:event>/system/", events.tournament_system_edit, name="tournament_system_edit"),
    path("<slug:club>/<slug:event>/delete/", delete_and_repeat.tournament_delete, name="tournament_delete"),
    path("<slug:club>/<slug:event>/again/", delete_and_repeat.tournament_repeat, name="tournament_repeat"),
    path("<slug:club>/<slug:event>/edit/", events.tournament_edit, name="tournament_edit"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.NEW_CLUB,
        name="event",
        title=_("Create your first event"),
        url_name="tournament_new",
        position=10,
        is_done=lambda c: c["club"].tournaments.exists(),
    )
)
