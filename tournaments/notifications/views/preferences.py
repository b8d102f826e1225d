"""Views of a player's notification preferences, behind their personal link."""

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

from clubs.membership.accounts.adapter import throttle_attempt
from clubs.membership.accounts.private_pages import limit_posts_per_minute, private_page
from clubs.membership.accounts.throttling import AttemptLimit
from clubs.request_types import WebRequest, parse_key
from common.emails.smtp_delivery import is_email_configured
from tournaments.check_in.access import get_entry_for_link_holder
from tournaments.models import Entry, NotificationChannel
from tournaments.notifications.preferences import (
    PREFERENCE_FIELDS,
    PushSubscription,
    add_push_device,
    channels_for,
    email_address_of,
    preference_label,
    save_email_preferences,
    stop_channel,
)
from tournaments.notifications.tokens import channel_url
from tournaments.notifications.web_push import is_push_available, load_push_keys
from tournaments.problems import ArbiterProblem

POSTS_PER_MINUTE = 20
"""Per player's link."""

FREE_CONFIRMATION_EMAILS = 3
"""For confirming a guest's address; further emails have to wait, longer each time."""


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def personal_notifications(request: WebRequest, token: str) -> HttpResponse:
    """Show a player's preferences and channels. A POST changes the emails they get, or forgets a device."""
    entry = get_entry_for_link_holder(token)
    if request.method != "POST":
        return _page(request, entry, token)
    if "forget" in request.POST:
        device = (
            channels_for(entry)
            .filter(kind=NotificationChannel.ChannelKind.PUSH, pk=parse_key(request.POST["forget"]))
            .first()
        )
        if device is not None:
            stop_channel(device)
            messages.success(request, _("Notifications stopped for that device."))
        return redirect("personal_notifications", token)
    try:
        _choose_letters(request, entry)
    except ArbiterProblem as problem:
        return _page(request, entry, token, problem=problem.message)
    except ValidationError as problem:
        return _page(request, entry, token, problem=problem.messages[0])
    return redirect("personal_notifications", token)


@login_not_required
@require_POST
@limit_posts_per_minute(POSTS_PER_MINUTE)
@private_page
def personal_device_add(request: WebRequest, token: str) -> HttpResponse:
    """Add a browser that subscribed to push messages. The page's script sends the request and shows the response."""
    entry = get_entry_for_link_holder(token)
    device = PushSubscription(
        endpoint=request.POST.get("endpoint", ""),
        p256dh=request.POST.get("p256dh", ""),
        auth=request.POST.get("auth", ""),
    )
    try:
        add_push_device(entry, device, _chosen(request), site=request.build_absolute_uri("/"))
    except ArbiterProblem as problem:
        return JsonResponse({"problem": problem.message}, status=422)
    messages.success(request, _("This device now gets notifications."))
    return JsonResponse({}, status=201)


def _choose_letters(request: WebRequest, entry: Entry) -> None:
    email = request.POST.get("email", "").strip()
    if entry.member is None and email:
        validate_email(email)
    site = request.build_absolute_uri("/")
    way = save_email_preferences(entry, _chosen(request), site=site, email=email)
    if way.member is not None or way.confirmed_at is not None:
        messages.success(request, _("Saved."))
    elif way.email and _chosen(request):
        throttle_attempt(
            (AttemptLimit(scope="address of a guest", subject=str(entry.pk), free_failures=FREE_CONFIRMATION_EMAILS),)
        )
        _ask_to_confirm(request, entry, way)


def _ask_to_confirm(request: WebRequest, entry: Entry, way: NotificationChannel) -> None:
    """Ask a guest to confirm their address, so that nobody gets emails because somebody else entered it."""
    address = request.build_absolute_uri(channel_url(way, "notification_channel_confirm"))
    text = _(
        "Do you want updates about %(event)s at this address? Open this page and confirm. If not, ignore this email."
    )
    subject = _("%(event)s: confirm your email address") % {"event": entry.tournament.name}
    letter = EmailMessage(
        subject=" ".join(subject.split()),
        body=f"{text % {'event': entry.tournament.name}}\n\n{address}\n",
        to=[way.email],
        headers={"Auto-Submitted": "auto-generated"},
    )
    try:
        letter.send()
    except OSError:
        messages.error(request, _("We couldn't send the email. Try again later."))
    else:
        messages.success(request, _("We've sent you an email. Open the link in it."))


def _chosen(request: WebRequest) -> list[str]:
    return [] if "stop" in request.POST else [column for column in PREFERENCE_FIELDS if column in request.POST]


def _page(request: WebRequest, entry: Entry, token: str, *, problem: str = "") -> HttpResponse:
    ways = list(channels_for(entry).select_related("member"))
    letters = next((way for way in ways if way.kind == NotificationChannel.ChannelKind.MAIL), None)
    own = letters or NotificationChannel(member=entry.member, kind=NotificationChannel.ChannelKind.MAIL)
    keys = load_push_keys()
    context = {
        "entry": entry,
        "tournament": entry.tournament,
        "token": token,
        "letters": letters,
        "address": mask_email_address(email_address_of(own)),
        "devices": [way for way in ways if way.kind == NotificationChannel.ChannelKind.PUSH],
        "kinds": [(column, preference_label(column)) for column in PREFERENCE_FIELDS],
        "chosen": [column for column in PREFERENCE_FIELDS if letters is not None and getattr(letters, column)],
        "has_mail": is_email_configured(),
        "push_key": keys.public if keys is not None and is_push_available() else "",
        "problem": problem,
    }
    return render(
        request, "tournaments/notifications/personal_notifications.html", context, status=422 if problem else 200
    )


def mask_email_address(address: str) -> str:
    """Return a masked address that its owner recognises, because anybody with the link can open the page."""
    name, at, host = address.partition("@")
    return f"{name[:1]}…{at}{host}" if at else ""
