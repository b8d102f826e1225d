"""The links of online entries: a one-time link to confirm the address, and one to the person's own page."""

from __future__ import annotations

from django.utils import timezone
from django.utils.crypto import constant_time_compare

from clubs.request_types import parse_key
from common.emails.confirmation import hash_token
from tournaments.check_in.personal_links import event_link_url, sign_link_purpose
from tournaments.models import OnlineEntry


def online_entry_by_confirmation_token(token: str) -> OnlineEntry | None:
    """Return the entry that this token confirms, or None if it is unknown, used or expired."""
    found = OnlineEntry.objects.select_related("tournament__club").filter(
        token_hash=hash_token(token), token_ends_at__gt=timezone.now(), tournament__deleted_at=None
    )
    return found.first()


def status_token(online: OnlineEntry) -> str:
    """Return the token of the person's own page about their entry."""
    return f"{online.pk}.{sign_link_purpose('online entry', online.pk)}"


def online_entry_by_status_token(token: str) -> OnlineEntry | None:
    """Return the confirmed entry with this token, or None if the token is wrong."""
    rows = OnlineEntry.objects.select_related("tournament__club", "entry__member", "member", "payment")
    key = parse_key(token.partition(".")[0])
    online = rows.filter(pk=key, tournament__deleted_at=None).exclude(state=OnlineEntry.State.UNCONFIRMED).first()
    return online if online is not None and constant_time_compare(token, status_token(online)) else None


def personal_page_of(online: OnlineEntry) -> str:
    """Return the path of the player's personal page, or an empty string unless it is certainly theirs.

    Anybody can enter a name. A member's page goes only to an address that the club has for them.
    """
    if online.entry is None:
        return ""
    member = online.entry.member
    if member is not None and not online.is_from(member):
        return ""
    return event_link_url(online.entry)
