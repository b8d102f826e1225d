"""The personal links of an event's players, for those who run it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.requests import OfficerRequest
from common.text.name_order import name_key
from common.text.searching import holds, words_of
from tournaments.access import get_tournament_for_arbiter
from tournaments.check_in.personal_links import handed_out_address, renew_link
from tournaments.check_in.private_pages import kept_private
from tournaments.check_in.views.check_in import code_picture
from tournaments.privacy.personal_data import full_names_in

LINKS_ON_A_PAGE = 24


@require_safe
@kept_private
def personal_links(request: OfficerRequest, club: str, event: str) -> HttpResponse:
    """Every player's link with its code, to be scanned from the screen."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    query = request.GET.get("q", "").strip()
    words = words_of(query)
    full_names = full_names_in(the_event)
    named = [(full_names.get(entry.pk, entry.name), entry) for entry in the_event.entries.select_related("member")]
    found = sorted((name_key(name), entry.pk, name, entry) for name, entry in named if holds(name, words))
    page = Paginator(found, LINKS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "page": page,
        "links": [
            (entry, name, request.build_absolute_uri(handed_out_address(entry))) for _key, _pk, name, entry in page
        ],
        "query": query,
    }
    return render(request, "tournaments/check_in/personal_links.html", context)


@require_safe
def personal_link_picture(request: OfficerRequest, club: str, event: str, entry: int) -> HttpResponse:
    """One player's link as a QR code."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    found = get_object_or_404(the_event.entries.select_related("member"), pk=entry)
    return code_picture(request.build_absolute_uri(handed_out_address(found)))


@require_POST
def personal_link_renew(request: OfficerRequest, club: str, event: str, entry: int) -> HttpResponse:
    """The player gets another link; the one before ends at once."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    found = get_object_or_404(the_event.entries.select_related("tournament", "member"), pk=entry)
    renew_link(found, by=request.user)
    said = _("%(name)s has a new link; the one before no longer works.")
    messages.success(request, said % {"name": found.name})
    return redirect("personal_links", club, event)
