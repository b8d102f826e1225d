"""URLs of the pages that compare pairings."""

from __future__ import annotations

from django.urls import URLPattern, include, path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.rounds.comparison import checked_views, views, what_if_views

round_urls: list[URLPattern] = [
    path("compare/", views.round_compare, name="round_compare"),
    path("what-if/", what_if_views.round_what_if, name="round_what_if"),
    path("what-if/<int:job>/", what_if_views.round_what_if_result, name="round_what_if_result"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/checked/", checked_views.event_rules_check, name="event_rules_check"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(round_urls)),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.EVENT_MORE,
        name="checked",
        title=_("Check against the rules"),
        url_name="event_rules_check",
        position=30,
    )
)
