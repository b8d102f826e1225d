"""URLs of the set-up and club creation pages."""

from __future__ import annotations

from django.conf import settings
from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.membership.onboarding import views
from common.navigation import MenuLink, MenuSlot, register_menu_links

urlpatterns = [
    path("set-up/", views.server_set_up, name="server_set_up"),
    path("clubs/", views.server_clubs, name="server_clubs"),
    path("clubs/new/", views.club_new, name="club_new"),
    path("clubs/ask/", views.club_request_new, name="club_request_new"),
    path("clubs/asked/<int:asked>/", views.club_request_answer, name="club_request_answer"),
    path("<slug:club>/settings/welcome/", views.club_welcome, name="club_welcome"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.ONBOARDING,
        name="clubs",
        title=_("Clubs on this server"),
        url_name="server_clubs",
        position=10,
        is_visible=lambda c: c["user"].is_superuser,
    ),
    MenuLink(
        slot=MenuSlot.ONBOARDING,
        name="ask",
        title=_("Request a club"),
        url_name="club_request_new",
        position=20,
        is_visible=lambda c: settings.CLUB_REQUESTS_ALLOWED and not c["user"].is_superuser,
    ),
)
