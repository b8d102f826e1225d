"""The list of players, choosing members, and a player's entry."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.models import Member
from clubs.request_types import AuthenticatedRequest, WebRequest, parse_key
from clubs.roles import can_run_events
from common.text.name_search import matches_search_words, split_search_words
from tournaments.access import get_tournament_for_arbiter, get_tournament_for_reader
from tournaments.entries.enrolment import (
    change_entry,
    change_first_round,
    enter_members,
    first_open_round,
    reinstate_player,
    remove_entry,
    withdraw_player,
)
from tournaments.entries.forms import ChooseMembersForm, EntryForm, FromRoundForm
from tournaments.entries.member_linking import (
    find_link_log_entry,
    find_members_matching_entry,
    link_member,
    unlink_member,
)
from tournaments.models import Entry, Round, Tournament
from tournaments.problems import ArbiterProblem

PLAYERS_PER_PAGE = 250


@login_not_required
@require_safe
@vary_on_headers("HX-Target")
def entries(request: WebRequest, club: str, event: str) -> HttpResponse:
    """Show the starting list, with a search by name."""
    the_event = get_tournament_for_reader(request.user, club, event)
    may_run = can_run_events(request.user, the_event.club)
    query = request.GET.get("q", "").strip()
    words = split_search_words(query)
    everyone = list(the_event.entries.select_related("member"))
    playing = sum(not entry.withdrawn_from_round for entry in everyone)
    found = [entry for entry in everyone if matches_search_words(_names(entry) if may_run else entry.name, words)]
    rounds = list(the_event.rounds.defer("scores"))
    context = {
        "tournament": the_event,
        "may_run": may_run,
        "here": "players",
        "query": query,
        "withdrawn": len(everyone) - playing,
        "rounds": rounds,
        "latest": max((each.number for each in rounds if each.is_public), default=0),
        "next_round": next_round(the_event, playing) if may_run else None,
        "page": Paginator(found, PLAYERS_PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(
        request,
        "tournaments/entries/entries.html#found"
        if request.htmx.target == "found"
        else "tournaments/entries/entries.html",
        context,
    )


def _names(entry: Entry) -> str:
    """Return the player's name in the event, and the name in the member list if they have one."""
    return f"{entry.name} {entry.member.name}" if entry.member else entry.name


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Target")
def entries_add_members(request: AuthenticatedRequest, club: str, event: str) -> HttpResponse:
    """Enter club members by ticking them."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    form = ChooseMembersForm(
        request.POST or None, tournament=the_event, rounds=unpublished_rounds(the_event), initial=_newcomer(the_event)
    )
    if request.method == "POST" and form.is_valid():
        chosen, from_round = form.cleaned_data["members"], form.cleaned_data["from_round"]
        try:
            entered = enter_members(the_event, chosen, by=request.user, from_round=from_round)
        except ArbiterProblem as problem:
            form.add_error(None, problem.message)
        else:
            messages.success(request, players_entered_message(len(entered)))
            return redirect("entries", club, event)
    query = (request.GET.get("q") or request.POST.get("q") or "").strip()
    ticked = set(request.POST.getlist("members") or request.GET.getlist("members"))
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "form": form,
        "query": query,
        "choices": _choices(the_event, query, ticked),
    }
    template = "tournaments/entries/entries_add_members.html"
    if request.htmx.target == "choices":
        return render(request, f"{template}#choices", context)
    return render(request, template, context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def entry_edit(request: AuthenticatedRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Edit a player's data and rounds: first round, withdrawal, byes."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    the_entry = get_object_or_404(Entry, tournament=the_event, pk=entry)
    meant = find_members_matching_entry(the_entry)
    if request.method == "POST" and "member" in request.POST:
        return _say_member(request, the_entry, meant)
    if request.method == "POST" and "not_member" in request.POST:
        return _say_guest(request, the_entry)
    form = EntryForm(request.POST or None, instance=the_entry)
    if request.method == "POST" and form.is_valid():
        changed = change_entry(the_entry, by=request.user, **form.changed_values)
        messages.success(request, _("Details of %(name)s saved for this event.") % {"name": changed.name})
        if changed.member_id != the_entry.member_id:
            messages.success(request, linked_member_message(changed.name))
        return redirect("entries", club, event)
    rounds = unpublished_rounds(the_event)
    context = {
        "tournament": the_event,
        "may_run": True,
        "here": "players",
        "entry": the_entry,
        "form": form,
        "meant": meant,
        "was_linked": find_link_log_entry(the_entry) is not None,
        "open_rounds": rounds,
        "has_begun": the_entry.entered_in_round not in {each.number for each in rounds},
        "byes": the_entry.byes.select_related("round").order_by("round__number"),
    }
    return render(request, "tournaments/entries/entry_edit.html", context, status=422 if form.errors else 200)


def _say_member(request: AuthenticatedRequest, entry: Entry, meant: list[Member]) -> HttpResponse:
    """Link the guest to the member that was clicked, if that is still possible."""
    member = next((each for each in meant if str(each.pk) == request.POST["member"]), None)
    try:
        if member is None:
            raise ArbiterProblem(_("This member no longer matches the player. Check again."))
        linked = link_member(entry, member, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, linked_member_message(linked.name))
    return redirect("entry_edit", entry.tournament.club.slug, entry.tournament.slug, entry.pk)


def _say_guest(request: AuthenticatedRequest, entry: Entry) -> HttpResponse:
    """Undo the link of an entry to a member."""
    try:
        guest = unlink_member(entry, was=parse_key(request.POST["not_member"]), by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        said = _("%(name)s is a guest again. The games no longer count towards any member's rating.")
        messages.success(request, said % {"name": guest.name})
    return redirect("entry_edit", entry.tournament.club.slug, entry.tournament.slug, entry.pk)


def linked_member_message(name: str) -> str:
    """Return the message after linking a guest to a member."""
    return _("%(name)s is now linked to a member. The games count towards the member's rating.") % {"name": name}


@require_POST
def entry_first_round_edit(request: AuthenticatedRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Change the first round of a late entrant."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    the_entry = get_object_or_404(Entry, tournament=the_event, pk=entry)
    done = _("%(name)s plays from round %(round)s.")
    return _from_round(request, the_entry, change_first_round, done)


@require_POST
def entry_withdraw(request: AuthenticatedRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Withdraw a player."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    the_entry = get_object_or_404(Entry, tournament=the_event, pk=entry)
    done = _("%(name)s is withdrawn from round %(round)s onwards.")
    return _from_round(request, the_entry, withdraw_player, done)


@require_POST
def entry_reinstate(request: AuthenticatedRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Let a withdrawn player play again."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    the_entry = get_object_or_404(Entry, tournament=the_event, pk=entry)
    try:
        reinstate_player(the_entry, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        messages.success(request, _("%(name)s is back in the event.") % {"name": the_entry.name})
    return redirect("entry_edit", club, event, entry)


@require_POST
def entry_remove(request: AuthenticatedRequest, club: str, event: str, entry: int) -> HttpResponse:
    """Remove a player who was entered by mistake."""
    the_event = get_tournament_for_arbiter(request.user, club, event)
    the_entry = get_object_or_404(Entry, tournament=the_event, pk=entry)
    try:
        remove_entry(the_entry, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
        return redirect("entry_edit", club, event, entry)
    messages.success(request, _("%(name)s removed.") % {"name": the_entry.name})
    return redirect("entries_add" if "adding" in request.POST else "entries", club, event)


def unpublished_rounds(tournament: Tournament) -> list[Round]:
    """Return the rounds that aren't published yet."""
    states = [Round.State.WAITING, Round.State.DRAFT]
    return list(tournament.rounds.filter(state__in=states))


def next_round(tournament: Tournament, players: int) -> Round | None:
    """Return the next round to play, or None if there are fewer than two players or all rounds are finished."""
    if players < 2:
        return None
    return tournament.rounds.exclude(state=Round.State.FINISHED).first()


def players_entered_message(number: int) -> str:
    """Return the message after entering players."""
    if not number:
        return _("All of these players were already entered.")
    return ngettext("%(n)s player entered.", "%(n)s players entered.", number) % {"n": number}


def _newcomer(tournament: Tournament) -> dict[str, int]:
    return {"from_round": first_open_round(tournament)}


def _from_round(request: AuthenticatedRequest, entry: Entry, do: Callable[..., Entry], done: str) -> HttpResponse:
    """Run a change that takes a round, and redirect to the entry's page with a message."""
    tournament = entry.tournament
    form = FromRoundForm(request.POST, rounds=unpublished_rounds(tournament))
    if not form.is_valid():
        messages.error(request, _("Choose a round that isn't published yet."))
    else:
        from_round = form.cleaned_data["from_round"]
        try:
            do(entry, from_round, by=request.user)
        except ArbiterProblem as problem:
            messages.error(request, problem.message)
        else:
            messages.success(request, done % {"name": entry.name, "round": from_round})
    return redirect("entry_edit", tournament.club.slug, tournament.slug, entry.pk)


def _choices(tournament: Tournament, query: str, ticked: set[str]) -> list[dict[str, object]]:
    """Return the active members the search finds. Ticked ones stay, so that a new search loses none."""
    words = split_search_words(query)
    entered = set(tournament.entries.filter(member__isnull=False).values_list("member_id", flat=True))
    return [
        {"member": member, "is_entered": member.pk in entered, "is_ticked": str(member.pk) in ticked}
        for member in tournament.club.members.exclude_former()
        if str(member.pk) in ticked or matches_search_words(member.name, words)
    ]
