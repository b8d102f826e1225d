"""URLs of standings, player cards, lots and prizes."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.pages.standings.views import lots, prizes, schedule, standings
from tournaments.models import PairingSystem

urlpatterns = [
    path("<slug:club>/<slug:event>/standings/", standings.standings_page, name="standings"),
    path("<slug:club>/<slug:event>/standings/<int:after>/", standings.standings_page, name="standings_after"),
    path("<slug:club>/<slug:event>/standings/<int:after>/crosstable/", standings.crosstable_page, name="crosstable"),
    path("<slug:club>/<slug:event>/standings/<int:after>/clubs/", standings.club_standings, name="club_standings"),
    path(
        "<slug:club>/<slug:event>/standings/<int:after>/<int:tpn>/",
        standings.tie_break_working,
        name="tie_break_working",
    ),
    path("<slug:club>/<slug:event>/schedule/", schedule.schedule_page, name="schedule"),
    path("<slug:club>/<slug:event>/schedule/draw/", schedule.schedule_draw, name="schedule_draw"),
    path("<slug:club>/<slug:event>/lots/draw/", lots.lots_draw, name="lots_draw"),
    path("<slug:club>/<slug:event>/lots/draw-again/", lots.lots_draw_again, name="lots_draw_again"),
    path("<slug:club>/<slug:event>/prizes/", prizes.prizes_page, name="prizes"),
    path("<slug:club>/<slug:event>/prizes/edit/", prizes.prizes_edit, name="prizes_edit"),
    path("<slug:club>/<slug:event>/prizes/publish/", prizes.prizes_publish, name="prizes_publish"),
    path("<slug:club>/<slug:event>/players/<int:tpn>/", standings.player_page, name="player"),
    path("<slug:club>/<slug:event>/players/<int:tpn>/path/", standings.player_progress, name="player_progress"),
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
