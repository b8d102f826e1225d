"""Signed URLs in emails and notifications that act without a sign-in."""

from __future__ import annotations

from django.urls import reverse
from django.utils.crypto import constant_time_compare

from clubs.request_types import parse_key
from tournaments.check_in.personal_links import sign_link_purpose
from tournaments.models import Notification, NotificationChannel

_WAY, _MESSAGE = "w", "n"


def channel_url(way: NotificationChannel, name: str = "notification_channel_edit") -> str:
    """Return the path of the page for editing a channel, or of the page `name` for stopping or confirming it."""
    return reverse(name, args=[_way_token(way)])


def evening_answer_url(message: Notification) -> str:
    """Return the path where a reminded player can answer whether they are coming."""
    return reverse("evening_answer", args=[_message_token(message)])


def channel_by_token(token: str) -> NotificationChannel | None:
    """Return the channel with this token, or None if the token is wrong or the channel is deleted."""
    found = NotificationChannel.objects.select_related("member__club", "entry__tournament__club").filter(
        pk=_key(token, _WAY)
    )
    way = found.first()
    return way if way is not None and constant_time_compare(token, _way_token(way)) else None


def reminder_by_token(token: str) -> Notification | None:
    """Return the reminder with this token, or None if the token is wrong or the reminder is deleted."""
    found = Notification.objects.select_related("channel", "round", "entry__tournament__club", "entry__member")
    message = found.filter(pk=_key(token, _MESSAGE), kind=Notification.Kind.EVENING).first()
    return message if message is not None and constant_time_compare(token, _message_token(message)) else None


def _way_token(way: NotificationChannel) -> str:
    return f"{_WAY}{way.pk}.{sign_link_purpose('way of being told', way.pk)}"


def _message_token(message: Notification) -> str:
    # If the player's link is renewed, because somebody else has it, the links in their emails stop working too.
    return f"{_MESSAGE}{message.pk}.{sign_link_purpose('cannot come', message.pk, message.entry.link_version)}"


def _key(token: str, letter: str) -> int:
    number = token.partition(".")[0]
    return parse_key(number.removeprefix(letter)) if number.startswith(letter) else 0
