"""Addresses in letters and notifications that act without a sign-in: signed, so that nobody else can have made them."""

from __future__ import annotations

from django.urls import reverse
from django.utils.crypto import constant_time_compare

from clubs.requests import key_of
from tournaments.check_in.personal_links import signature
from tournaments.models import Message, MessageWay

_WAY, _MESSAGE = "w", "n"


def way_address(way: MessageWay, name: str = "told_way") -> str:
    """The path of the page on which this way is changed; by name, of that where it is stopped or confirmed."""
    return reverse(name, args=[_way_token(way)])


def cannot_address(message: Message) -> str:
    """The path on which whoever was reminded of an evening says that he cannot come."""
    return reverse("told_cannot", args=[_message_token(message)])


def way_by_token(token: str) -> MessageWay | None:
    """Whose way it is; None for a wrong token, and when the way is gone."""
    found = MessageWay.objects.select_related("member__club", "entry__tournament__club").filter(pk=_key(token, _WAY))
    way = found.first()
    return way if way is not None and constant_time_compare(token, _way_token(way)) else None


def message_by_token(token: str) -> Message | None:
    """Which reminder it is; None for a wrong token, and when it is gone."""
    found = Message.objects.select_related("way", "round", "entry__tournament__club", "entry__member")
    message = found.filter(pk=_key(token, _MESSAGE), kind=Message.Kind.EVENING).first()
    return message if message is not None and constant_time_compare(token, _message_token(message)) else None


def _way_token(way: MessageWay) -> str:
    return f"{_WAY}{way.pk}.{signature('way of being told', way.pk)}"


def _message_token(message: Message) -> str:
    return f"{_MESSAGE}{message.pk}.{signature('cannot come', message.pk)}"


def _key(token: str, letter: str) -> int:
    number = token.partition(".")[0]
    return key_of(number.removeprefix(letter)) if number.startswith(letter) else 0
