"""URLs of the accounting pages."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.accounting import views
from common.navigation import MenuLink, MenuSlot, register_menu_links

accounting_urlpatterns: list[URLPattern] = [
    path("", views.accounting_overview, name="accounting_overview"),
    path("new/", views.accounting_entry_new, name="accounting_entry_new"),
    path("accounts/new/", views.accounting_account_new, name="accounting_account_new"),
    path("accounts/<int:account>/", views.accounting_account_detail, name="accounting_account_detail"),
    path("accounts/<int:account>/edit/", views.accounting_account_edit, name="accounting_account_edit"),
    path("accounts/<int:account>/opening/", views.opening_balance_correct, name="opening_balance_correct"),
    path("entries/<int:booking>/", views.accounting_entry_detail, name="accounting_entry_detail"),
    path("entries/<int:booking>/take-back/", views.accounting_entry_reverse, name="accounting_entry_reverse"),
    path("entries/<int:booking>/vouchers/", views.voucher_add, name="voucher_add"),
    path("entries/<int:booking>/vouchers/<int:voucher>/", views.voucher_download, name="voucher_download"),
    path("<int:year>/", views.accounting_year_report, name="accounting_year_report"),
    path("<int:year>/budget/", views.year_budget_edit, name="year_budget_edit"),
    path("<int:year>/close/", views.accounting_year_close, name="accounting_year_close"),
    path("<int:year>/package.zip", views.accounting_year_package, name="accounting_year_package"),
    path("<int:year>/entries.<slug:kind>", views.accounting_year_export, name="accounting_year_export"),
]

urlpatterns = [path("<slug:club>/books/", include(accounting_urlpatterns))]

register_menu_links(
    MenuLink(
        slot=MenuSlot.DUES,
        name="accounting_overview",
        title=_("Accounting"),
        url_name="accounting_overview",
        position=20,
    ),
)
