"""URL of the style guide."""

from __future__ import annotations

from django.urls import path

from pairing.pages.styleguide import views

urlpatterns = [path("design/", views.styleguide, name="styleguide")]
