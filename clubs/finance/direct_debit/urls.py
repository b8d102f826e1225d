"""URLs of the direct debit pages."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.direct_debit import views
from common.navigation import MenuLink, MenuSlot, register_menu_links

direct_debit_urlpatterns: list[URLPattern] = [
    path("", views.direct_debit_overview, name="direct_debit_overview"),
    path("collect/", views.debit_collection_new, name="debit_collection_new"),
    path("mandates/<int:member>/", views.mandate_edit, name="mandate_edit"),
    path("mandates/<int:member>/end/", views.mandate_end, name="mandate_end"),
    path("<int:collection>/", views.debit_collection_detail, name="debit_collection_detail"),
    path("<int:collection>/pain008.xml", views.debit_collection_file, name="debit_collection_file"),
    path("<int:collection>/book/", views.debit_collection_book, name="debit_collection_book"),
    path("<int:collection>/take-back/", views.debit_collection_cancel, name="debit_collection_cancel"),
]

urlpatterns = [path("<slug:club>/dues/debits/", include(direct_debit_urlpatterns))]

register_menu_links(
    MenuLink(
        slot=MenuSlot.DUES,
        name="direct_debit_overview",
        title=_("Direct debits"),
        url_name="direct_debit_overview",
        position=30,
        is_visible=lambda c: c["may_book"] and c["club"].currency == "EUR",
    )
)
