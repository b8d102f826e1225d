"""URL of the replay."""

from __future__ import annotations

from django.urls import path

from pairing.pages.replay import views

urlpatterns = [path("<slug:club>/<slug:event>/rounds/<int:number>/replay/", views.round_replay, name="round_replay")]
