"""Addresses of the made-up club's coming and going."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy as _

from common.navigation import Spot, Way, offer
from operations.demo import views

urlpatterns = [
    path("clubs/demo/load/", views.demo_load, name="demo_load"),
    path("clubs/demo/remove/", views.demo_remove, name="demo_remove"),
]

offer(
    Way(
        spot=Spot.ARRIVING,
        name="demo",
        title=_("A made-up club to look around in"),
        page="demo_load",
        place=30,
        when=lambda c: c["user"].is_superuser,
    )
)
