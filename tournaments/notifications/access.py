"""Access checks for links in emails and notifications: the first line of the views behind them."""

from __future__ import annotations

from django.http import Http404

from clubs.time_zones import activate_club_time_zone
from tournaments.models import Entry, NotificationChannel, Round
from tournaments.notifications.tokens import channel_by_token, reminder_by_token


def get_channel_for_token_holder(token: str) -> NotificationChannel:
    """Return the channel of a link in a message. Raises Http404 if the token is wrong or the channel is deleted."""
    way = channel_by_token(token)
    if way is None:
        raise Http404
    return way


def get_reminder_for_token_holder(token: str) -> tuple[Entry, Round]:
    """Return the player and the round in a reminder's link. Raises Http404 if the token is wrong."""
    message = reminder_by_token(token)
    if message is None or message.round is None or message.entry.tournament.deleted_at is not None:
        raise Http404
    activate_club_time_zone(message.entry.tournament.club)
    message.round.tournament = message.entry.tournament
    return message.entry, message.round
