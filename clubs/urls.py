"""Pages of people: signing in, language and look, the members of a club."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, path
from django.views.i18n import set_language

from clubs import views

urlpatterns: list[URLPattern] = [
    path("sign-in/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("language/", set_language, name="set_language"),
    path("look/", views.look, name="look"),
    path("<slug:club>/members/", views.members, name="members"),
    path("<slug:club>/members/new/", views.member_new, name="member_new"),
    path("<slug:club>/members/<int:member>/", views.member_edit, name="member_edit"),
]
