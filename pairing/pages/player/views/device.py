"""What a device that knows whose it is shows: his board on every page of the event, and one address for life."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.requests import WebRequest, key_of
from common.text.name_order import name_key
from common.text.searching import holds, words_of
from pairing.frame import frame
from pairing.pages.player.own_page import Back, answer, story_answer
from pairing.pages.player.pinned import pinned_boards
from tournaments.check_in.access import get_tournament_for_its_player
from tournaments.check_in.own_device import KnownBy, Own, forget, own_entries, remember
from tournaments.check_in.own_events import current_entry
from tournaments.check_in.private_pages import kept_private
from tournaments.models import Tournament


@login_not_required
@require_safe
@kept_private
def me(request: WebRequest) -> HttpResponse:
    """One address for life: leads to the page of the event he is in now."""
    entry = current_entry(own_entries(request))
    if entry is None:
        return render(request, "pairing/pages/player/nobody.html")
    return redirect("event_me", entry.tournament.club.slug, entry.tournament.slug)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@kept_private
def event_me(request: WebRequest, club: str, event: str) -> HttpResponse:
    """The player's own page of the event, or the names among which he finds himself; a name sent is remembered.

    `?player=` names one of several whom the device knows, `?who` asks again.
    """
    tournament, owners = get_tournament_for_its_player(request, club, event)
    if request.method == "POST":
        return _remembered(request, tournament)
    if not owners or "who" in request.GET:
        return _names(request, tournament)
    own = _chosen(request, owners)
    own.entry.tournament = tournament
    others = tuple(each for each in owners if each is not own)
    return answer(request, own.entry, back=Back.DEVICE, may_act=own.may_act, others=others)


@login_not_required
@require_safe
@kept_private
def event_story(request: WebRequest, club: str, event: str) -> HttpResponse:
    """The event so far of the player to whom this device belongs."""
    tournament, owners = get_tournament_for_its_player(request, club, event)
    if not owners:
        return redirect("event_me", club, event)
    own = _chosen(request, owners)
    own.entry.tournament = tournament
    return story_answer(request, own.entry, back=Back.DEVICE, may_act=own.may_act)


@login_not_required
@require_safe
@kept_private
def my_board(request: WebRequest, club: str, event: str) -> HttpResponse:
    """The board of whoever the device belongs to, to be pinned on top of a page; 204 where it belongs to nobody."""
    tournament, owners = get_tournament_for_its_player(request, club, event)
    if not owners:
        return HttpResponse(status=204)
    context = {"tournament": tournament, "boards": pinned_boards(tournament, owners)}
    return render(request, "pairing/pages/player/pinned.html", context)


@login_not_required
@require_POST
@kept_private
def me_forget(request: WebRequest) -> HttpResponse:
    """The device knows nobody any more."""
    messages.success(request, _("This device has forgotten who you are."))
    response = redirect("home")
    forget(response)
    return response


def _chosen(request: WebRequest, owners: tuple[Own, ...]) -> Own:
    wanted = key_of(request.GET.get("player", ""))
    return next((each for each in owners if each.entry.pk == wanted), owners[0])


def _remembered(request: WebRequest, tournament: Tournament) -> HttpResponse:
    key = key_of(request.POST.get("entry", ""))
    entry = tournament.entries.select_related("member").filter(pk=key).first()
    if entry is None:
        return _names(request, tournament, status=422)
    response = redirect("event_me", tournament.club.slug, tournament.slug)
    remember(request, response, entry, by=KnownBy.WORD)
    return response


def _names(request: WebRequest, tournament: Tournament, *, status: int = 200) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    words = words_of(query)
    number = key_of(request.GET.get("number", ""))
    entries = sorted(tournament.entries.all(), key=lambda each: (name_key(each.name), each.pk))
    found = [each for each in entries if (each.tpn == number if number else holds(each.name, words))]
    context = frame(tournament, may_run=False, here="me") | {"found": found, "query": query, "total": len(entries)}
    return render(request, "pairing/pages/player/names.html", context, status=status)
