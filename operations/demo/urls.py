"""URLs to add and remove the demo club."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from operations.demo import views

urlpatterns = [
    path("clubs/demo/load/", views.demo_load, name="demo_load"),
    path("clubs/demo/remove/", views.demo_remove, name="demo_remove"),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.ONBOARDING,
        name="demo",
        title=_("Demo club"),
        url_name="demo_load",
        position=30,
        is_visible=lambda c: c["user"].is_superuser,
    )
)
