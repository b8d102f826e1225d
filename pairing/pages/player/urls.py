"""Addresses of what players do by their personal links, and on devices that know them."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from pairing.pages.player.views import device, offline, personal

by_personal_link: list[URLPattern] = [
    path("", personal.personal_page, name="personal"),
    path("story/", personal.personal_story, name="personal_story"),
    path("calendar.ics", personal.personal_calendar, name="personal_calendar"),
    path("check-in/", personal.personal_check_in, name="personal_check_in"),
    path("bye/", personal.personal_bye, name="personal_bye"),
    path("result/", personal.personal_result, name="personal_result"),
    path("claim/", personal.personal_claim, name="personal_claim"),
]

urlpatterns = [
    path("p/<str:token>/", include(by_personal_link)),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("service-worker.js", offline.service_worker, name="service_worker"),
    path("offline/", offline.offline, name="offline"),
    path("me/", device.me, name="me"),
    path("me/forget/", device.me_forget, name="me_forget"),
    path("<slug:club>/<slug:event>/me/", device.event_me, name="event_me"),
    path("<slug:club>/<slug:event>/me/story/", device.event_story, name="event_story"),
    path("<slug:club>/<slug:event>/me/board/", device.my_board, name="my_board"),
]

offer(
    Way(
        spot=Spot.EVENT,
        name="me",
        title=_("My board"),
        page="event_me",
        place=15,
        when=lambda context: not context.get("may_run"),
    )
)
