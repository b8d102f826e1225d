"""What the addresses in letters and notifications lead to: fewer of them or none, and "I can't come".

Their token alone lets in and acts; no cookie counts. So a mail program, or a notification, may press for its owner
without having seen a page: stopping and "I can't come" need no token against forged requests.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from clubs.requests import WebRequest
from tournaments.check_in.byes import ask_for_bye, take_bye_back
from tournaments.check_in.private_pages import at_most, kept_private
from tournaments.models import MessageWay
from tournaments.notifications.access import get_reminder_for_holder, get_way_for_holder
from tournaments.notifications.wishes import CHOSEN, confirm, kind_in_words, stop
from tournaments.problems import ArbiterProblem

TAPS_A_MINUTE = 20


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@at_most(TAPS_A_MINUTE)
@kept_private
def told_way(request: WebRequest, token: str) -> HttpResponse:
    """What comes by this way; ticked off, it does not."""
    way = get_way_for_holder(token)
    if request.method == "POST":
        columns = (*CHOSEN, "links")
        for column in columns:
            setattr(way, column, column in request.POST)
        way.save(update_fields=columns)
        return redirect("told_way", token)
    shown = CHOSEN if way.channel == MessageWay.Channel.PUSH else (*CHOSEN, "links")
    kinds = [(name, kind_in_words(name), getattr(way, name)) for name in shown]
    return _way_page(request, "way", token, way, kinds=kinds)


@csrf_exempt
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@at_most(TAPS_A_MINUTE)
@kept_private
def told_stop(request: WebRequest, token: str) -> HttpResponse:
    """Nothing more by this way: one press, also by a mail program's own button; asked first where it is only opened."""
    way = get_way_for_holder(token)
    if request.method == "POST":
        stop(way)
    return _way_page(request, "stop", token, way, stopped=request.method == "POST")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@at_most(TAPS_A_MINUTE)
@kept_private
def told_confirm(request: WebRequest, token: str) -> HttpResponse:
    """A guest's address is his own."""
    way = get_way_for_holder(token)
    if request.method == "POST":
        confirm(way)
        way.refresh_from_db()
    return _way_page(request, "confirm", token, way)


@csrf_exempt
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@at_most(TAPS_A_MINUTE)
@kept_private
def told_cannot(request: WebRequest, token: str) -> HttpResponse:
    """He cannot come to the evening he was reminded of: the bye he would get for the asking; or he can after all."""
    entry, this_round = get_reminder_for_holder(token)
    problem = None
    if request.method == "POST":
        act = take_bye_back if request.POST.get("take") == "back" else ask_for_bye
        try:
            act(entry, this_round)
        except ArbiterProblem as refused:
            problem = refused
    context = {
        "token": token,
        "entry": entry,
        "tournament": entry.tournament,
        "round": this_round,
        "bye": entry.byes.filter(round=this_round).first(),
        "problem": problem,
    }
    return render(request, "tournaments/notifications/cannot.html", context, status=422 if problem else 200)


def _way_page(request: WebRequest, name: str, token: str, way: MessageWay, **more: Any) -> HttpResponse:
    context = {"token": token, "way": way, "whose": _whose(way)} | more
    return render(request, f"tournaments/notifications/{name}.html", context)


def _whose(way: MessageWay) -> str:
    """Whose messages these are, and of which club."""
    if way.member is not None:
        return f"{way.member.name} · {way.member.club}"
    return f"{way.entry.name} · {way.entry.tournament}" if way.entry is not None else ""
