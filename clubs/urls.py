"""Pages of people: signing in, clubs and their members."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, path
from django.views.i18n import set_language

from . import views

urlpatterns: list[URLPattern] = [
    path("", views.home, name="home"),
    path("sign-in/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("language/", set_language, name="set_language"),
    path("look/", views.look, name="look"),
]
