"""URLs of letters to groups."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from clubs.membership.letters import views
from common.navigation import MenuLink, MenuSlot, register_menu_links

urlpatterns = [
    path("<slug:club>/letters/", views.letter_list, name="letter_list"),
    path("<slug:club>/letters/new/", views.letter_new, name="letter_new"),
    path("<slug:club>/letters/<int:letter>/", views.letter_detail, name="letter_detail"),
    path("<slug:club>/letters/stop/<str:token>/", views.letters_unsubscribe, name="letters_unsubscribe"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.MEMBER_LIST,
        name="letters",
        title=_("Letters"),
        url_name="letter_list",
        position=3,
        is_visible=lambda context: bool(context["may_edit"]),
    )
)
