"""URLs of personal data and duplicates."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from common.navigation import MenuLink, MenuSlot, PageContext, register_menu_links
from tournaments.privacy.views import duplicates, personal_data

urlpatterns = [
    path("<slug:club>/members/duplicates/", duplicates.member_duplicates, name="member_duplicates"),
    path("<slug:club>/members/<int:first>/merge/<int:second>/", duplicates.member_merge, name="member_merge"),
    path("<slug:club>/members/me/data.json", personal_data.own_data_download, name="own_data_download"),
    path("<slug:club>/members/<int:member>/data.json", personal_data.member_data_download, name="member_data_download"),
    path("<slug:club>/members/<int:member>/erase/", personal_data.member_erase, name="member_erase"),
    path("<slug:club>/members/<int:member>/initials/", personal_data.member_use_initials, name="member_use_initials"),
    path("<slug:club>/members/kept-too-long/", personal_data.expired_data_list, name="expired_data_list"),
]


def _refused_publication(context: PageContext) -> bool:
    return bool(context["member"].publication_consent == Member.Consent.REFUSED)


register_menu_links(
    MenuLink(
        slot=MenuSlot.MEMBER_LIST,
        name="duplicates",
        title=_("Find duplicates"),
        url_name="member_duplicates",
        position=20,
    ),
    MenuLink(
        slot=MenuSlot.MEMBER_LIST, name="kept", title=_("Data kept too long"), url_name="expired_data_list", position=50
    ),
    MenuLink(
        slot=MenuSlot.MEMBER,
        name="data",
        title=_("Download this person's data"),
        url_name="member_data_download",
        position=10,
    ),
    MenuLink(
        slot=MenuSlot.MEMBER,
        name="initials",
        title=_("Use initials in events…"),
        url_name="member_use_initials",
        position=15,
        is_visible=_refused_publication,
    ),
    MenuLink(
        slot=MenuSlot.MEMBER,
        name="erase",
        title=_("Erase personal data…"),
        url_name="member_erase",
        position=20,
        is_danger=True,
    ),
    MenuLink(
        slot=MenuSlot.OWN_PAGE, name="data", title=_("Download my data"), url_name="own_data_download", position=10
    ),
)
