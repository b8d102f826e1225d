"""Pages of people: signing in, language and look, the members of a club and its money."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, include, path
from django.views.i18n import set_language

from clubs.views import accounts, dues, jobs, look, member_files, members, paper, reminders

the_book: list[URLPattern] = [
    path("", members.members, name="members"),
    path("new/", members.member_new, name="member_new"),
    path("me/", members.own_page, name="own_page"),
    path("me/reminders/", members.own_reminders, name="own_reminders"),
    path("views/", members.saved_view_add, name="saved_view_add"),
    path("views/<int:view>/remove/", members.saved_view_remove, name="saved_view_remove"),
    path("groups/", members.groups, name="groups"),
    path("seen/", members.viewings, name="viewings"),
    path("guests/", reminders.guests, name="guests"),
    path("guests/<int:member>/", reminders.guest_night, name="guest_night"),
    path("import/", member_files.members_import, name="members_import"),
    path("export.<slug:kind>", member_files.members_export, name="members_export"),
    path("<int:member>/", members.member, name="member"),
    path("<int:member>/edit/", members.member_edit, name="member_edit"),
    path("<int:member>/emergency/", members.emergency, name="emergency"),
]

the_money: list[URLPattern] = [
    path("", dues.dues, name="dues"),
    path("settings/", dues.money_settings, name="money_settings"),
    path("seasons/new/", dues.season_new, name="season_new"),
    path("seasons/<int:season>/", dues.season, name="season"),
    path("seasons/<int:season>/edit/", dues.season_edit, name="season_edit"),
    path("seasons/<int:season>/charge/", dues.season_charge, name="season_charge"),
    path("ledger.<slug:kind>", dues.ledger_export, name="ledger_export"),
    path("accounts/<int:member>/", accounts.account, name="account"),
    path("accounts/<int:member>/pay/", accounts.payment_add, name="payment_add"),
    path("accounts/<int:member>/charge/", accounts.charge_add, name="charge_add"),
    path("lines/<int:entry>/take-back/", accounts.entry_take_back, name="entry_take_back"),
    path("transfers/", accounts.transfers, name="transfers"),
    path("receipts/<int:year>/<int:number>/", accounts.receipt, name="receipt"),
    path("overdue/", reminders.overdue, name="overdue"),
    path("overdue/remind/", reminders.overdue_remind, name="overdue_remind"),
    path("reminders/<str:token>/stop/", reminders.reminders_stop, name="reminders_stop"),
]

urlpatterns = [
    path("sign-in/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("language/", set_language, name="set_language"),
    path("look/", look.look, name="look"),
    path("jobs/<int:job>/", jobs.job_page, name="job"),
    path("jobs/<int:job>/cancel/", jobs.job_cancel, name="job_cancel"),
    path("<slug:club>/settings/paper/", paper.paper_settings, name="paper_settings"),
    path("<slug:club>/settings/paper/logo.png", paper.club_logo, name="club_logo"),
    path("<slug:club>/members/", include(the_book)),
    path("<slug:club>/dues/", include(the_money)),
]
