"""URLs of preview images, frames for websites, and files for search engines."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import MenuLink, MenuSlot, register_menu_links
from pairing.public.embeds import embed_views, search_engine_views, share_image_views

urlpatterns = [
    path("robots.txt", search_engine_views.robots_txt, name="robots_txt"),
    path("sitemap.xml", search_engine_views.sitemap, name="sitemap"),
    path("<slug:club>/settings/web-site/", embed_views.club_website_settings, name="club_website_settings"),
    path("<slug:club>/embed/", embed_views.club_embed, name="club_embed"),
    path("<slug:club>/<slug:event>/embed/", embed_views.event_embed, name="event_embed"),
    path(
        "<slug:club>/<slug:event>/standings.png", share_image_views.standings_share_image, name="standings_share_image"
    ),
    path(
        "<slug:club>/<slug:event>/standings/<int:after>.png",
        share_image_views.standings_share_image,
        name="standings_share_image_after",
    ),
    path(
        "<slug:club>/<slug:event>/rounds/<int:number>.png",
        share_image_views.round_share_image,
        name="round_share_image",
    ),
    path(
        "<slug:club>/<slug:event>/rounds/<int:number>/boards/<int:board>.png",
        share_image_views.board_share_image,
        name="board_share_image",
    ),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.SETTINGS,
        name="web site",
        title=_("Website and search engines"),
        url_name="club_website_settings",
        position=60,
    )
)
