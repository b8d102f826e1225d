"""URLs of personal links and of players' own devices."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.pages.player import views

personal_link_urls: list[URLPattern] = [
    path("", views.personal_page, name="personal"),
    path("story/", views.personal_history, name="personal_history"),
    path("calendar.ics", views.personal_calendar, name="personal_calendar"),
    path("check-in/", views.personal_check_in, name="personal_check_in"),
    path("bye/", views.personal_bye, name="personal_bye"),
    path("leave/", views.personal_leave, name="personal_leave"),
    path("result/", views.personal_result, name="personal_result"),
    path("claim/", views.personal_account_request, name="personal_account_request"),
]

urlpatterns = [
    path("p/<str:token>/", include(personal_link_urls)),
    path("me/", views.my_page, name="my_page"),
    path("me/forget/", views.my_device_forget, name="my_device_forget"),
    path("<slug:club>/<slug:event>/me/", views.my_event_page, name="my_event_page"),
    path("<slug:club>/<slug:event>/me/story/", views.my_event_history, name="my_event_history"),
    path("<slug:club>/<slug:event>/me/board/", views.my_board, name="my_board"),
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
