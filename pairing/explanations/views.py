"""The help pages about systems and accelerations, open to everyone."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.request_types import WebRequest
from pairing.explanations.help_pages import METHOD_HELP_PAGES


@require_safe
@login_not_required
def pairing_help_list(request: WebRequest) -> HttpResponse:
    """List all methods."""
    request.is_indexable = True
    return render(request, "pairing/explanations/pairing_help_list.html", {"pages": METHOD_HELP_PAGES.items()})


@require_safe
@login_not_required
def pairing_help_page(request: WebRequest, name: str) -> HttpResponse:
    """Show one method and its articles."""
    if name not in METHOD_HELP_PAGES:
        raise Http404
    request.is_indexable = True
    context = {
        "name": name,
        "page": METHOD_HELP_PAGES[name],
        "others": [(each, page) for each, page in METHOD_HELP_PAGES.items() if each != name],
    }
    return render(request, "pairing/explanations/pairing_help_page.html", context)
