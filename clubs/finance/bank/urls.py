"""Addresses of the bank's statements."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.bank.views import importing, lines
from common.navigation import Spot, Way, offer

the_bank: list[URLPattern] = [
    path("", lines.bank, name="bank"),
    path("import/", importing.bank_import, name="bank_import"),
    path("certain/", lines.bank_book_certain, name="bank_book_certain"),
    path("balance/", lines.bank_balance_add, name="bank_balance_add"),
    path("lines/<int:line>/split/", lines.bank_line_split, name="bank_line_split"),
    path("lines/<int:line>/whole/", lines.bank_line_whole, name="bank_line_whole"),
    path("lines/<int:line>/book/", lines.bank_line_book, name="bank_line_book"),
    path("lines/<int:line>/aside/", lines.bank_line_aside, name="bank_line_aside"),
]

urlpatterns = [path("<slug:club>/bank/", include(the_bank))]

offer(
    Way(spot=Spot.CLUB, name="bank", title=_("Bank"), page="bank", place=54, when=lambda c: c["may_book"]),
    Way(spot=Spot.MONEY, name="bank", title=_("Bank statements"), page="bank", place=10),
)
