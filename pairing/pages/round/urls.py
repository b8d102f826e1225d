"""Addresses of the round's page, its results, and the hall's screen."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.pages.round.views import hall, maps, reading_again, results, rounds, versions

a_round: list[URLPattern] = [
    path("", rounds.round_page, name="round"),
    path("pair/", rounds.round_pair, name="round_pair"),
    path("publish/", rounds.round_publish, name="round_publish"),
    path("discard/", rounds.round_discard, name="round_discard"),
    path("unpublish/", rounds.round_unpublish, name="round_unpublish"),
    path("finish/", rounds.round_finish, name="round_finish"),
    path("reopen/", rounds.round_reopen, name="round_reopen"),
    path("final/", versions.round_final, name="round_final"),
    path("current/<int:version>/", versions.current_pairing, name="current_pairing"),
    path("results/", results.round_results, name="round_results"),
    path("boards/<int:board>/", results.board_page, name="board"),
    path("boards/<int:board>/result/", results.board_result, name="board_result"),
    path("again/", reading_again.round_again, name="round_again"),
    path("again/all/", reading_again.round_again_all, name="round_again_all"),
    path("boards/<int:board>/again/", reading_again.board_again, name="board_again"),
    path("map/", maps.round_map_page, name="round_map"),
    path("message/", hall.hall_message, name="hall_message"),
    path("keys/", reading_again.round_keys, name="round_keys"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/hall/", hall.hall, name="hall"),
    path("<slug:club>/<slug:event>/rounds/", rounds.latest_round, name="latest_round"),
    path("<slug:club>/<slug:event>/rounds/code.svg", rounds.round_code, name="round_code"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(a_round)),
]
