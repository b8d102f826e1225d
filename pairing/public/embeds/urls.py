"""URLs of preview images, frames for websites, and files for search engines."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.public.embeds import views

urlpatterns = [
    path("robots.txt", views.robots_txt, name="robots_txt"),
    path("sitemap.xml", views.sitemap, name="sitemap"),
    path("<slug:club>/settings/web-site/", views.club_website_settings, name="club_website_settings"),
    path("<slug:club>/embed/", views.club_embed, name="club_embed"),
    path("<slug:club>/<slug:event>/embed/", views.event_embed, name="event_embed"),
    path("<slug:club>/<slug:event>/standings.png", views.standings_share_image, name="standings_share_image"),
    path(
        "<slug:club>/<slug:event>/standings/<int:after>.png",
        views.standings_share_image,
        name="standings_share_image_after",
    ),
    path(
        "<slug:club>/<slug:event>/rounds/<int:number>.png",
        views.round_share_image,
        name="round_share_image",
    ),
    path(
        "<slug:club>/<slug:event>/rounds/<int:number>/boards/<int:board>.png",
        views.board_share_image,
        name="board_share_image",
    ),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.SETTINGS_ONLINE,
        name="web site",
        title=_("Website and search engines"),
        url_name="club_website_settings",
        position=60,
    )
)
