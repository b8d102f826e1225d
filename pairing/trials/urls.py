"""Addresses of a round paired once more on trial."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.trials import views

trials: list[URLPattern] = [
    path("", views.round_trial, name="round_trial"),
    path("<int:proposal>/", views.proposal_page, name="proposal"),
    path("<int:proposal>/adopt/", views.proposal_adopt, name="proposal_adopt"),
    path("<int:proposal>/discard/", views.proposal_discard, name="proposal_discard"),
]

urlpatterns = [path("<slug:club>/<slug:event>/rounds/<int:number>/trial/", include(trials))]
