"""URLs of notifications: preferences, the links in messages, and the page for arbiters."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from tournaments.notifications.views import link_distribution, notification_links, preferences, silent_players

urlpatterns = [
    path("p/<str:token>/messages/", preferences.personal_notifications, name="personal_notifications"),
    path("p/<str:token>/messages/device/", preferences.personal_device_add, name="personal_device_add"),
    path("told/<str:token>/", notification_links.notification_channel_edit, name="notification_channel_edit"),
    path("told/<str:token>/stop/", notification_links.notification_channel_stop, name="notification_channel_stop"),
    path(
        "told/<str:token>/confirm/",
        notification_links.notification_channel_confirm,
        name="notification_channel_confirm",
    ),
    path("told/<str:token>/cannot/", notification_links.evening_answer, name="evening_answer"),
    path(
        "<slug:club>/<slug:event>/rounds/<int:number>/check-in/remind/",
        silent_players.silent_players_remind,
        name="silent_players_remind",
    ),
    path("<slug:club>/<slug:event>/players/links/all/", link_distribution.link_distribution, name="link_distribution"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.PERSONAL_LINKS,
        name="link_distribution",
        title=_("Share all links"),
        url_name="link_distribution",
        position=10,
    ),
)
