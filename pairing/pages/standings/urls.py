"""URLs of standings, player cards, lots and prizes."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.pages.standings import views
from tournaments.models import PairingSystem

urlpatterns = [
    path("<slug:club>/<slug:event>/standings/", views.standings_page, name="standings"),
    path("<slug:club>/<slug:event>/standings/<int:after>/", views.standings_page, name="standings_after"),
    path("<slug:club>/<slug:event>/standings/<int:after>/crosstable/", views.crosstable_page, name="crosstable"),
    path("<slug:club>/<slug:event>/standings/<int:after>/clubs/", views.club_standings, name="club_standings"),
    path(
        "<slug:club>/<slug:event>/standings/<int:after>/<int:entry>/",
        views.tie_break_working,
        name="tie_break_working",
    ),
    path("<slug:club>/<slug:event>/schedule/", views.schedule_page, name="schedule"),
    path("<slug:club>/<slug:event>/schedule/draw/", views.schedule_draw, name="schedule_draw"),
    path("<slug:club>/<slug:event>/lots/draw/", views.lots_draw, name="lots_draw"),
    path("<slug:club>/<slug:event>/lots/draw-again/", views.lots_draw_again, name="lots_draw_again"),
    path("<slug:club>/<slug:event>/prizes/", views.prizes_page, name="prizes"),
    path("<slug:club>/<slug:event>/prizes/edit/", views.prizes_edit, name="prizes_edit"),
    path("<slug:club>/<slug:event>/prizes/publish/", views.prizes_publish, name="prizes_publish"),
    path("<slug:club>/<slug:event>/players/<int:entry>/", views.player_page, name="player"),
    path("<slug:club>/<slug:event>/players/<int:entry>/path/", views.player_progress, name="player_progress"),
]

register_menu_links(
    MenuLink(slot=MenuSlot.EVENT, name="standings", title=_("Standings"), url_name="standings", position=30)
)
register_menu_links(
    MenuLink(
        slot=MenuSlot.EVENT,
        name="schedule",
        title=_("Schedule"),
        url_name="schedule",
        position=25,
        is_visible=lambda context: context["tournament"].system == PairingSystem.ROUND_ROBIN,
    )
)
