"""URLs of membership applications."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.membership.applications.views import applicants, secretary
from common.navigation import MenuLink, MenuSlot, register_menu_links

urlpatterns = [
    path("<slug:club>/join/", applicants.application_form, name="application_form"),
    path("<slug:club>/join/confirm/<str:token>/", applicants.application_confirm, name="application_confirm"),
    path("<slug:club>/join/<str:token>/", applicants.application_status, name="application_status"),
    path("<slug:club>/applications/", secretary.applications_review, name="applications_review"),
    path("<slug:club>/applications/settings/", secretary.application_settings, name="application_settings"),
    path("<slug:club>/applications/<int:application>/", secretary.application_decide, name="application_decide"),
    path("<slug:club>/applications/<int:application>/refuse/", secretary.application_refuse, name="application_refuse"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.MEMBER_LIST,
        name="applications",
        title=_("Applications"),
        url_name="applications_review",
        position=2,
        is_visible=lambda context: bool(context["may_edit"]),
    )
)
