"""URLs of the home page, a club's page and an event's page."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.pages.home import views

urlpatterns = [
    path("", views.home_page, name="home"),
    path("<slug:club>/", views.club_page, name="club"),
    path("<slug:club>/birthdays/", views.club_birthdays_edit, name="club_birthdays_edit"),
    path("<slug:club>/<slug:event>/", views.tournament_page, name="tournament"),
]

register_menu_links(
    MenuLink(slot=MenuSlot.CLUB, name="events", title=_("Events"), url_name="club", position=5),
    MenuLink(slot=MenuSlot.EVENT, name="overview", title=_("Event"), url_name="tournament", position=10),
)
