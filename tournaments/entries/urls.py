"""URLs of entries and forbidden pairs."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from tournaments.entries.views import entries, forbidden_pairs, player_search

player_urls: list[URLPattern] = [
    path("", entries.entries, name="entries"),
    path("add/", player_search.entries_add, name="entries_add"),
    path("choose/", entries.entries_add_members, name="entries_add_members"),
    path("<int:entry>/edit/", entries.entry_edit, name="entry_edit"),
    path("<int:entry>/first-round/", entries.entry_first_round_edit, name="entry_first_round_edit"),
    path("<int:entry>/withdraw/", entries.entry_withdraw, name="entry_withdraw"),
    path("<int:entry>/return/", entries.entry_reinstate, name="entry_reinstate"),
    path("<int:entry>/remove/", entries.entry_remove, name="entry_remove"),
]

forbidden_pair_urls: list[URLPattern] = [
    path("", forbidden_pairs.forbidden_pairs, name="forbidden_pairs"),
    path("groups/", forbidden_pairs.forbidden_groups_add, name="forbidden_groups_add"),
    path("may-meet/", forbidden_pairs.forbidden_group_remove, name="forbidden_group_remove"),
    path("<int:pair>/remove/", forbidden_pairs.forbidden_pair_remove, name="forbidden_pair_remove"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/players/", include(player_urls)),
    path("<slug:club>/<slug:event>/must-not-meet/", include(forbidden_pair_urls)),
]

register_menu_links(MenuLink(slot=MenuSlot.EVENT, name="players", title=_("Players"), url_name="entries", position=20))
