"""Views behind the links in messages: preferences, stopping a channel, and answering "Are you coming?".

The token alone grants access; no cookie counts. A mail program or a notification may act for its owner without loading
a page. So stopping and answering need no CSRF token.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from clubs.membership.accounts.private_pages import limit_posts_per_minute, private_page
from clubs.request_types import WebRequest
from tournaments.check_in.answers import player_answers
from tournaments.check_in.byes import request_bye_as_player, sign_up_as_player
from tournaments.models import NotificationChannel
from tournaments.notifications.access import get_channel_for_token_holder, get_reminder_for_token_holder
from tournaments.notifications.preferences import (
    PREFERENCE_FIELDS,
    confirm_channel_address,
    preference_label,
    stop_channel,
)
from tournaments.problems import ArbiterProblem

POSTS_PER_MINUTE = 20


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def notification_channel_edit(request: WebRequest, token: str) -> HttpResponse:
    """Edit the kinds of messages sent on this channel."""
    way = get_channel_for_token_holder(token)
    if request.method == "POST":
        columns = (*PREFERENCE_FIELDS, "links")
        for column in columns:
            setattr(way, column, column in request.POST)
        way.save(update_fields=columns)
        return redirect("notification_channel_edit", token)
    shown = PREFERENCE_FIELDS if way.kind == NotificationChannel.ChannelKind.PUSH else (*PREFERENCE_FIELDS, "links")
    kinds = [(name, preference_label(name), getattr(way, name)) for name in shown]
    return _way_page(request, "channel_edit", token, way, kinds=kinds)


@csrf_exempt
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def notification_channel_stop(request: WebRequest, token: str) -> HttpResponse:
    """Stop this channel in one click, including from a mail program's own button. A GET asks first."""
    way = get_channel_for_token_holder(token)
    if request.method == "POST":
        stop_channel(way)
    return _way_page(request, "channel_stop", token, way, stopped=request.method == "POST")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def notification_channel_confirm(request: WebRequest, token: str) -> HttpResponse:
    """Confirm that an email address belongs to the guest."""
    way = get_channel_for_token_holder(token)
    if request.method == "POST":
        confirm_channel_address(way)
        way.refresh_from_db()
    return _way_page(request, "channel_confirm", token, way)


@csrf_exempt
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def evening_answer(request: WebRequest, token: str) -> HttpResponse:
    """Answer a reminder. A POST declines the evening, or accepts it with `answer=coming` in the form or the URL."""
    entry, this_round = get_reminder_for_token_holder(token)
    problem = None
    if request.method == "POST":
        answer = request.POST.get("answer") or request.GET.get("answer")
        act = sign_up_as_player if answer == "coming" else request_bye_as_player
        try:
            act(entry, this_round)
        except ArbiterProblem as refused:
            problem = refused
    context = {
        "token": token,
        "entry": entry,
        "tournament": entry.tournament,
        "round": this_round,
        "answer": player_answers(entry, [this_round])[0],
        "problem": problem,
    }
    return render(request, "tournaments/notifications/evening_answer.html", context, status=422 if problem else 200)


def _way_page(request: WebRequest, name: str, token: str, way: NotificationChannel, **more: Any) -> HttpResponse:
    context = {"token": token, "way": way, "whose": _whose(way)} | more
    return render(request, f"tournaments/notifications/{name}.html", context)


def _whose(way: NotificationChannel) -> str:
    """Return the name of the player and of their club or event."""
    if way.member is not None:
        return f"{way.member.name} · {way.member.club}"
    return f"{way.entry.name} · {way.entry.tournament}" if way.entry is not None else ""
