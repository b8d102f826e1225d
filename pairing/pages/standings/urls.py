"""Addresses of standings, players' cards, lots and prizes."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from pairing.pages.standings.views import lots, prizes, schedule, tables
from tournaments.models import System

urlpatterns = [
    path("<slug:club>/<slug:event>/standings/", tables.standings_page, name="standings"),
    path("<slug:club>/<slug:event>/standings/<int:after>/", tables.standings_page, name="standings_after"),
    path("<slug:club>/<slug:event>/standings/<int:after>/crosstable/", tables.crosstable_page, name="crosstable"),
    path("<slug:club>/<slug:event>/standings/<int:after>/clubs/", tables.clubs_page, name="standings_clubs"),
    path("<slug:club>/<slug:event>/standings/<int:after>/<int:tpn>/", tables.working_page, name="working"),
    path("<slug:club>/<slug:event>/schedule/", schedule.schedule_page, name="schedule"),
    path("<slug:club>/<slug:event>/schedule/draw/", schedule.schedule_draw, name="schedule_draw"),
    path("<slug:club>/<slug:event>/lots/draw/", lots.lots_draw, name="lots_draw"),
    path("<slug:club>/<slug:event>/lots/draw-again/", lots.lots_draw_again, name="lots_draw_again"),
    path("<slug:club>/<slug:event>/prizes/", prizes.prizes_page, name="prizes"),
    path("<slug:club>/<slug:event>/prizes/edit/", prizes.prizes_edit, name="prizes_edit"),
    path("<slug:club>/<slug:event>/prizes/publish/", prizes.prizes_publish, name="prizes_publish"),
    path("<slug:club>/<slug:event>/players/<int:tpn>/", tables.player_page, name="player"),
    path("<slug:club>/<slug:event>/players/<int:tpn>/path/", tables.player_path, name="player_path"),
]

offer(Way(spot=Spot.EVENT, name="standings", title=_("Standings"), page="standings", place=30))
offer(
    Way(
        spot=Spot.EVENT,
        name="schedule",
        title=_("Schedule"),
        page="schedule",
        place=25,
        when=lambda context: context["tournament"].system == System.ROUND_ROBIN,
    )
)
