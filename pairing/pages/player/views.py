"""Pages for a device that knows its player: their board on every event page, and one permanent address."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.membership.accounts.adapter import throttle_attempt
from clubs.membership.accounts.invitations import create_invitation, invitation_path, invitation_token, send_invitation
from clubs.membership.accounts.private_pages import limit_posts_per_minute, private_page
from clubs.membership.accounts.throttling import AttemptLimit
from clubs.models import Role
from clubs.request_types import WebRequest, parse_key
from common.text.name_order import name_sort_key
from common.text.name_search import matches_search_words, split_search_words
from pairing.page_context import event_page_context
from pairing.pages.player.personal_page import (
    SETTLED_ROUND_PARAM,
    ReturnPage,
    parse_small_number,
    personal_page_response,
    player_history_response,
)
from pairing.pages.player.pinned_boards import pinned_boards
from pairing.pages.player.player_calendar import player_calendar_entries
from tournaments.check_in.access import get_entry_for_link_holder, get_tournament_for_player
from tournaments.check_in.answers import next_answers
from tournaments.check_in.byes import request_bye_as_player, sign_up_as_player
from tournaments.check_in.current_event import current_entry
from tournaments.check_in.personal_links import member_link_token, personal_link_url
from tournaments.check_in.presence import check_in_by_player, leave_event_as_player, undo_check_in_by_player
from tournaments.check_in.remembered_device import (
    OwnedEntry,
    OwnerEvidence,
    entries_of_device,
    entries_of_device_owners,
    forget_device_owners,
    remember_device_owner,
)
from tournaments.models import Entry, Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.displayed_game import game_changed_problem, parse_displayed_game
from tournaments.results.player_reporting import REPORTABLE_RESULTS, report_result
from tournaments.series.calendar_feed import render_calendar_file


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
    """Return the pinned boards of the device's players, or 204 if there are none. `?coming` adds the next answers."""
    tournament, owners = get_tournament_for_player(request, club, event)
    if not owners:
        return HttpResponse(status=204)
    asked = [each.entry for each in owners if each.may_act] if "coming" in request.GET else []
    context = {
        "tournament": tournament,
        "boards": pinned_boards(tournament, owners),
        "answers": next_answers(asked),
        "back": ReturnPage.OVERVIEW,
    }
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


MAX_TAPS_PER_MINUTE = 30
"""The limit for one player's link."""

CLAIM_LIFETIME = timedelta(days=1)


@login_not_required
@require_safe
@private_page
def personal_page(request: WebRequest, token: str) -> HttpResponse:
    """Show the player's board, place, colours and possible actions."""
    entry = get_entry_for_link_holder(token)
    is_persons = entry.member is not None and token == member_link_token(entry.member)
    others = tuple(each for each in entries_of_device(request, entry.tournament) if each.entry.pk != entry.pk)
    back = ReturnPage.PERSON if is_persons else ReturnPage.EVENT
    response = personal_page_response(request, entry, back=back, others=others)
    if request.htmx.target != "live":
        remember_device_owner(
            request, response, entry, by=OwnerEvidence.PERSON_LINK if is_persons else OwnerEvidence.EVENT_LINK
        )
    return response


@login_not_required
@require_safe
@private_page
def personal_history(request: WebRequest, token: str) -> HttpResponse:
    """Show the player's event so far: rounds, places and rating changes."""
    entry = get_entry_for_link_holder(token)
    return player_history_response(request, entry, back=ReturnPage.EVENT, may_act=True)


@login_not_required
@require_safe
@private_page
def personal_calendar(request: WebRequest, token: str) -> HttpResponse:
    """Return the player's rounds as a calendar file, with venue, alarm and personal link."""
    entry = get_entry_for_link_holder(token)
    club = entry.tournament.club
    link = request.build_absolute_uri(personal_link_url(entry))
    file = render_calendar_file(
        entry.tournament.name, player_calendar_entries(entry, link), key=str(club.calendar_key), made_at=timezone.now()
    )
    return HttpResponse(file, content_type="text/calendar; charset=utf-8")


@login_not_required
@require_POST
@limit_posts_per_minute(MAX_TAPS_PER_MINUTE)
@private_page
def personal_check_in(request: WebRequest, token: str) -> HttpResponse:
    """Check the player in, on time or late, or undo it."""
    entry = get_entry_for_link_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    tap = request.POST.get("tap")
    if tap == "undo":
        return _settle(request, entry, lambda: undo_check_in_by_player(entry, the_round))
    return _settle(request, entry, lambda: check_in_by_player(entry, the_round, late=tap == "late"))


@login_not_required
@require_POST
@limit_posts_per_minute(MAX_TAPS_PER_MINUTE)
@private_page
def personal_bye(request: WebRequest, token: str) -> HttpResponse:
    """Record whether the player is coming to an upcoming round. A player who can't come gets a bye."""
    entry = get_entry_for_link_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    act = sign_up_as_player if request.POST.get("answer") == "coming" else request_bye_as_player
    then = f"{SETTLED_ROUND_PARAM}={the_round.number}" + ("#byes" if "fold" in request.POST else "")
    return _settle(request, entry, lambda: act(entry, the_round), then=then)


@login_not_required
@require_POST
@limit_posts_per_minute(MAX_TAPS_PER_MINUTE)
@private_page
def personal_leave(request: WebRequest, token: str) -> HttpResponse:
    """Withdraw the player from the rest of the event, at their own request."""
    entry = get_entry_for_link_holder(token)
    return _settle(request, entry, lambda: leave_event_as_player(entry))


@login_not_required
@require_POST
@limit_posts_per_minute(MAX_TAPS_PER_MINUTE)
@private_page
def personal_result(request: WebRequest, token: str) -> HttpResponse:
    """Report the result of the player's game."""
    entry = get_entry_for_link_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    result = request.POST.get("result")
    seen = parse_displayed_game(request.POST.get("seen", ""))
    if seen is None or result not in REPORTABLE_RESULTS:
        raise Http404

    def report_game_result() -> None:
        game = the_round.games.filter(pk=seen.game).first()
        if game is None:
            raise game_changed_problem(None)
        report_result(entry, game, result, revision=seen.revision)

    return _settle(request, entry, report_game_result)


@login_not_required
@require_POST
@private_page
def personal_account_request(request: WebRequest, token: str) -> HttpResponse:
    """Invite the player to create an account: by email if the club has their address, otherwise at once."""
    entry = get_entry_for_link_holder(token)
    member = entry.member
    if member is None or member.user_id is not None:
        raise Http404
    try:
        throttle_attempt((AttemptLimit(scope="claim", subject=str(member.pk), free_failures=3),))
    except ValidationError as wait:
        messages.error(request, wait.messages[0])
        return redirect(ReturnPage.from_request(request).page_address(entry))
    invitation = create_invitation(
        member.club, Role.MEMBER, by=None, valid_for=CLAIM_LIFETIME, member=member, email=member.email
    )
    if not invitation.email:
        return redirect("invitation_accept", invitation_token(invitation))
    try:
        send_invitation(invitation, request.build_absolute_uri(invitation_path(invitation)))
    except OSError:
        messages.error(request, _("We couldn't send the email. Ask the club secretary for an invitation."))
    else:
        messages.success(request, _("We've sent a link to the email address the club has for you."))
    return redirect(ReturnPage.from_request(request).page_address(entry))


def _settle(request: WebRequest, entry: Entry, act: Callable[[], object], *, then: str = "") -> HttpResponse:
    """Run an action and return to the page it came from, with `then` added to its query. Errors are shown on the
    player's page. On a family's device, `player` is the one whose page it is."""
    back = ReturnPage.from_request(request)
    try:
        act()
    except ArbiterProblem as problem:
        return personal_page_response(request, entry, back=back, problem=problem)
    shown = parse_key(request.POST.get("player", "")) if back is ReturnPage.DEVICE else 0
    words = "&".join(each for each in (f"player={shown}" if shown else "", then) if each)
    is_own_page = back in (ReturnPage.EVENT, ReturnPage.PERSON, ReturnPage.DEVICE)
    return redirect(back.page_address(entry) + (f"?{words}" if words and is_own_page else ""))


def _round(entry: Entry, number: str | None) -> Round:
    found = entry.tournament.rounds.filter(number=parse_small_number(number)).first()
    if found is None:
        raise Http404
    found.tournament = entry.tournament
    return found
