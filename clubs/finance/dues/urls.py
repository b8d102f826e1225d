"""URLs of the dues pages."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.finance.dues.views import member_accounts, reminders, seasons
from common.navigation import MenuLink, MenuSlot, register_menu_links

dues_urlpatterns: list[URLPattern] = [
    path("", seasons.dues_overview, name="dues_overview"),
    path("settings/", seasons.dues_settings, name="dues_settings"),
    path("seasons/new/", seasons.dues_season_new, name="dues_season_new"),
    path("seasons/<int:season>/", seasons.dues_season_detail, name="dues_season_detail"),
    path("seasons/<int:season>/edit/", seasons.dues_season_edit, name="dues_season_edit"),
    path("seasons/<int:season>/charge/", seasons.dues_season_charge, name="dues_season_charge"),
    path("seasons/<int:season>/lower/", seasons.dues_season_reduce, name="dues_season_reduce"),
    path("ledger.<slug:kind>", seasons.ledger_export, name="ledger_export"),
    path("accounts/<int:member>/", member_accounts.member_dues_account, name="member_dues_account"),
    path("accounts/<int:member>/pay/", member_accounts.payment_add, name="payment_add"),
    path("accounts/<int:member>/charge/", member_accounts.charge_add, name="charge_add"),
    path("accounts/<int:member>/give-back/", member_accounts.refund_add, name="refund_add"),
    path("accounts/<int:member>/waive/", member_accounts.waiver_add, name="waiver_add"),
    path("lines/<int:entry>/take-back/", member_accounts.ledger_entry_reverse, name="ledger_entry_reverse"),
    path("receipts/<int:year>/<int:number>/", member_accounts.receipt_detail, name="receipt_detail"),
    path("overdue/", reminders.overdue_dues_list, name="overdue_dues_list"),
    path("overdue/remind/", reminders.overdue_reminders_send, name="overdue_reminders_send"),
    path("overdue/handed-out/", reminders.paper_reminders_mark_delivered, name="paper_reminders_mark_delivered"),
    path("overdue/words/", reminders.reminder_texts_edit, name="reminder_texts_edit"),
    path("reminders/<str:token>/stop/", reminders.reminders_unsubscribe, name="reminders_unsubscribe"),
]

urlpatterns = [path("<slug:club>/dues/", include(dues_urlpatterns))]

register_menu_links(
    MenuLink(
        slot=MenuSlot.CLUB,
        name="dues_overview",
        title=_("Dues"),
        url_name="dues_overview",
        position=50,
        is_visible=lambda c: "money" in c["sees"],
        opens=MenuSlot.DUES,
    ),
    MenuLink(slot=MenuSlot.SETTINGS, name="money", title=_("Dues"), url_name="dues_overview", position=50),
)
