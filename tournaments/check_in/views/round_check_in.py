"""Views of a round's check-in, for several devices at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.request_types import AuthenticatedRequest, parse_key
from clubs.roles import AUDITOR_ROLES, roles_in_club
from common.text.name_order import name_sort_key
from common.text.qr_codes import qr_code_response
from tournaments.access import get_round_for_arbiter
from tournaments.check_in import presence
from tournaments.check_in.bulk_check_in import is_bulk_check_in
from tournaments.check_in.byes import grant_requested_bye, granted_bye_kind
from tournaments.check_in.officer_notes import OfficerNoteKind, officer_notes_for
from tournaments.check_in.personal_links import CODE_PERIOD_SECONDS, check_in_code_url
from tournaments.check_in.player_search import search_players
from tournaments.check_in.presence import CheckInStatus, RoundCheckIn, check_in_rows, load_round_check_in
from tournaments.entries.enrolment import reinstate_player
from tournaments.models import Bye, CheckIn, Entry, LogEntry, PairingSystem, Round
from tournaments.privacy.personal_data import full_names_behind_initials
from tournaments.problems import ArbiterProblem

STATE_BY_TAP = {"here": CheckIn.State.HERE, "late": CheckIn.State.LATE, "absent": CheckIn.State.ABSENT, "not-seen": ""}
"""The states by the value a button sends."""
ROWS_PER_PAGE = 60
MAX_TICKABLE_NAMES = 200
"""The most names listed for ticking as absent. Beyond this, absent players are marked one by one."""
SHOWN = {
    "here": {CheckInStatus.HERE},
    "late": {CheckInStatus.LATE},
    "expected": {CheckInStatus.NOT_YET},
    "away": {CheckInStatus.ABSENT, CheckInStatus.BYE},
}
"""The statuses of the rows that a filter of the page shows."""
HIDES_DUES, COOKIE_AGE = "hides_dues", 365 * 24 * 60 * 60
"""The cookie of a device that hides what players owe, and how long it lasts."""
MAX_CHANGED_ROWS = 100
"""If more rows have changed, the whole page is reloaded."""


PARTS = "tournaments/check_in/round_check_in.html"


def check_in_page(
    request: AuthenticatedRequest,
    the_round: Round,
    template: str,
    pairing_step: Callable[[Round], Mapping[str, object]],
) -> HttpResponse:
    """Show a round's players page by page and handle taps. `?since=` returns rows that changed on other devices.

    `template` extends the page of this package with the step that pairs the round, and `pairing_step` is its context.
    The caller has checked that the user runs the event.
    """
    if request.method == "POST":
        return _find(request, the_round) if "find" in request.POST else _tap(request, the_round, template, pairing_step)
    since = request.GET.get("since", "")
    if request.htmx and (since == "0" or parse_key(since)):
        return _news(request, the_round, parse_key(since))
    if request.htmx.target == "found":
        return render(request, f"{PARTS}#found", _context(request, the_round))
    taken = _taken(the_round, parse_key(request.GET.get("taken", "")))
    context = _context(request, the_round) | taken | _gone(request, the_round)
    return render(request, template, context | dict(pairing_step(the_round)))


@require_http_methods(["GET", "HEAD", "POST"])
def check_in_close(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """List the players who have not been seen. A POST marks them absent and closes check-in."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    problem = None
    if request.method == "POST":
        shown, late, waited_for = (_keys(request.POST.getlist(name)) for name in ("shown", "late", "wait"))
        try:
            absent = presence.close_check_in(the_round, not_seen=shown, left_out=late - waited_for, by=request.user)
        except ArbiterProblem as found:
            problem = found
        else:
            said = ngettext(
                "Check-in is closed. %(n)d player is absent.",
                "Check-in is closed. %(n)d players are absent.",
                len(absent),
            )
            messages.success(request, said % {"n": len(absent)})
            return redirect("round", club, event, number)
    lines = check_in_rows(the_round)
    full_names = full_names_behind_initials(the_round.tournament)
    named = [(line.status, line.entry, full_names.get(line.entry.pk, line.entry.name)) for line in lines]
    context = _frame(the_round) | {
        "not_seen": [(entry, name) for seen, entry, name in named if seen is CheckInStatus.NOT_YET],
        "late": [(entry, name) for seen, entry, name in named if seen is CheckInStatus.LATE],
        "here_count": sum(line.status is CheckInStatus.HERE for line in lines),
        "problem": problem,
    }
    return render(request, "tournaments/check_in/check_in_close.html", context, status=422 if problem else 200)


@require_POST
def check_in_reopen(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Reopen check-in for players."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    try:
        presence.reopen_check_in(the_round, by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    return redirect("round_check_in", club, event, number)


@require_POST
def check_in_dues(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Hide overdue dues on this device, because everyone at the table can read its screen, or show them again.

    Guest fees stay, because they are collected at the door.
    """
    get_round_for_arbiter(request.user, club, event, number)
    response = redirect("round_check_in", club, event, number)
    if request.POST.get("dues") == "hide":
        response.set_cookie(
            HIDES_DUES, "yes", max_age=COOKIE_AGE, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
        )
    else:
        response.delete_cookie(HIDES_DUES, samesite="Lax")
    return response


@require_safe
def check_in_code(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Show the check-in QR code: a changing one for a screen, or a fixed one to print (`?paper`)."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    on_paper = "paper" in request.GET
    address = request.build_absolute_uri(check_in_code_url(the_round, on_paper=on_paper))
    context = _frame(the_round) | {
        "address": address,
        "is_open": presence.is_check_in_open(the_round),
        "on_paper": on_paper,
    }
    response = render(request, "tournaments/check_in/check_in_code.html", context)
    if not on_paper:
        # An unattended screen shows this page, with or without scripts.
        response.headers["Refresh"] = str(CODE_PERIOD_SECONDS // 5)
    return response


@require_safe
def check_in_code_picture(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Return the check-in QR code as a picture."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    return qr_code_response(request.build_absolute_uri(check_in_code_url(the_round, on_paper="paper" in request.GET)))


@require_POST
def absent_players_withdraw(request: AuthenticatedRequest, club: str, event: str, number: int) -> HttpResponse:
    """Withdraw the ticked players, absent without notice from a finished round, from the next round onwards."""
    the_round = get_round_for_arbiter(request.user, club, event, number)
    try:
        withdrawn = presence.withdraw_absent_players(the_round, _keys(request.POST.getlist("entry")), by=request.user)
    except ArbiterProblem as problem:
        messages.error(request, problem.message)
    else:
        said = ngettext("%(n)d player withdrawn.", "%(n)d players withdrawn.", len(withdrawn))
        messages.success(request, said % {"n": len(withdrawn)})
    following = the_round.tournament.rounds.filter(number=number + 1)
    leads_on = request.POST.get("back") == "next" and following.exists()
    return redirect("round", club, event, number + 1 if leads_on else number)


def _tap(
    request: AuthenticatedRequest,
    the_round: Round,
    template: str,
    pairing_step: Callable[[Round], Mapping[str, object]],
) -> HttpResponse:
    key = request.POST.get("entry", "")
    entry = get_object_or_404(Entry, tournament=the_round.tournament, pk=next(iter(_keys([key])), None))
    problem = None
    try:
        _carry_out(request, entry, the_round)
    except ArbiterProblem as found:
        problem = found
    if request.htmx:
        context = _context(request, the_round, only={entry.pk}) | _refused(request, entry, problem)
        return render(request, f"{PARTS}#answer", context)
    if problem is not None:
        context = _context(request, the_round) | _refused(request, entry, problem) | dict(pairing_step(the_round))
        return render(request, template, context, status=422)
    place: dict[str, str | int] = {name: sent for name in ("q", "show", "page") if (sent := request.POST.get(name))}
    if request.POST.get("mark") == "gone":
        place["gone"] = entry.pk
    return redirect(f"{_address(the_round)}{'?' + urlencode(place) if place else ''}#player-{entry.pk}")


def _find(request: AuthenticatedRequest, the_round: Round) -> HttpResponse:
    """Check in the player that the query matches. Show all matches if it is ambiguous."""
    query = request.POST.get("q", "").strip()
    meant = _meant(request, the_round, query) if query and request.POST["find"] == "here" else None
    if meant is not None:
        try:
            presence.set_check_in_state(Entry.objects.get(pk=meant), the_round, CheckIn.State.HERE, by=request.user)
        except (ArbiterProblem, Entry.DoesNotExist):
            meant = None  # Paired or removed in the meantime: the page shows the current state.
    place = {"taken": meant} if meant is not None else {"q": query} if query else {}
    if request.htmx:
        context = _context(request, the_round, query="" if meant is not None else query)
        return render(request, f"{PARTS}#taking", context | _taken(the_round, meant))
    return redirect(f"{_address(the_round)}{'?' + urlencode(place) if place else ''}")


def _meant(request: AuthenticatedRequest, the_round: Round, query: str) -> int | None:
    """Return the player Enter checks in: once a list was shown, only its first player."""
    found = search_players(load_round_check_in(the_round), query, full_names_behind_initials(the_round.tournament))
    if request.POST.get("of") == query:
        return found.first if parse_key(request.POST.get("first", "")) == found.first else None
    return found.best_match


def _taken(the_round: Round, key: int | None) -> dict[str, object]:
    """Return the player marked by a search, if they are still here."""
    here = (
        CheckIn.objects.filter(round=the_round, entry=key, state=CheckIn.State.HERE) if key else CheckIn.objects.none()
    )
    return {"taken": Entry.objects.filter(pk__in=here.values("entry")).first()}


def _gone(request: AuthenticatedRequest, the_round: Round) -> dict[str, object]:
    """Return the player just withdrawn, so that this can be undone."""
    if not (key := parse_key(request.GET.get("gone", ""))):
        return {}
    withdrawn = the_round.tournament.entries.filter(pk=key, withdrawn_from_round=the_round.number)
    return {"gone": withdrawn.first()}


def _carry_out(request: AuthenticatedRequest, entry: Entry, the_round: Round) -> None:
    tap = request.POST.get("mark", "")
    if tap in STATE_BY_TAP:
        presence.set_check_in_state(entry, the_round, STATE_BY_TAP[tap], by=request.user)
    elif tap == "gone":
        presence.withdraw_at_check_in(entry, the_round, by=request.user)
    elif tap == "back":
        reinstate_player(entry, by=request.user)
    elif tap == "guest" and the_round.tournament.system == PairingSystem.KEIZER:
        presence.enter_as_guest(entry, the_round, by=request.user)
    elif tap in ("bye", "bye-all-the-same"):
        kind = granted_bye_kind(the_round.tournament)
        grant_requested_bye(entry, the_round, kind, by=request.user, beyond_quota=tap == "bye-all-the-same")
    elif tap == "duty" and the_round.tournament.system == PairingSystem.KEIZER:
        grant_requested_bye(entry, the_round, Bye.Kind.FULL_POINT, by=request.user, beyond_quota=True)


def _refused(request: AuthenticatedRequest, entry: Entry, problem: ArbiterProblem | None) -> dict[str, object]:
    """Return the problem, and the row to show it in. A refused bye can still be granted."""
    return {"problem": problem, "problem_entry": entry.pk, "may_insist": request.POST.get("mark") == "bye"}


def _news(request: AuthenticatedRequest, the_round: Round, since: int) -> HttpResponse:
    """Return the rows changed since a line of the log, or an empty answer if nothing changed."""
    if request.GET.get("open") != ("yes" if presence.is_check_in_open(the_round) else "no"):
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    if presence.latest_log_id(the_round) <= since:
        return HttpResponse(status=204)
    changed = presence.entries_changed_since(the_round, since)
    if len(changed) > MAX_CHANGED_ROWS:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    context = _context(request, the_round, only=changed)
    return render(request, f"{PARTS}#news", context)


def _context(
    request: AuthenticatedRequest, the_round: Round, *, only: Collection[int] | None = None, query: str | None = None
) -> dict[str, object]:
    """Return the context of a check-in page, or of `only` these rows, with officers' notes and the counts of all
    players."""
    tournament = the_round.tournament
    newest_line = LogEntry.objects.filter(tournament=tournament).order_by("-pk").first()
    is_of_round = newest_line is not None and newest_line.round_id == the_round.pk
    latest = newest_line if is_of_round else presence.latest_log_line(the_round)
    door = load_round_check_in(the_round)
    if query is None:
        query = (request.GET.get("q") or request.POST.get("q") or "").strip()
    full_names = full_names_behind_initials(tournament)
    searched = search_players(door, query, full_names, only)
    found: Sequence[int] = searched.keys
    shown = request.GET.get("show") or request.POST.get("show") or ""
    if only is None and shown in SHOWN:
        found = [key for key in found if door.statuses[key] in SHOWN[shown]]
    context: dict[str, object] = {}
    if only is None:
        page = Paginator(found, ROWS_PER_PAGE).get_page(request.GET.get("page") or request.POST.get("page"))
        found = list(page)
        context = {"page": page, "page_number": page.number, **_press(door, full_names)}
    lines = door.rows_of_players(found)
    notes = officer_notes_for(
        tournament.club,
        [line.entry for line in lines],
        today=timezone.localdate(),
        with_amounts=bool(roles_in_club(request.user, tournament.club) & AUDITOR_ROLES),
    )
    are_dues_open = any(note.kind is OfficerNoteKind.DUES for each in notes.values() for note in each)
    hides_dues = bool(request.COOKIES.get(HIDES_DUES))
    if hides_dues:
        notes = {
            key: tuple(note for note in each if note.kind is not OfficerNoteKind.DUES) for key, each in notes.items()
        }
    return (
        _frame(the_round)
        | {"page_number": parse_key(request.POST.get("page", ""))}
        | context
        | {
            "can_mark": the_round.state == Round.State.WAITING,
            "is_open": presence.is_check_in_open(the_round),
            "lines": [(line, notes.get(line.entry.pk, ()), full_names.get(line.entry.pk, "")) for line in lines],
            "are_dues_open": are_dues_open,
            "hides_dues": hides_dues,
            "counts": _counts(door),
            "shown": shown if shown in SHOWN else "",
            "unseen": len(door.unseen_entry_ids),
            **_to_be_paired(door),
            "granted": granted_bye_kind(tournament),
            "query": query,
            "first": searched.first if only is None else None,
            "already": [door.names[key] for key in searched.already_here],
            "door_address": _address(the_round),
            "latest": latest.pk if latest else 0,
            "newest_line": newest_line.pk if newest_line else 0,
            "press": latest if is_bulk_check_in(latest) else None,
            "shows_answers": _shows_answers(door),
            "can_remind": the_round.starts_at is not None and the_round.starts_at > timezone.now(),
        }
    )


def _to_be_paired(door: RoundCheckIn) -> dict[str, object]:
    """Return how many players will be paired, and the names to look at before that: unseen, late and not playing.

    Nobody is missing before check-in has begun, or after it is closed.
    """
    names: dict[CheckInStatus, list[str]] = {status: [] for status in CheckInStatus}
    for key in sorted(door.names, key=lambda key: (name_sort_key(door.names[key]), key)):
        names[door.statuses[key]].append(door.names[key])
    away = names[CheckInStatus.ABSENT] + names[CheckInStatus.BYE]
    is_missing_sign_up = door.round.tournament.only_sign_ups and not door.round.pairing_method.has_fixed_schedule
    not_signed_up = {door.names[key] for key in door.silent} if is_missing_sign_up else set()
    return {
        "to_pair": len(door.names) - len(away) - (len(door.silent) if is_missing_sign_up else 0),
        "not_signed_up": [name for name in names[CheckInStatus.NOT_YET] if name in not_signed_up],
        "not_seen": names[CheckInStatus.NOT_YET] if door.has_begun and presence.is_check_in_open(door.round) else [],
        "on_the_way": names[CheckInStatus.LATE],
        "away": away,
    }


def _press(door: RoundCheckIn, full_names: Mapping[int, str]) -> dict[str, object]:
    """Return the context of the bulk check-in form: the names of unseen players, if few enough to tick.

    At a second game of the evening, those who weren't in the first are ticked.
    """
    unseen = door.unseen_entry_ids
    played = presence.players_of_earlier_game(door.round) if door.round.state == Round.State.WAITING else None
    ticks = (
        sorted(unseen, key=lambda key: (name_sort_key(door.names[key]), key))
        if len(unseen) <= MAX_TICKABLE_NAMES
        else []
    )
    return {
        "ticks": [
            (key, full_names.get(key, door.names[key]), played is not None and key not in played) for key in ticks
        ],
        "is_second_game": played is not None,
        "newest": max(door.names, default=0),
    }


def _shows_answers(door: RoundCheckIn) -> bool:
    """Return True before anybody is here, if players can answer: later only who is here counts."""
    is_asked = door.round.tournament.only_sign_ups or bool(door.coming)
    return is_asked and not door.has_begun and presence.is_check_in_open(door.round)


def _address(the_round: Round) -> str:
    return reverse("round_check_in", args=[the_round.tournament.club.slug, the_round.tournament.slug, the_round.number])


def _counts(door: RoundCheckIn) -> dict[str, int]:
    states = Counter(door.statuses.values())
    counts = {seen.name.lower(): states[seen] for seen in CheckInStatus}
    away = counts["absent"] + counts["bye"]
    return counts | {
        "all": len(door.names),
        "says_here": len(door.presence_claims),
        "silent": len(door.silent),
        "coming": len(door.names) - away - len(door.silent),
        "away": away,
    }


def _frame(the_round: Round) -> dict[str, object]:
    tournament = the_round.tournament
    return {
        "tournament": tournament,
        "may_run": True,
        "here": "rounds",
        "rounds": tournament.rounds.all(),
        "number": the_round.number,
        "round": the_round,
    }


def _keys(sent: Collection[str]) -> set[int]:
    """Return row keys from a form. Values that are not numbers are skipped."""
    return {parse_key(key) for key in sent} - {0}
