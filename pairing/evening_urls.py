"""Pages of the evening: what players do by their personal links."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from pairing.views import personal

by_personal_link: list[URLPattern] = [
    path("", personal.personal_page, name="personal"),
    path("check-in/", personal.personal_check_in, name="personal_check_in"),
    path("bye/", personal.personal_bye, name="personal_bye"),
    path("result/", personal.personal_result, name="personal_result"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<str:token>/", include(by_personal_link)),
]
