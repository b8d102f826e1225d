"""Pages of rounds, standings and players of an event."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.views import (
    comparing,
    editing,
    hall,
    help,
    lots,
    print_centre,
    printing,
    printing_clubs,
    printing_rounds,
    prizes,
    receipts,
    results,
    rounds,
    tables,
    undoing,
    versions,
)

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
    path("edit/begin/", editing.round_edit_begin, name="round_edit_begin"),
    path("edit/change/", editing.round_change, name="round_change"),
    path("edit/done/", editing.round_edit_done, name="round_edit_done"),
    path("edit/end/", editing.round_edit_end, name="round_edit_end"),
    path("undo/", undoing.round_undo, name="round_undo"),
    path("redo/", undoing.round_redo, name="round_redo"),
    path("restore/<int:point>/", undoing.round_restore, name="round_restore"),
    path("compare/", comparing.round_compare, name="round_compare"),
    path("results/", results.round_results, name="round_results"),
    path("boards/<int:board>/", results.board_page, name="board"),
    path("boards/<int:board>/result/", results.board_result, name="board_result"),
]

on_paper: list[URLPattern] = [
    path("", print_centre.print_centre, name="print_centre"),
    path("cards.pdf", printing.print_cards, name="print_cards"),
    path("<int:number>/pairings.pdf", printing_rounds.print_pairings, name="print_pairings"),
    path("<int:number>/seating.pdf", printing_rounds.print_seating, name="print_seating"),
    path("<int:number>/slips.pdf", printing_rounds.print_slips, name="print_slips"),
    path("<int:number>/everything.pdf", printing_rounds.print_round, name="print_round"),
    path("players.pdf", printing.print_starting_list, name="print_starting_list"),
    path("standings.pdf", printing.print_standings, name="print_standings"),
    path("crosstable.pdf", printing.print_crosstable, name="print_crosstable"),
    path("attendance.pdf", printing.print_attendance, name="print_attendance"),
    path("wall-chart.pdf", printing.print_wall_chart, name="print_wall_chart"),
    path("place-cards.pdf", printing.print_place_cards, name="print_place_cards"),
    path("badges.pdf", printing.print_badges, name="print_badges"),
    path("diplomas.pdf", printing.print_diplomas, name="print_diplomas"),
    path("table-numbers.pdf", printing.print_table_numbers, name="print_table_numbers"),
    path("prizes.pdf", printing.print_prizes, name="print_prizes"),
    path("averages.pdf", printing.print_averages, name="print_averages"),
    path("record.pdf", printing.print_record, name="print_record"),
]

of_the_club: list[URLPattern] = [
    path("", print_centre.club_print_centre, name="club_print_centre"),
    path("members.pdf", printing_clubs.print_members, name="print_members"),
    path("dues.pdf", printing_clubs.print_dues, name="print_dues"),
    path("ratings.pdf", printing_clubs.print_ratings, name="print_ratings"),
    path("series/<int:series>.pdf", printing_clubs.print_series, name="print_series"),
    path("printer-test.pdf", printing_clubs.print_printer_test, name="print_printer_test"),
]

urlpatterns = [
    path("", include("pairing.evening_urls")),
    path("help/systems/all/", help.help_systems, name="help_systems"),
    path("help/systems/<slug:name>/", help.help_system, name="help_system"),
    path("<slug:club>/<slug:event>/hall/", hall.hall, name="hall"),
    path("<slug:club>/<slug:event>/rounds/", rounds.latest_round, name="latest_round"),
    path("<slug:club>/<slug:event>/rounds/code.svg", rounds.round_code, name="round_code"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(a_round)),
    path("<slug:club>/<slug:event>/standings/", tables.standings_page, name="standings"),
    path("<slug:club>/<slug:event>/standings/<int:after>/", tables.standings_page, name="standings_after"),
    path("<slug:club>/<slug:event>/standings/<int:after>/crosstable/", tables.crosstable_page, name="crosstable"),
    path("<slug:club>/<slug:event>/standings/<int:after>/clubs/", tables.clubs_page, name="standings_clubs"),
    path("<slug:club>/<slug:event>/standings/<int:after>/<int:tpn>/", tables.working_page, name="working"),
    path("<slug:club>/<slug:event>/lots/draw/", lots.lots_draw, name="lots_draw"),
    path("<slug:club>/<slug:event>/lots/draw-again/", lots.lots_draw_again, name="lots_draw_again"),
    path("<slug:club>/<slug:event>/prizes/", prizes.prizes_page, name="prizes"),
    path("<slug:club>/<slug:event>/prizes/edit/", prizes.prizes_edit, name="prizes_edit"),
    path("<slug:club>/<slug:event>/prizes/publish/", prizes.prizes_publish, name="prizes_publish"),
    path("<slug:club>/<slug:event>/players/<int:tpn>/", tables.player_page, name="player"),
    path("<slug:club>/members/print/", include(of_the_club)),
    path("<slug:club>/<slug:event>/print/", include(on_paper)),
    path("<slug:club>/dues/receipts/<int:year>/<int:number>/receipt.pdf", receipts.print_receipt, name="print_receipt"),
]
