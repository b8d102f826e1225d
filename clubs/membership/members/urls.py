"""URLs of the member pages."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.membership.members.views import guests, import_export, members, statistics
from common.navigation import MenuLink, MenuSlot, register_menu_links

member_urls: list[URLPattern] = [
    path("", members.member_list, name="member_list"),
    path("new/", members.member_new, name="member_new"),
    path("me/", members.own_member_page, name="own_member_page"),
    path("me/edit/", members.own_data_edit, name="own_data_edit"),
    path("me/reminders/", members.own_reminders_edit, name="own_reminders_edit"),
    path("views/", members.saved_filter_add, name="saved_filter_add"),
    path("views/<int:view>/remove/", members.saved_filter_remove, name="saved_filter_remove"),
    path("groups/", members.member_groups, name="member_groups"),
    path("seen/", members.data_access_log, name="data_access_log"),
    path("guests/", guests.guest_list, name="guest_list"),
    path("guests/<int:member>/", guests.guest_night_record, name="guest_night_record"),
    path("guests/<int:member>/fee/", guests.guest_fee_record, name="guest_fee_record"),
    path("guests/<int:member>/join/", guests.guest_join, name="guest_join"),
    path("statistics/", statistics.member_statistics, name="member_statistics"),
    path("statistics.<slug:kind>", statistics.member_statistics_export, name="member_statistics_export"),
    path("import/", import_export.members_import, name="members_import"),
    path("export.<slug:kind>", import_export.members_export, name="members_export"),
    path("new/from-list/<int:player>/", members.member_add_from_rating_list, name="member_add_from_rating_list"),
    path("<int:member>/", members.member_detail, name="member_detail"),
    path("<int:member>/membership/", members.membership_dates_edit, name="membership_dates_edit"),
    path("<int:member>/edit/", members.member_edit, name="member_edit"),
    path("<int:member>/emergency/", members.member_emergency_note, name="member_emergency_note"),
]

urlpatterns = [path("<slug:club>/members/", include(member_urls))]

register_menu_links(
    MenuLink(
        slot=MenuSlot.CLUB,
        name="members",
        title=_("Members"),
        url_name="member_list",
        position=10,
        is_visible=lambda c: c["reads_members"],
        opens=MenuSlot.MEMBER_LIST,
    ),
    MenuLink(
        slot=MenuSlot.CLUB,
        name="own",
        title=_("My page"),
        url_name="own_member_page",
        position=60,
        is_visible=lambda c: bool(c["own"]),
    ),
    MenuLink(slot=MenuSlot.MEMBER_LIST, name="guests", title=_("Guests"), url_name="guest_list", position=5),
    MenuLink(
        slot=MenuSlot.NEW_CLUB,
        name="members",
        title=_("Add members from a table or one by one"),
        url_name="members_import",
        position=20,
        is_done=lambda c: c["club"].members.exists(),
    ),
    MenuLink(
        slot=MenuSlot.LISTED_PLAYER,
        name="member",
        title=_("Add to members"),
        url_name="member_add_from_rating_list",
        position=10,
    ),
    MenuLink(
        slot=MenuSlot.ACCOUNT,
        name="membership",
        title=_("Household and membership dates"),
        url_name="membership_dates_edit",
        position=10,
    ),
    MenuLink(
        slot=MenuSlot.MEMBER_LIST, name="import", title=_("Import members"), url_name="members_import", position=10
    ),
    MenuLink(
        slot=MenuSlot.MEMBER_LIST,
        name="statistics",
        title=_("Member statistics"),
        url_name="member_statistics",
        position=20,
    ),
    MenuLink(slot=MenuSlot.MEMBER_LIST, name="groups", title=_("Groups"), url_name="member_groups", position=30),
    MenuLink(
        slot=MenuSlot.MEMBER_LIST, name="viewings", title=_("Access log"), url_name="data_access_log", position=40
    ),
)
