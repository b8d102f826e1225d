"""Texts that tell the sender of an online entry what its status means."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.time_zones import time_zone_of_club
from tournaments.models import OnlineEntry, Tournament
from tournaments.online_entries.places import is_withdrawn, place_in_waiting_list

_State = OnlineEntry.State


def describe_state(online: OnlineEntry) -> str:
    """Return one or two sentences about the entry's status and what happens next."""
    said = {
        "event": online.tournament.name,
        "name": online.name,
        "place": place_in_waiting_list(online) if online.state == _State.WAITING else 0,
        "time": format_club_time(online.tournament, online.offer_ends_at) if online.offer_ends_at else "",
    }
    state = _State(online.state)
    if is_withdrawn(online):
        state = _State.WITHDRAWN
    sentences = {
        _State.ENTERED: _("%(name)s is entered for %(event)s."),
        _State.APPROVAL: _(
            "The entry of %(name)s for %(event)s is confirmed. The club will check it and write to you."
        ),
        _State.WAITING: _(
            "All places in %(event)s are taken. %(name)s is number %(place)s on the waiting list. We'll write "
            "to you when a place is free."
        ),
        _State.OFFERED: _(
            "A place in %(event)s is free for %(name)s. Take it by %(time)s, or it goes to the next person."
        ),
        _State.REFUSED: _("The club couldn't accept the entry of %(name)s for %(event)s."),
        _State.WITHDRAWN: _("The entry of %(name)s for %(event)s has been withdrawn."),
        _State.LAPSED: _("The place kept for %(name)s in %(event)s wasn't taken in time and went to the next person."),
        _State.UNCONFIRMED: "",
    }
    reason = _("Reason: %(reason)s") % {"reason": online.reason} if online.reason and state == _State.REFUSED else ""
    return f"{sentences[state] % said} {reason}".strip()


def format_club_time(tournament: Tournament, moment: datetime) -> str:
    """Return a date and time in the club's time zone."""
    local = timezone.localtime(moment, time_zone_of_club(tournament.club))
    return date_format(local, "SHORT_DATETIME_FORMAT")
