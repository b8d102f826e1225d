"""URLs of pairing, one line per package."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("pairing.public.api.urls")),
    path("", include("pairing.public.api_tokens.urls")),
    path("", include("pairing.public.webhooks.urls")),
    path("", include("pairing.pages.styleguide.urls")),
    path("", include("pairing.public.exports.urls")),
    path("", include("pairing.public.embeds.urls")),
    path("", include("pairing.pages.web_app.urls")),
    path("", include("pairing.pages.player.urls")),
    path("", include("pairing.explanations.urls")),
    path("", include("pairing.pages.round.urls")),
    path("", include("pairing.rounds.manual.urls")),
    path("", include("pairing.rounds.proposals.urls")),
    path("", include("pairing.rounds.comparison.urls")),
    path("", include("pairing.pages.replay.urls")),
    path("", include("pairing.pages.standings.urls")),
    path("", include("pairing.printing.pages.urls")),
    path("", include("pairing.pages.home.urls")),
]
