"""Addresses of direct debits."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.direct_debit import views
from common.navigation import Spot, Way, offer

the_debits: list[URLPattern] = [
    path("", views.debits, name="debits"),
    path("collect/", views.collection_new, name="collection_new"),
    path("mandates/<int:member>/", views.mandate_edit, name="mandate_edit"),
    path("mandates/<int:member>/end/", views.mandate_end, name="mandate_end"),
    path("<int:collection>/", views.collection, name="collection"),
    path("<int:collection>/pain008.xml", views.collection_file, name="collection_file"),
    path("<int:collection>/book/", views.collection_book, name="collection_book"),
    path("<int:collection>/take-back/", views.collection_take_back, name="collection_take_back"),
]

urlpatterns = [path("<slug:club>/dues/debits/", include(the_debits))]

offer(
    Way(
        spot=Spot.MONEY,
        name="debits",
        title=_("Direct debits"),
        page="debits",
        place=30,
        when=lambda c: c["may_book"] and c["club"].currency == "EUR",
    )
)
