"""Who gets in by the address in a letter or notification: the first line of the views behind them."""

from __future__ import annotations

from django.http import Http404

from clubs.access import activate_club_time_zone
from tournaments.models import Entry, NotificationChannel, Round
from tournaments.notifications.tokens import channel_by_token, reminder_by_token


def get_channel_for_token_holder(token: str) -> NotificationChannel:
    """The way of being told that a letter's address is of; Http404 for a wrong one, and when it is gone."""
    way = channel_by_token(token)
    if way is None:
        raise Http404
    return way


def get_reminder_for_token_holder(token: str) -> tuple[Entry, Round]:
    """Who was reminded of which evening by the letter whose address it is; Http404 for a wrong one."""
    message = reminder_by_token(token)
    if message is None or message.round is None or message.entry.tournament.deleted_at is not None:
        raise Http404
    activate_club_time_zone(message.entry.tournament.club)
    message.round.tournament = message.entry.tournament
    return message.entry, message.round
