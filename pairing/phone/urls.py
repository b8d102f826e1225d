"""Addresses of what players do by their personal links."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.phone import views

by_personal_link: list[URLPattern] = [
    path("", views.personal_page, name="personal"),
    path("check-in/", views.personal_check_in, name="personal_check_in"),
    path("bye/", views.personal_bye, name="personal_bye"),
    path("result/", views.personal_result, name="personal_result"),
]

urlpatterns = [path("p/<str:token>/", include(by_personal_link))]
