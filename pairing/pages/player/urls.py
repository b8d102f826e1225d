"""URLs of personal links and of players' own devices."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.pages.player.views import device, offline, personal_link

personal_link_urls: list[URLPattern] = [
    path("", personal_link.personal_page, name="personal"),
    path("story/", personal_link.personal_history, name="personal_history"),
    path("calendar.ics", personal_link.personal_calendar, name="personal_calendar"),
    path("check-in/", personal_link.personal_check_in, name="personal_check_in"),
    path("bye/", personal_link.personal_bye, name="personal_bye"),
    path("result/", personal_link.personal_result, name="personal_result"),
    path("claim/", personal_link.personal_account_request, name="personal_account_request"),
]

urlpatterns = [
    path("p/<str:token>/", include(personal_link_urls)),
    path("manifest.webmanifest", offline.web_app_manifest, name="web_app_manifest"),
    path("service-worker.js", offline.service_worker, name="service_worker"),
    path("offline/", offline.offline_page, name="offline_page"),
    path("me/", device.my_page, name="my_page"),
    path("me/forget/", device.my_device_forget, name="my_device_forget"),
    path("<slug:club>/<slug:event>/me/", device.my_event_page, name="my_event_page"),
    path("<slug:club>/<slug:event>/me/story/", device.my_event_history, name="my_event_history"),
    path("<slug:club>/<slug:event>/me/board/", device.my_board, name="my_board"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.EVENT,
        name="me",
        title=_("My board"),
        url_name="my_event_page",
        position=15,
        is_visible=lambda context: not context.get("may_run"),
    )
)
