"""The pages that explain systems and accelerations; open to everyone."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.requests import WebRequest
from pairing.explanations.help_pages import HELP_PAGES


@require_safe
@login_not_required
def help_systems(request: WebRequest) -> HttpResponse:
    """All methods."""
    request.may_be_listed = True
    return render(request, "pairing/explanations/systems.html", {"pages": HELP_PAGES.items()})


@require_safe
@login_not_required
def help_system(request: WebRequest, name: str) -> HttpResponse:
    """One method: what it does and what its articles say."""
    if name not in HELP_PAGES:
        raise Http404
    request.may_be_listed = True
    return render(request, "pairing/explanations/system.html", {"name": name, "page": HELP_PAGES[name]})
