"""Addresses of papers, and of the pages where they are chosen."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.ways import Spot, Way, offer
from pairing.printing.views import centre, clubs, events, receipts, rounds

on_paper: list[URLPattern] = [
    path("", centre.print_centre, name="print_centre"),
    path("cards.pdf", events.print_cards, name="print_cards"),
    path("<int:number>/pairings.pdf", rounds.print_pairings, name="print_pairings"),
    path("<int:number>/seating.pdf", rounds.print_seating, name="print_seating"),
    path("<int:number>/slips.pdf", rounds.print_slips, name="print_slips"),
    path("<int:number>/everything.pdf", rounds.print_round, name="print_round"),
    path("players.pdf", events.print_starting_list, name="print_starting_list"),
    path("standings.pdf", events.print_standings, name="print_standings"),
    path("crosstable.pdf", events.print_crosstable, name="print_crosstable"),
    path("attendance.pdf", events.print_attendance, name="print_attendance"),
    path("wall-chart.pdf", events.print_wall_chart, name="print_wall_chart"),
    path("place-cards.pdf", events.print_place_cards, name="print_place_cards"),
    path("badges.pdf", events.print_badges, name="print_badges"),
    path("diplomas.pdf", events.print_diplomas, name="print_diplomas"),
    path("table-numbers.pdf", events.print_table_numbers, name="print_table_numbers"),
    path("prizes.pdf", events.print_prizes, name="print_prizes"),
    path("averages.pdf", events.print_averages, name="print_averages"),
    path("record.pdf", events.print_record, name="print_record"),
]

of_the_club: list[URLPattern] = [
    path("", centre.club_print_centre, name="club_print_centre"),
    path("members.pdf", clubs.print_members, name="print_members"),
    path("dues.pdf", clubs.print_dues, name="print_dues"),
    path("ratings.pdf", clubs.print_ratings, name="print_ratings"),
    path("series/<int:series>.pdf", clubs.print_series, name="print_series"),
    path("printer-test.pdf", clubs.print_printer_test, name="print_printer_test"),
]

urlpatterns = [
    path("<slug:club>/members/print/", include(of_the_club)),
    path("<slug:club>/<slug:event>/print/", include(on_paper)),
    path("<slug:club>/dues/receipts/<int:year>/<int:number>/receipt.pdf", receipts.print_receipt, name="print_receipt"),
]

offer(
    Way(spot=Spot.BOOK, name="print", title=_("On paper"), page="club_print_centre", place=45),
    Way(spot=Spot.PAPER, name="print", title=_("On paper"), page="club_print_centre", place=10),
    Way(spot=Spot.EVENT, name="print", title=_("On paper"), page="print_centre", place=40),
    Way(spot=Spot.RECEIPT, name="print", title=_("Print"), page="print_receipt", place=10),
)
