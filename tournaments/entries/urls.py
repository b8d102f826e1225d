"""Addresses of who plays and who must not meet."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from tournaments.entries.views import adding, entries, forbidden

players: list[URLPattern] = [
    path("", entries.entries, name="entries"),
    path("add/", adding.entries_add, name="entries_add"),
    path("choose/", entries.entries_choose, name="entries_choose"),
    path("<int:entry>/edit/", entries.entry_edit, name="entry_edit"),
    path("<int:entry>/first-round/", entries.entry_first_round, name="entry_first_round"),
    path("<int:entry>/withdraw/", entries.entry_withdraw, name="entry_withdraw"),
    path("<int:entry>/return/", entries.entry_return, name="entry_return"),
    path("<int:entry>/remove/", entries.entry_remove, name="entry_remove"),
]

must_not_meet: list[URLPattern] = [
    path("", forbidden.forbidden_pairs, name="forbidden_pairs"),
    path("groups/", forbidden.groups_keep_apart, name="groups_keep_apart"),
    path("may-meet/", forbidden.group_may_meet, name="group_may_meet"),
    path("<int:pair>/remove/", forbidden.forbidden_pair_remove, name="forbidden_pair_remove"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/players/", include(players)),
    path("<slug:club>/<slug:event>/must-not-meet/", include(must_not_meet)),
]

offer(Way(spot=Spot.EVENT, name="players", title=_("Players"), page="entries", place=20))
