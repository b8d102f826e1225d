"""URLs of the round page, its results, and the hall screen."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.pages.round.views import check_in, hall_screen, results, rounds

round_urls: list[URLPattern] = [
    path("", rounds.round_page, name="round"),
    path("check-in/", check_in.round_check_in, name="round_check_in"),
    path("pair/", rounds.round_pair, name="round_pair"),
    path("publish/", rounds.round_publish, name="round_publish"),
    path("discard/", rounds.round_discard, name="round_discard"),
    path("unpublish/", rounds.round_unpublish, name="round_unpublish"),
    path("finish/", rounds.round_finish, name="round_finish"),
    path("reopen/", rounds.round_reopen, name="round_reopen"),
    path("final/", rounds.round_declare_final, name="round_declare_final"),
    path("current/<int:version>/", rounds.pairing_version_status, name="pairing_version_status"),
    path("results/", results.round_results, name="round_results"),
    path("boards/<int:board>/", results.board_page, name="board"),
    path("boards/<int:board>/result/", results.board_result, name="board_result"),
    path("again/", results.round_results_check, name="round_results_check"),
    path("again/all/", results.round_results_check_all, name="round_results_check_all"),
    path("boards/<int:board>/again/", results.board_result_check, name="board_result_check"),
    path("map/", rounds.round_map_page, name="round_map"),
    path("message/", hall_screen.hall_message, name="hall_message"),
    path("keys/", results.result_keys_edit, name="result_keys_edit"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/hall/", hall_screen.hall_screen, name="hall_screen"),
    path("<slug:club>/<slug:event>/rounds/", rounds.latest_round, name="latest_round"),
    path("<slug:club>/<slug:event>/rounds/code.svg", rounds.round_qr_code, name="round_qr_code"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(round_urls)),
]

register_menu_links(
    MenuLink(slot=MenuSlot.EVENT, name="rounds", title=_("Rounds"), url_name="latest_round", position=25)
)
