"""URLs of printouts and of the pages where they are chosen."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.printing.pages.club_papers import CLUB_PAPERS
from pairing.printing.pages.event_papers import EVENT_PAPERS
from pairing.printing.pages.round_papers import ROUND_PAPERS
from pairing.printing.pages.views import papers, print_centre

event_print_urls: list[URLPattern] = [
    path("", print_centre.print_centre, name="print_centre"),
    path("now/", print_centre.event_paper_print, name="event_paper_print"),
    path("not-hung/", print_centre.posted_paper_remove, name="posted_paper_remove"),
    *(
        path(
            f"{each.file_name}.pdf",
            papers.event_paper_for_officers if each.roles else papers.event_paper,
            {"code": each.code},
            name=each.url_name,
        )
        for each in EVENT_PAPERS
    ),
    *(
        path(
            f"<int:number>/{each.file_name}.pdf",
            papers.round_paper_for_officers if each.roles else papers.round_paper,
            {"code": each.code},
            name=each.url_name,
        )
        for each in ROUND_PAPERS
    ),
]

club_print_urls: list[URLPattern] = [
    path("", print_centre.club_print_centre, name="club_print_centre"),
    path("now/", print_centre.club_paper_print, name="club_paper_print"),
    *(
        path(f"{each.file_name}.pdf", papers.club_paper, {"code": each.code}, name=each.url_name)
        for each in CLUB_PAPERS
    ),
    path("series/<int:series>.pdf", papers.print_series, name="print_series"),
]

urlpatterns = [
    path("<slug:club>/members/print/", include(club_print_urls)),
    path("<slug:club>/<slug:event>/print/", include(event_print_urls)),
    path("<slug:club>/dues/receipts/<int:year>/<int:number>/receipt.pdf", papers.print_receipt, name="print_receipt"),
    path("<slug:club>/books/<int:year>/report.pdf", papers.print_annual_accounts, name="print_annual_accounts"),
    path("<slug:club>/books/<int:year>/journal.pdf", papers.print_accounting_journal, name="print_accounting_journal"),
    path(
        "<slug:club>/books/accounts/<int:account>/<int:year>.pdf",
        papers.print_account_sheet,
        name="print_account_sheet",
    ),
]

register_menu_links(
    MenuLink(slot=MenuSlot.MEMBER_LIST, name="print", title=_("Print"), url_name="club_print_centre", position=45),
    MenuLink(slot=MenuSlot.MONTHLY_RATINGS, name="print", title=_("Print"), url_name="print_ratings", position=10),
    MenuLink(slot=MenuSlot.STATISTICS, name="print", title=_("Print"), url_name="print_statistics", position=10),
    MenuLink(slot=MenuSlot.LETTERHEAD, name="print", title=_("Print"), url_name="club_print_centre", position=10),
    MenuLink(slot=MenuSlot.PERSONAL_LINKS, name="badges", title=_("Badges"), url_name="print_badges", position=20),
    MenuLink(slot=MenuSlot.EVENT, name="print", title=_("Print"), url_name="print_centre", position=40),
    MenuLink(slot=MenuSlot.RECEIPT, name="print", title=_("Print"), url_name="print_receipt", position=10),
    MenuLink(
        slot=MenuSlot.OVERDUE, name="print", title=_("Print letters"), url_name="print_dues_reminders", position=10
    ),
    MenuLink(
        slot=MenuSlot.ACCOUNTING_YEAR,
        name="print",
        title=_("Print annual accounts"),
        url_name="print_annual_accounts",
        position=10,
    ),
    MenuLink(
        slot=MenuSlot.ACCOUNTING_YEAR,
        name="journal",
        title=_("Print journal"),
        url_name="print_accounting_journal",
        position=20,
    ),
    MenuLink(
        slot=MenuSlot.ACCOUNTING_SHEET,
        name="print",
        title=_("Print account"),
        url_name="print_account_sheet",
        position=10,
    ),
)
