"""Addresses of pictures beside shared links, frames for web sites, and what search engines read."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from pairing.public.embeds import frames, pictures, robots

urlpatterns = [
    path("robots.txt", robots.robots_txt, name="robots_txt"),
    path("sitemap.xml", robots.sitemap, name="sitemap"),
    path("<slug:club>/settings/web-site/", frames.club_web_site, name="club_web_site"),
    path("<slug:club>/embed/", frames.club_frame, name="club_frame"),
    path("<slug:club>/<slug:event>/embed/", frames.event_frame, name="event_frame"),
    path("<slug:club>/<slug:event>/standings.png", pictures.table_picture, name="table_picture"),
    path("<slug:club>/<slug:event>/standings/<int:after>.png", pictures.table_picture, name="table_picture_after"),
    path("<slug:club>/<slug:event>/rounds/<int:number>.png", pictures.round_picture, name="round_picture"),
    path(
        "<slug:club>/<slug:event>/rounds/<int:number>/boards/<int:board>.png",
        pictures.board_picture,
        name="board_picture",
    ),
]

offer(
    Way(
        spot=Spot.SETTINGS,
        name="web site",
        title=_("The club's web site and search engines"),
        page="club_web_site",
        place=60,
    )
)
