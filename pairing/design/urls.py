"""The address of the components."""

from __future__ import annotations

from django.urls import path

from pairing.design import views

urlpatterns = [path("design/", views.design, name="design")]
