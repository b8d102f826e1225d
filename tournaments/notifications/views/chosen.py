"""A player chooses what he is told, and how: on a page behind his personal link."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.membership.accounts.adapter import wait_for_turn
from clubs.membership.accounts.slowing import Count
from clubs.requests import WebRequest, key_of
from tournaments.check_in.access import get_entry_for_holder
from tournaments.check_in.private_pages import at_most, kept_private
from tournaments.models import Entry, MessageWay
from tournaments.notifications.pushing import push_is_sent, push_keys
from tournaments.notifications.tokens import way_address
from tournaments.notifications.wishes import (
    CHOSEN,
    Device,
    add_device,
    address_of,
    choose_letters,
    kind_in_words,
    mail_is_sent,
    stop,
    ways_of,
)
from tournaments.problems import ArbiterProblem

TAPS_A_MINUTE = 20
"""By one player's link."""

FREE_LETTERS = 3
"""To confirm a guest's address; then he has to wait, longer each time."""


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@at_most(TAPS_A_MINUTE)
@kept_private
def personal_messages(request: WebRequest, token: str) -> HttpResponse:
    """What he is told and where it goes; what is sent changes his letters, or forgets a device."""
    entry = get_entry_for_holder(token)
    if request.method != "POST":
        return _page(request, entry, token)
    if "forget" in request.POST:
        device = ways_of(entry).filter(channel=MessageWay.Channel.PUSH, pk=key_of(request.POST["forget"])).first()
        if device is not None:
            stop(device)
            messages.success(request, _("The device is told nothing any more."))
        return redirect("personal_messages", token)
    try:
        _choose_letters(request, entry)
    except ArbiterProblem as problem:
        return _page(request, entry, token, problem=problem.message)
    except ValidationError as problem:
        return _page(request, entry, token, problem=problem.messages[0])
    return redirect("personal_messages", token)


@login_not_required
@require_POST
@at_most(TAPS_A_MINUTE)
@kept_private
def personal_device(request: WebRequest, token: str) -> HttpResponse:
    """A browser that has subscribed to notifications; its script asks, and shows what is answered."""
    entry = get_entry_for_holder(token)
    device = Device(
        endpoint=request.POST.get("endpoint", ""),
        p256dh=request.POST.get("p256dh", ""),
        auth=request.POST.get("auth", ""),
    )
    try:
        add_device(entry, device, _chosen(request), site=request.build_absolute_uri("/"))
    except ArbiterProblem as problem:
        return JsonResponse({"problem": problem.message}, status=422)
    messages.success(request, _("This device is told from now on."))
    return JsonResponse({}, status=201)


def _choose_letters(request: WebRequest, entry: Entry) -> None:
    email = request.POST.get("email", "").strip()
    if entry.member is None and email:
        validate_email(email)
    site = request.build_absolute_uri("/")
    way = choose_letters(entry, _chosen(request), site=site, email=email)
    if way.member is not None or way.confirmed_at is not None:
        messages.success(request, _("Kept."))
    elif way.email and _chosen(request):
        wait_for_turn((Count(what="address of a guest", who=str(entry.pk), free=FREE_LETTERS),))
        _ask_to_confirm(request, entry, way)


def _ask_to_confirm(request: WebRequest, entry: Entry, way: MessageWay) -> None:
    """Nobody gets letters because somebody else has written his address."""
    address = request.build_absolute_uri(way_address(way, "told_confirm"))
    text = _("Shall news of %(event)s come to this address? Then open this page and say so. If not, do nothing.")
    letter = EmailMessage(
        subject=_("%(event)s: confirm your address") % {"event": entry.tournament.name},
        body=f"{text % {'event': entry.tournament.name}}\n\n{address}\n",
        to=[way.email],
        headers={"Auto-Submitted": "auto-generated"},
    )
    try:
        letter.send()
    except OSError:
        messages.error(request, _("The letter could not be sent. Try again later."))
    else:
        messages.success(request, _("A letter is on its way: open the link in it."))


def _chosen(request: WebRequest) -> list[str]:
    return [] if "stop" in request.POST else [column for column in CHOSEN if column in request.POST]


def _page(request: WebRequest, entry: Entry, token: str, *, problem: str = "") -> HttpResponse:
    ways = list(ways_of(entry).select_related("member"))
    letters = next((way for way in ways if way.channel == MessageWay.Channel.MAIL), None)
    own = letters or MessageWay(member=entry.member, channel=MessageWay.Channel.MAIL)
    keys = push_keys()
    context = {
        "entry": entry,
        "tournament": entry.tournament,
        "token": token,
        "letters": letters,
        "address": veiled(address_of(own)),
        "devices": [way for way in ways if way.channel == MessageWay.Channel.PUSH],
        "kinds": [(column, kind_in_words(column)) for column in CHOSEN],
        "chosen": [column for column in CHOSEN if letters is not None and getattr(letters, column)],
        "has_mail": mail_is_sent(),
        "push_key": keys.public if keys is not None and push_is_sent() else "",
        "problem": problem,
    }
    return render(request, "tournaments/notifications/messages.html", context, status=422 if problem else 200)


def veiled(address: str) -> str:
    """An address as its owner knows it again: the page is opened by whoever holds the link."""
    name, at, host = address.partition("@")
    return f"{name[:1]}…{at}{host}" if at else ""
