"""URLs of all packages of clubs."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("clubs.membership.accounts.urls")),
    path("", include("clubs.membership.branding.urls")),
    path("", include("clubs.membership.onboarding.urls")),
    path("", include("clubs.membership.club_settings.urls")),
    path("", include("clubs.job_progress.urls")),
    path("", include("clubs.membership.letterhead.urls")),
    path("", include("clubs.membership.members.urls")),
    path("", include("clubs.membership.applications.urls")),
    path("", include("clubs.membership.letters.urls")),
    path("", include("clubs.finance.dues.urls")),
    path("", include("clubs.finance.bank.urls")),
    path("", include("clubs.finance.direct_debit.urls")),
    path("", include("clubs.finance.accounting.urls")),
    path("", include("clubs.rating.lists.urls")),
]
