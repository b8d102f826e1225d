"""Addresses of papers, and of the pages where they are chosen."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from pairing.printing.pages import centre, views
from pairing.printing.pages.of_club import CLUB_DOCUMENTS
from pairing.printing.pages.of_event import EVENT_DOCUMENTS
from pairing.printing.pages.of_round import ROUND_DOCUMENTS

of_an_event: list[URLPattern] = [
    path("", centre.print_centre, name="print_centre"),
    path("now/", centre.print_now, name="print_now"),
    path("not-hung/", centre.print_not_hung, name="print_not_hung"),
    *(
        path(
            f"{each.file}.pdf",
            views.print_of_event_for_officers if each.roles else views.print_of_event,
            {"code": each.code},
            name=each.page,
        )
        for each in EVENT_DOCUMENTS
    ),
    *(
        path(
            f"<int:number>/{each.file}.pdf",
            views.print_of_round_for_officers if each.roles else views.print_of_round,
            {"code": each.code},
            name=each.page,
        )
        for each in ROUND_DOCUMENTS
    ),
]

of_the_club: list[URLPattern] = [
    path("", centre.club_print_centre, name="club_print_centre"),
    path("now/", centre.print_now_of_club, name="print_now_of_club"),
    *(path(f"{each.file}.pdf", views.print_of_club, {"code": each.code}, name=each.page) for each in CLUB_DOCUMENTS),
    path("series/<int:series>.pdf", views.print_series, name="print_series"),
]

urlpatterns = [
    path("<slug:club>/members/print/", include(of_the_club)),
    path("<slug:club>/<slug:event>/print/", include(of_an_event)),
    path("<slug:club>/dues/receipts/<int:year>/<int:number>/receipt.pdf", views.print_receipt, name="print_receipt"),
    path("<slug:club>/dues/overdue/letters.pdf", views.print_reminders, name="print_reminders"),
    path("<slug:club>/books/<int:year>/report.pdf", views.print_books, name="print_books"),
    path("<slug:club>/books/<int:year>/journal.pdf", views.print_journal, name="print_journal"),
    path("<slug:club>/books/accounts/<int:account>/<int:year>.pdf", views.print_account, name="print_account"),
]

offer(
    Way(spot=Spot.BOOK, name="print", title=_("On paper"), page="club_print_centre", place=45),
    Way(spot=Spot.MONTH_OF_RATINGS, name="print", title=_("On paper"), page="print_ratings", place=10),
    Way(spot=Spot.STATISTICS, name="print", title=_("On paper"), page="print_statistics", place=10),
    Way(spot=Spot.PAPER, name="print", title=_("On paper"), page="club_print_centre", place=10),
    Way(spot=Spot.LINKS, name="badges", title=_("Badges"), page="print_badges", place=20),
    Way(spot=Spot.EVENT, name="print", title=_("On paper"), page="print_centre", place=40),
    Way(spot=Spot.RECEIPT, name="print", title=_("Print"), page="print_receipt", place=10),
    Way(spot=Spot.OVERDUE, name="print", title=_("Letters on paper"), page="print_reminders", place=10),
    Way(spot=Spot.BOOKS, name="print", title=_("The report on paper"), page="print_books", place=10),
    Way(spot=Spot.BOOKS, name="journal", title=_("The journal on paper"), page="print_journal", place=20),
    Way(spot=Spot.BOOKS_ACCOUNT, name="print", title=_("The account on paper"), page="print_account", place=10),
)
