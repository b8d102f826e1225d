"""Pages of the evening: what players do by their personal links; results typed a second time."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from pairing.views import personal, reading_again

by_personal_link: list[URLPattern] = [
    path("", personal.personal_page, name="personal"),
    path("check-in/", personal.personal_check_in, name="personal_check_in"),
    path("bye/", personal.personal_bye, name="personal_bye"),
    path("result/", personal.personal_result, name="personal_result"),
]

of_a_round: list[URLPattern] = [
    path("again/", reading_again.round_again, name="round_again"),
    path("again/all/", reading_again.round_again_all, name="round_again_all"),
    path("boards/<int:board>/again/", reading_again.board_again, name="board_again"),
    path("keys/", reading_again.round_keys, name="round_keys"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<str:token>/", include(by_personal_link)),
    path("<slug:club>/<slug:event>/rounds/<int:number>/", include(of_a_round)),
]
