"""URLs of clubs' colours and logos."""

from __future__ import annotations

from django.urls import path, re_path

from clubs.membership.branding import views

urlpatterns = [
    re_path(
        r"^look/(?P<colour>[0-9a-f]{6})/(?P<look>auto|light|dark)\.css\Z",
        views.club_colours_css,
        name="club_colours_css",
    ),
    path("<slug:club>/logo/<slug:mark>.png", views.club_logo_image, name="club_logo_image"),
]
