"""A player's own page, opened by his personal link: no sign-in, for the phone; what is done on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.membership.accounts.adapter import wait_for_turn
from clubs.membership.accounts.invitations import invitation_address, invitation_token, invite, send
from clubs.membership.accounts.slowing import Count
from clubs.models import Role
from clubs.requests import WebRequest
from pairing.pages.player.own_evenings import own_evenings
from pairing.pages.player.own_page import SETTLED, Back, answer, small_number, story_answer
from tournaments.check_in.access import get_entry_for_holder
from tournaments.check_in.byes import ask_for_bye, take_bye_back
from tournaments.check_in.check_in import check_in_by_player, undo_by_player
from tournaments.check_in.own_device import KnownBy, remember
from tournaments.check_in.personal_links import handed_out_address, person_token
from tournaments.check_in.private_pages import at_most, kept_private
from tournaments.models import Entry, Round
from tournaments.problems import ArbiterProblem
from tournaments.results.reporting import REPORTABLE, report_result
from tournaments.results.seen_game import other_game, read_seen
from tournaments.series.calendar_feed import calendar_file

TAPS_A_MINUTE = 30
"""By one player's link."""

CLAIM_LASTS = timedelta(days=1)


@login_not_required
@require_safe
@kept_private
def personal_page(request: WebRequest, token: str) -> HttpResponse:
    """The player's board, place, colours, and what he can do himself."""
    entry = get_entry_for_holder(token)
    is_persons = entry.member is not None and token == person_token(entry.member)
    response = answer(request, entry, back=Back.PERSON if is_persons else Back.EVENT)
    if request.htmx.target != "live":
        remember(request, response, entry, by=KnownBy.PERSONS_LINK if is_persons else KnownBy.EVENTS_LINK)
    return response


@login_not_required
@require_safe
@kept_private
def personal_story(request: WebRequest, token: str) -> HttpResponse:
    """The player's event so far: his rounds, his places, what they brought."""
    entry = get_entry_for_holder(token)
    return story_answer(request, entry, back=Back.EVENT, may_act=True)


@login_not_required
@require_safe
@kept_private
def personal_calendar(request: WebRequest, token: str) -> HttpResponse:
    """The evenings on which he plays, for the calendar of his telephone, each with its place, an alarm and his link."""
    entry = get_entry_for_holder(token)
    club = entry.tournament.club
    link = request.build_absolute_uri(handed_out_address(entry))
    file = calendar_file(
        entry.tournament.name, own_evenings(entry, link), key=str(club.calendar_key), made_at=timezone.now()
    )
    return HttpResponse(file, content_type="text/calendar; charset=utf-8")


@login_not_required
@require_POST
@at_most(TAPS_A_MINUTE)
@kept_private
def personal_check_in(request: WebRequest, token: str) -> HttpResponse:
    """He is here, on the way, or it was a slip of the finger."""
    entry = get_entry_for_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    tap = request.POST.get("tap")
    if tap == "undo":
        return _settle(request, entry, lambda: undo_by_player(entry, the_round))
    return _settle(request, entry, lambda: check_in_by_player(entry, the_round, late=tap == "late"))


@login_not_required
@require_POST
@at_most(TAPS_A_MINUTE)
@kept_private
def personal_bye(request: WebRequest, token: str) -> HttpResponse:
    """He asks for a bye of a round to come, or takes it back."""
    entry = get_entry_for_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    act = take_bye_back if request.POST.get("take") == "back" else ask_for_bye
    return _settle(request, entry, lambda: act(entry, the_round), then=f"?{SETTLED}={the_round.number}#byes")


@login_not_required
@require_POST
@at_most(TAPS_A_MINUTE)
@kept_private
def personal_result(request: WebRequest, token: str) -> HttpResponse:
    """He reports how his game ended."""
    entry = get_entry_for_holder(token)
    the_round = _round(entry, request.POST.get("round"))
    result = request.POST.get("result")
    seen = read_seen(request.POST.get("seen", ""))
    if seen is None or result not in REPORTABLE:
        raise Http404

    def report_game_result() -> None:
        game = the_round.games.filter(pk=seen.game).first()
        if game is None:
            raise other_game(None)
        report_result(entry, game, result, revision=seen.revision)

    return _settle(request, entry, report_game_result)


@login_not_required
@require_POST
@kept_private
def personal_claim(request: WebRequest, token: str) -> HttpResponse:
    """He wants a log-in of his own: an invitation, by letter where the club has his address, else on the spot."""
    entry = get_entry_for_holder(token)
    member = entry.member
    if member is None or member.user_id is not None:
        raise Http404
    try:
        wait_for_turn((Count(what="claim", who=str(member.pk), free=3),))
    except ValidationError as wait:
        messages.error(request, wait.messages[0])
        return redirect(Back.of(request).address(entry))
    invitation = invite(member.club, Role.MEMBER, by=None, lasts=CLAIM_LASTS, member=member, email=member.email)
    if not invitation.email:
        return redirect("join", invitation_token(invitation))
    try:
        send(invitation, request.build_absolute_uri(invitation_address(invitation)))
    except OSError:
        messages.error(request, _("The letter could not be sent. Ask the club's secretary for an invitation."))
    else:
        messages.success(request, _("A letter with a link is on its way to the address that the club has of you."))
    return redirect(Back.of(request).address(entry))


def _settle(request: WebRequest, entry: Entry, act: Callable[[], object], *, then: str = "") -> HttpResponse:
    """Do what he asked for and show his page, with `then` at its address; what stands in the way is said on it."""
    back = Back.of(request)
    try:
        act()
    except ArbiterProblem as problem:
        return answer(request, entry, back=back, problem=problem)
    return redirect(back.address(entry) + then)


def _round(entry: Entry, number: str | None) -> Round:
    found = entry.tournament.rounds.filter(number=small_number(number)).first()
    if found is None:
        raise Http404
    found.tournament = entry.tournament
    return found
