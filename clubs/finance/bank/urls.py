"""URLs of the bank statement pages."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.bank import views
from common.navigation import MenuLink, MenuSlot, register_menu_links

bank_urlpatterns: list[URLPattern] = [
    path("", views.bank_lines_review, name="bank_lines_review"),
    path("import/", views.bank_statement_import, name="bank_statement_import"),
    path("certain/", views.bank_lines_book_certain, name="bank_lines_book_certain"),
    path("balance/", views.bank_balance_add, name="bank_balance_add"),
    path("lines/<int:line>/split/", views.bank_line_split, name="bank_line_split"),
    path("lines/<int:line>/whole/", views.bank_line_unsplit, name="bank_line_unsplit"),
    path("lines/<int:line>/book/", views.bank_line_book, name="bank_line_book"),
    path("lines/<int:line>/aside/", views.bank_line_ignore, name="bank_line_ignore"),
]

urlpatterns = [path("<slug:club>/bank/", include(bank_urlpatterns))]

register_menu_links(
    MenuLink(
        slot=MenuSlot.DUES,
        name="bank_lines_review",
        title=_("Bank statements"),
        url_name="bank_lines_review",
        position=10,
    ),
)
