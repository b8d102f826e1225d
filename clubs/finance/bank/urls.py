"""URLs of bank statements."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.bank.views import statement_import, statement_lines
from common.navigation import MenuLink, MenuSlot, register_menu_links

bank_urlpatterns: list[URLPattern] = [
    path("", statement_lines.bank_lines_review, name="bank_lines_review"),
    path("import/", statement_import.bank_statement_import, name="bank_statement_import"),
    path("certain/", statement_lines.bank_lines_book_certain, name="bank_lines_book_certain"),
    path("balance/", statement_lines.bank_balance_add, name="bank_balance_add"),
    path("lines/<int:line>/split/", statement_lines.bank_line_split, name="bank_line_split"),
    path("lines/<int:line>/whole/", statement_lines.bank_line_unsplit, name="bank_line_unsplit"),
    path("lines/<int:line>/book/", statement_lines.bank_line_book, name="bank_line_book"),
    path("lines/<int:line>/aside/", statement_lines.bank_line_ignore, name="bank_line_ignore"),
]

urlpatterns = [path("<slug:club>/bank/", include(bank_urlpatterns))]

register_menu_links(
    MenuLink(
        slot=MenuSlot.CLUB,
        name="bank_lines_review",
        title=_("Bank"),
        url_name="bank_lines_review",
        position=54,
        is_visible=lambda c: c["may_book"],
    ),
    MenuLink(
        slot=MenuSlot.DUES,
        name="bank_lines_review",
        title=_("Bank statements"),
        url_name="bank_lines_review",
        position=10,
    ),
)
