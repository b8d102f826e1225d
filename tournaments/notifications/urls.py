"""Addresses of what players are told: chosen on their own pages, changed by a letter's links, looked at by officers."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from tournaments.notifications.views import chosen, officers, outside

urlpatterns = [
    path("p/<str:token>/messages/", chosen.personal_messages, name="personal_messages"),
    path("p/<str:token>/messages/device/", chosen.personal_device, name="personal_device"),
    path("told/<str:token>/", outside.told_way, name="told_way"),
    path("told/<str:token>/stop/", outside.told_stop, name="told_stop"),
    path("told/<str:token>/confirm/", outside.told_confirm, name="told_confirm"),
    path("told/<str:token>/cannot/", outside.told_cannot, name="told_cannot"),
    path("<slug:club>/<slug:event>/players/links/all/", officers.links_for_all, name="links_for_all"),
]

offer(
    Way(spot=Spot.LINKS, name="links_for_all", title=_("Hand them all out"), page="links_for_all", place=10),
)
