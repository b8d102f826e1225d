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
            f"{prefix}{each.file_name}.pdf",
            for_officers if each.roles else for_visitors,
            {"code": each.code},
            name=each.url_name,
        )
        for prefix, definitions, for_visitors, for_officers in (
            ("", EVENT_PAPERS, papers.event_paper, papers.event_paper_for_officers),
            ("<int:number>/", ROUND_PAPERS, papers.round_paper, papers.round_paper_for_officers),
        )
        for each in definitions
    ),
]

urlpatterns = [
    path("<slug:club>/members/print/", print_centre.club_print_centre, name="club_print_centre"),
    path("<slug:club>/members/print/now/", print_centre.club_paper_print, name="club_paper_print"),
    *(
        path(f"<slug:club>/{each.club_path}", papers.club_paper, {"code": each.code}, name=each.url_name)
        for each in CLUB_PAPERS
    ),
    path("<slug:club>/dues/receipts/<int:year>/<int:number>/receipt.pdf", papers.print_receipt, name="print_receipt"),
    path("<slug:club>/<slug:event>/print/", include(event_print_urls)),
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
