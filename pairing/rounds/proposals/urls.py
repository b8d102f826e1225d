"""Addresses of a round paired once more on trial, and of one that has no legal pairing."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.rounds.proposals import no_round, views

trials: list[URLPattern] = [
    path("", views.round_trial, name="round_trial"),
    path("<int:proposal>/", views.proposal_page, name="proposal"),
    path("<int:proposal>/adopt/", views.proposal_adopt, name="proposal_adopt"),
    path("<int:proposal>/discard/", views.proposal_discard, name="proposal_discard"),
]

ways_out: list[URLPattern] = [
    path("", no_round.no_round, name="no_round"),
    path("by-hand/", no_round.no_round_by_hand, name="no_round_by_hand"),
    path("<int:proposal>/decide/", no_round.no_round_decide, name="no_round_decide"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/rounds/<int:number>/trial/", include(trials)),
    path("<slug:club>/<slug:event>/rounds/<int:number>/no-round/", include(ways_out)),
]
