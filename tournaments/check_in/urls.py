"""URLs of check-in, check-in codes and personal links."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from tournaments.check_in.views import bulk_check_in, personal_links, round_check_in, self_check_in

round_check_in_urls: list[URLPattern] = [
    path("check-in/everybody/", bulk_check_in.check_in_everybody, name="check_in_everybody"),
    path("check-in/everybody/take-back/", bulk_check_in.check_in_everybody_undo, name="check_in_everybody_undo"),
    path("check-in/close/", round_check_in.check_in_close, name="check_in_close"),
    path("check-in/open/", round_check_in.check_in_reopen, name="check_in_reopen"),
    path("check-in/dues/", round_check_in.check_in_dues, name="check_in_dues"),
    path("check-in/code/", round_check_in.check_in_code, name="check_in_code"),
    path("check-in/code.svg", round_check_in.check_in_code_picture, name="check_in_code_picture"),
    path("absent/withdraw/", round_check_in.absent_players_withdraw, name="absent_players_withdraw"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/players/links/", personal_links.personal_links, name="personal_links"),
    path(
        "<slug:club>/<slug:event>/players/<int:entry>/link.svg",
        personal_links.personal_link_picture,
        name="personal_link_picture",
    ),
    path(
        "<slug:club>/<slug:event>/players/<int:entry>/link/renew/",
        personal_links.personal_link_renew,
        name="personal_link_renew",
    ),
    path("<slug:club>/<slug:event>/check-in/<str:token>/", self_check_in.self_check_in, name="self_check_in"),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(round_check_in_urls)),
]
