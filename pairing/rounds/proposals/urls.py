"""URLs of proposals, and of rounds without a legal pairing."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from pairing.rounds.proposals import views

proposal_urls: list[URLPattern] = [
    path("", views.proposal_create, name="proposal_create"),
    path("<int:proposal>/", views.proposal_page, name="proposal"),
    path("<int:proposal>/adopt/", views.proposal_adopt, name="proposal_adopt"),
    path("<int:proposal>/discard/", views.proposal_discard, name="proposal_discard"),
]

relaxation_urls: list[URLPattern] = [
    path("", views.no_legal_pairing, name="no_legal_pairing"),
    path("by-hand/", views.empty_draft_start, name="empty_draft_start"),
    path("<int:proposal>/decide/", views.relaxation_adopt, name="relaxation_adopt"),
]

urlpatterns = [
    path("<slug:club>/<slug:event>/rounds/<int:number>/trial/", include(proposal_urls)),
    path("<slug:club>/<slug:event>/rounds/<int:number>/no-round/", include(relaxation_urls)),
]
