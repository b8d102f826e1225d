"""Who gets in by the address in a letter or notification: the first line of the views behind them."""

from __future__ import annotations

from django.http import Http404

from clubs.access import be_there
from tournaments.models import Entry, MessageWay, Round
from tournaments.notifications.tokens import message_by_token, way_by_token


def get_way_for_holder(token: str) -> MessageWay:
    """The way of being told that a letter's address is of; Http404 for a wrong one, and when it is gone."""
    way = way_by_token(token)
    if way is None:
        raise Http404
    return way


def get_reminder_for_holder(token: str) -> tuple[Entry, Round]:
    """Who was reminded of which evening by the letter whose address it is; Http404 for a wrong one."""
    message = message_by_token(token)
    if message is None or message.round is None or message.entry.tournament.deleted_at is not None:
        raise Http404
    be_there(message.entry.tournament.club)
    message.round.tournament = message.entry.tournament
    return message.entry, message.round
