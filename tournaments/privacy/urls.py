"""Addresses of a person's data across the club's book and its events."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from common.navigation import Context, Spot, Way, offer
from tournaments.privacy.views import data, merging

urlpatterns = [
    path("<slug:club>/members/duplicates/", merging.duplicates_page, name="duplicates"),
    path("<slug:club>/members/<int:first>/merge/<int:second>/", merging.merge_page, name="merge"),
    path("<slug:club>/members/me/data.json", data.own_data, name="own_data"),
    path("<slug:club>/members/<int:member>/data.json", data.member_data, name="member_data"),
    path("<slug:club>/members/<int:member>/erase/", data.member_erase, name="member_erase"),
    path("<slug:club>/members/<int:member>/initials/", data.member_initials, name="member_initials"),
    path("<slug:club>/members/kept-too-long/", data.kept_too_long_page, name="kept_too_long"),
]


def _refused_publication(context: Context) -> bool:
    return bool(context["member"].publication_consent == Member.Consent.REFUSED)


offer(
    Way(spot=Spot.BOOK, name="duplicates", title=_("Find duplicates"), page="duplicates", place=20),
    Way(spot=Spot.BOOK, name="kept", title=_("Data kept too long"), page="kept_too_long", place=50),
    Way(spot=Spot.MEMBER, name="data", title=_("Save all data of this person"), page="member_data", place=10),
    Way(
        spot=Spot.MEMBER,
        name="initials",
        title=_("Initials in events…"),
        page="member_initials",
        place=15,
        when=_refused_publication,
    ),
    Way(
        spot=Spot.MEMBER,
        name="erase",
        title=_("Erase this person…"),
        page="member_erase",
        place=20,
        is_danger=True,
    ),
    Way(spot=Spot.OWN, name="data", title=_("Save all my data"), page="own_data", place=10),
)
