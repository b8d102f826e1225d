"""Pages for a device that knows its player: their board on every event page, and one permanent address."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.request_types import WebRequest, parse_key
from common.text.name_order import name_sort_key
from common.text.name_search import matches_search_words, split_search_words
from pairing.page_context import event_page_context
from pairing.pages.player.personal_page import ReturnPage, personal_page_response, player_history_response
from pairing.pages.player.pinned_boards import pinned_boards
from tournaments.check_in.access import get_tournament_for_player
from tournaments.check_in.current_event import current_entry
from tournaments.check_in.private_pages import private_page
from tournaments.check_in.remembered_device import (
    OwnedEntry,
    OwnerEvidence,
    entries_of_device_owners,
    forget_device_owners,
    remember_device_owner,
)
from tournaments.models import Tournament


@login_not_required
@require_safe
@private_page
def my_page(request: WebRequest) -> HttpResponse:
    """Redirect the permanent address to the page of the player's current event."""
    entry = current_entry(entries_of_device_owners(request))
    if entry is None:
        return render(request, "pairing/pages/player/unknown_device.html")
    return redirect("my_event_page", entry.tournament.club.slug, entry.tournament.slug)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@private_page
def my_event_page(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show the player's own page of the event, or a list of names to choose from. A submitted name is remembered.

    `?player=` selects one of several known players, `?who` asks again.
    """
    tournament, owners = get_tournament_for_player(request, club, event)
    if request.method == "POST":
        return _remembered(request, tournament)
    if not owners or "who" in request.GET:
        return _names(request, tournament)
    own = _chosen(request, owners)
    own.entry.tournament = tournament
    others = tuple(each for each in owners if each is not own)
    return personal_page_response(request, own.entry, back=ReturnPage.DEVICE, may_act=own.may_act, others=others)


@login_not_required
@require_safe
@private_page
def my_event_history(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show the event history of the device's player."""
    tournament, owners = get_tournament_for_player(request, club, event)
    if not owners:
        return redirect("my_event_page", club, event)
    own = _chosen(request, owners)
    own.entry.tournament = tournament
    return player_history_response(request, own.entry, back=ReturnPage.DEVICE, may_act=own.may_act)


@login_not_required
@require_safe
@private_page
def my_board(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Return the pinned boards of the device's players, or 204 if there are none."""
    tournament, owners = get_tournament_for_player(request, club, event)
    if not owners:
        return HttpResponse(status=204)
    context = {"tournament": tournament, "boards": pinned_boards(tournament, owners)}
    return render(request, "pairing/pages/player/pinned_boards.html", context)


@login_not_required
@require_POST
@private_page
def my_device_forget(request: WebRequest) -> HttpResponse:
    """Forget the device's players."""
    messages.success(request, _("This device no longer remembers you."))
    response = redirect("home")
    forget_device_owners(response)
    return response


def _chosen(request: WebRequest, owners: tuple[OwnedEntry, ...]) -> OwnedEntry:
    wanted = parse_key(request.GET.get("player", ""))
    return next((each for each in owners if each.entry.pk == wanted), owners[0])


def _remembered(request: WebRequest, tournament: Tournament) -> HttpResponse:
    key = parse_key(request.POST.get("entry", ""))
    entry = tournament.entries.select_related("member").filter(pk=key).first()
    if entry is None:
        return _names(request, tournament, status=422)
    response = redirect("my_event_page", tournament.club.slug, tournament.slug)
    remember_device_owner(request, response, entry, by=OwnerEvidence.OWN_STATEMENT)
    return response


def _names(request: WebRequest, tournament: Tournament, *, status: int = 200) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    words = split_search_words(query)
    number = parse_key(request.GET.get("number", ""))
    entries = sorted(tournament.entries.all(), key=lambda each: (name_sort_key(each.name), each.pk))
    found = [each for each in entries if (each.tpn == number if number else matches_search_words(each.name, words))]
    context = event_page_context(tournament, may_run=False, here="me") | {
        "found": found,
        "query": query,
        "total": len(entries),
    }
    return render(request, "pairing/pages/player/choose_name.html", context, status=status)
