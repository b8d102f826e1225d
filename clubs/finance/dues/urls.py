"""Addresses of the club's money."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.dues.views import accounts, dues, reminders
from common.navigation import Spot, Way, offer

the_money: list[URLPattern] = [
    path("", dues.dues, name="dues"),
    path("settings/", dues.money_settings, name="money_settings"),
    path("seasons/new/", dues.season_new, name="season_new"),
    path("seasons/<int:season>/", dues.season, name="season"),
    path("seasons/<int:season>/edit/", dues.season_edit, name="season_edit"),
    path("seasons/<int:season>/charge/", dues.season_charge, name="season_charge"),
    path("seasons/<int:season>/lower/", dues.season_lower, name="season_lower"),
    path("ledger.<slug:kind>", dues.ledger_export, name="ledger_export"),
    path("accounts/<int:member>/", accounts.account, name="account"),
    path("accounts/<int:member>/pay/", accounts.payment_add, name="payment_add"),
    path("accounts/<int:member>/charge/", accounts.charge_add, name="charge_add"),
    path("accounts/<int:member>/give-back/", accounts.refund_add, name="refund_add"),
    path("accounts/<int:member>/waive/", accounts.waiver_add, name="waiver_add"),
    path("lines/<int:entry>/take-back/", accounts.entry_take_back, name="entry_take_back"),
    path("receipts/<int:year>/<int:number>/", accounts.receipt, name="receipt"),
    path("overdue/", reminders.overdue, name="overdue"),
    path("overdue/remind/", reminders.overdue_remind, name="overdue_remind"),
    path("overdue/handed-out/", reminders.overdue_handed_out, name="overdue_handed_out"),
    path("overdue/words/", reminders.reminder_words, name="reminder_words"),
    path("reminders/<str:token>/stop/", reminders.reminders_stop, name="reminders_stop"),
]

urlpatterns = [path("<slug:club>/dues/", include(the_money))]

offer(
    Way(spot=Spot.CLUB, name="dues", title=_("Dues"), page="dues", place=50, when=lambda c: "money" in c["sees"]),
    Way(spot=Spot.SETTINGS, name="money", title=_("Dues"), page="dues", place=50),
)
