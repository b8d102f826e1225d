"""Addresses of check-in, the wall and personal links."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from tournaments.check_in.views import check_in, everybody, links, wall

at_the_door: list[URLPattern] = [
    path("check-in/", check_in.check_in_page, name="check_in"),
    path("check-in/everybody/", everybody.check_in_everybody, name="check_in_everybody"),
    path("check-in/everybody/take-back/", everybody.check_in_take_back, name="check_in_take_back"),
    path("check-in/close/", check_in.check_in_close, name="check_in_close"),
    path("check-in/open/", check_in.check_in_open, name="check_in_open"),
    path("check-in/code/", check_in.wall_code, name="wall_code"),
    path("check-in/code.svg", check_in.wall_code_picture, name="wall_code_picture"),
    path("absent/withdraw/", check_in.absent_withdraw, name="absent_withdraw"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/players/links/", links.personal_links, name="personal_links"),
    path("<slug:club>/<slug:event>/players/<int:entry>/link.svg", links.personal_link_picture, name="link_picture"),
    path("<slug:club>/<slug:event>/players/<int:entry>/link/renew/", links.personal_link_renew, name="link_renew"),
    path("<slug:club>/<slug:event>/check-in/<str:token>/", wall.wall, name="wall"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(at_the_door)),
]
