"""Pages of rounds, standings and players of an event."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.views import comparing, editing, help, printing, receipts, results, rounds, tables, versions

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
    path("edit/", editing.round_edit, name="round_edit"),
    path("compare/", comparing.round_compare, name="round_compare"),
    path("swap/", editing.round_swap, name="round_swap"),
    path("results/", results.round_results, name="round_results"),
    path("boards/<int:board>/", results.board_page, name="board"),
    path("boards/<int:board>/result/", results.board_result, name="board_result"),
]

on_paper: list[URLPattern] = [
    path("", printing.print_centre, name="print_centre"),
    path("cards.pdf", printing.print_cards, name="print_cards"),
    path("<int:number>/pairings.pdf", printing.print_pairings, name="print_pairings"),
    path("<int:number>/seating.pdf", printing.print_seating, name="print_seating"),
    path("<int:number>/slips.pdf", printing.print_slips, name="print_slips"),
    path("<int:number>/everything.pdf", printing.print_round, name="print_round"),
    path("players.pdf", printing.print_starting_list, name="print_starting_list"),
    path("standings.pdf", printing.print_standings, name="print_standings"),
    path("crosstable.pdf", printing.print_crosstable, name="print_crosstable"),
    path("attendance.pdf", printing.print_attendance, name="print_attendance"),
    path("wall-chart.pdf", printing.print_wall_chart, name="print_wall_chart"),
    path("place-cards.pdf", printing.print_place_cards, name="print_place_cards"),
    path("badges.pdf", printing.print_badges, name="print_badges"),
    path("diplomas.pdf", printing.print_diplomas, name="print_diplomas"),
]

urlpatterns = [
    path("", include("pairing.evening_urls")),
    path("help/systems/all/", help.help_systems, name="help_systems"),
    path("help/systems/<slug:name>/", help.help_system, name="help_system"),
    path("<slug:club>/<slug:event>/rounds/", rounds.latest_round, name="latest_round"),
    path("<slug:club>/<slug:event>/rounds/code.svg", rounds.round_code, name="round_code"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(a_round)),
    path("<slug:club>/<slug:event>/standings/", tables.standings_page, name="standings"),
    path("<slug:club>/<slug:event>/standings/<int:after>/", tables.standings_page, name="standings_after"),
    path("<slug:club>/<slug:event>/standings/<int:after>/crosstable/", tables.crosstable_page, name="crosstable"),
    path("<slug:club>/<slug:event>/standings/<int:after>/<int:tpn>/", tables.working_page, name="working"),
    path("<slug:club>/<slug:event>/players/<int:tpn>/", tables.player_page, name="player"),
    path("<slug:club>/<slug:event>/print/", include(on_paper)),
    path("<slug:club>/dues/receipts/<int:year>/<int:number>/receipt.pdf", receipts.print_receipt, name="print_receipt"),
]
