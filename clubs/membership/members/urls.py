"""Addresses of the club's book."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from clubs.membership.members.views import book, files, guests, statistics
from common.navigation import Spot, Way, offer

the_book: list[URLPattern] = [
    path("", book.members, name="members"),
    path("new/", book.member_new, name="member_new"),
    path("me/", book.own_page, name="own_page"),
    path("me/edit/", book.own_edit, name="own_edit"),
    path("me/reminders/", book.own_reminders, name="own_reminders"),
    path("views/", book.saved_view_add, name="saved_view_add"),
    path("views/<int:view>/remove/", book.saved_view_remove, name="saved_view_remove"),
    path("groups/", book.groups, name="groups"),
    path("seen/", book.viewings, name="viewings"),
    path("guests/", guests.guests, name="guests"),
    path("guests/<int:member>/", guests.guest_night, name="guest_night"),
    path("guests/<int:member>/fee/", guests.guest_fee, name="guest_fee"),
    path("guests/<int:member>/join/", guests.guest_join, name="guest_join"),
    path("statistics/", statistics.statistics, name="statistics"),
    path("statistics.<slug:kind>", statistics.statistics_export, name="statistics_export"),
    path("import/", files.members_import, name="members_import"),
    path("export.<slug:kind>", files.members_export, name="members_export"),
    path("new/from-list/<int:player>/", book.member_from_list, name="member_from_list"),
    path("<int:member>/", book.member, name="member"),
    path("<int:member>/membership/", book.membership_edit, name="membership_edit"),
    path("<int:member>/edit/", book.member_edit, name="member_edit"),
    path("<int:member>/emergency/", book.emergency, name="emergency"),
]

urlpatterns = [path("<slug:club>/members/", include(the_book))]

offer(
    Way(
        spot=Spot.CLUB, name="members", title=_("Members"), page="members", place=10, when=lambda c: c["reads_members"]
    ),
    Way(spot=Spot.CLUB, name="own", title=_("My page"), page="own_page", place=60, when=lambda c: bool(c["own"])),
    Way(spot=Spot.BOOK, name="guests", title=_("Guests"), page="guests", place=5),
    Way(
        spot=Spot.ARRIVED,
        name="members",
        title=_("Enter the members, from a table or one by one"),
        page="members_import",
        place=20,
    ),
    Way(spot=Spot.LISTED, name="member", title=_("Into the book"), page="member_from_list", place=10),
    Way(spot=Spot.ACCOUNT, name="membership", title=_("Family, joining and leaving"), page="membership_edit", place=10),
    Way(spot=Spot.BOOK, name="import", title=_("Import a table"), page="members_import", place=10),
    Way(spot=Spot.BOOK, name="statistics", title=_("Members in figures"), page="statistics", place=20),
    Way(spot=Spot.BOOK, name="groups", title=_("Groups"), page="groups", place=30),
    Way(spot=Spot.BOOK, name="viewings", title=_("Who saw what"), page="viewings", place=40),
)
