"""Addresses of the books."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.accounting.views import accounts, entries, years
from common.navigation import Spot, Way, offer

the_books: list[URLPattern] = [
    path("", entries.books, name="books"),
    path("new/", entries.books_entry_new, name="books_entry_new"),
    path("accounts/new/", entries.books_account_new, name="books_account_new"),
    path("accounts/<int:account>/", accounts.books_account, name="books_account"),
    path("accounts/<int:account>/edit/", accounts.books_account_edit, name="books_account_edit"),
    path("accounts/<int:account>/opening/", accounts.books_opening, name="books_opening"),
    path("entries/<int:booking>/", entries.books_entry, name="books_entry"),
    path("entries/<int:booking>/take-back/", entries.books_entry_take_back, name="books_entry_take_back"),
    path("entries/<int:booking>/vouchers/", entries.voucher_add, name="voucher_add"),
    path("entries/<int:booking>/vouchers/<int:voucher>/", entries.voucher, name="voucher"),
    path("<int:year>/", years.books_year, name="books_year"),
    path("<int:year>/budget/", years.books_budget, name="books_budget"),
    path("<int:year>/close/", years.books_year_close, name="books_year_close"),
    path("<int:year>/entries.<slug:kind>", years.books_export, name="books_export"),
]

urlpatterns = [path("<slug:club>/books/", include(the_books))]

offer(
    Way(spot=Spot.CLUB, name="books", title=_("The books"), page="books", place=52, when=lambda c: c["may_book"]),
    Way(spot=Spot.MONEY, name="books", title=_("The books"), page="books", place=20),
)
