"""Views of the players' personal links, for arbiters."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.membership.accounts.private_pages import private_page
from clubs.request_types import AuthenticatedRequest
from common.text.name_order import name_sort_key
from common.text.name_search import matches_search_words, split_search_words
from common.text.qr_codes import qr_code_response
from tournaments.access import get_tournament_for_arbiter
from tournaments.check_in.personal_links import personal_link_url, renew_personal_link
from tournaments.privacy.personal_data import full_names_behind_initials

LINKS_PER_PAGE = 24


@require_safe
@private_page
def personal_links(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Show every player's link with its QR code, to scan from the screen."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    query = request.GET.get("q", "").strip()
    words = split_search_words(query)
    full_names = full_names_behind_initials(the_event)
    named = [(full_names.get(entry.pk, entry.name), entry) for entry in the_event.entries.select_related("member")]
    found = sorted(
        (name_sort_key(name), entry.pk, name, entry) for name, entry in named if matches_search_words(name, words)
    )
    page = Paginator(found, LINKS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "page": page,
        "links": [
            (entry, name, request.build_absolute_uri(personal_link_url(entry))) for _key, _pk, name, entry in page
        ],
        "query": query,
    }
    return render(request, "tournaments/check_in/personal_links.html", context)


@require_safe
def personal_link_picture(request: AuthenticatedRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Return one player's link as a QR code."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    found = get_object_or_404(the_event.entries.select_related("member"), pk=entry)
    return qr_code_response(request.build_absolute_uri(personal_link_url(found)))


@require_POST
def personal_link_renew(request: AuthenticatedRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Give the player a new link. The old one stops working at once."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    found = get_object_or_404(the_event.entries.select_related("tournament", "member"), pk=entry)
    renew_personal_link(found, by=request.user)
    said = _("%(name)s has a new link. The old one no longer works.")
    messages.success(request, said % {"name": found.name})
    return redirect("personal_links", club, event)
