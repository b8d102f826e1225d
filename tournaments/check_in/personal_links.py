"""Links that need no sign-in: a player's own page, and the check-in code for players.

A link is signed with the server's secret key. So no secret is stored, and other links do not help to guess one. A
member of the club has one permanent link, which leads to their current event. A guest has a link to their event.
Renewing a player's link ends the old one. The full stop in a token separates its URL from those of clubs and events.
"""

from __future__ import annotations

import base64
import time
from enum import Enum

from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import Member, User
from clubs.request_types import parse_key
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.models import Entry, Round

CODE_PERIOD_SECONDS = 5 * 60
VALID_CODE_PERIODS = 2
"""A code is valid for two more periods after it changes: ten minutes to find one's name."""

_PERSON = "m"
"""Prefix of a member's token; no entry's token begins with it."""

_SIGNATURE_BYTES = 12
"""96 bits: sixteen characters, which make a small QR code and cannot be guessed."""


def personal_link_url(entry: Entry) -> str:
    """Return the path of a player's personal link. No query if `entry.member` is loaded.

    A member's link is valid for every event of the club, a guest's link for this event only.
    """
    if entry.member is None:
        return event_link_url(entry)
    return reverse("personal", args=[member_link_token(entry.member)])


def event_link_url(entry: Entry) -> str:
    """Return the path of the player's own page for this event. No query if `entry.member` is loaded."""
    return reverse("personal", args=[event_link_token(entry)])


def event_link_token(entry: Entry) -> str:
    """Return the player's token for this event. It stops working when the member's link is renewed."""
    versions = [entry.link_version]
    if entry.member is not None and entry.member.link_version:
        versions.append(entry.member.link_version)
    return f"{entry.pk}.{sign_link_purpose('personal link', entry.pk, *versions)}"


def member_link_token(member: Member) -> str:
    """Return a member's token."""
    return f"{_PERSON}{member.pk}.{sign_link_purpose('link of a person', member.pk, member.link_version)}"


def entry_by_token(token: str) -> Entry | None:
    """Return the player with this event link, with event and club, or None if the link is wrong or was renewed."""
    key = _number_in(token)
    if key is None:
        return None
    entry = (
        Entry.objects.select_related("tournament__club", "tournament__series", "member")
        .filter(pk=key, tournament__deleted_at=None)
        .first()
    )
    if entry is None or not constant_time_compare(token, event_link_token(entry)):
        return None
    return entry


def member_by_token(token: str) -> Member | None:
    """Return the member with this permanent link, or None if it is wrong or was renewed, or their data was erased."""
    key = _number_in(token.removeprefix(_PERSON)) if token.startswith(_PERSON) else None
    if key is None:
        return None
    member = Member.objects.filter(pk=key, erased_at=None).first()
    if member is None or not constant_time_compare(token, member_link_token(member)):
        return None
    return member


@transaction.atomic
def renew_personal_link(entry: Entry, *, by: User | None) -> Entry:
    """Give the player a new link. Their old links, for this event and for the member, stop working."""
    Entry.objects.filter(pk=entry.pk).update(link_version=F("link_version") + 1)
    entry.refresh_from_db(fields=["link_version"])
    if entry.member is not None:
        Member.objects.filter(pk=entry.member.pk).update(link_version=F("link_version") + 1)
        entry.member.refresh_from_db(fields=["link_version"])
    record_action(entry.tournament, EventAction.PERSONAL_LINK_RENEWED, by=by, name=entry.name, entry=entry.pk)
    return entry


class CheckInCodeProof(Enum):
    """How much a check-in code proves about the person who scanned it."""

    ON_SITE = "now"
    """They are in front of the screen, whose code changes every five minutes."""
    UNCERTAIN = "once"
    """They used a printed or expired code, or one that somebody sent them."""


def check_in_code_url(round: Round, *, on_paper: bool = False) -> str:
    """Return the path of a round's check-in code. No query. `round.tournament` must have its club loaded."""
    token = check_in_code_token(round, on_paper=on_paper)
    return reverse("self_check_in", args=[round.tournament.club.slug, round.tournament.slug, token])


def check_in_code_token(round: Round, *, on_paper: bool = False) -> str:
    """Return the token of the round's check-in URL: the round number, and a signature.

    A token for a screen also contains the time and is valid for a limited period; a printed token never changes.
    """
    if on_paper:
        return f"{round.number}.{sign_link_purpose('check-in', round.pk, round.tournament_id)}"
    return _moving_token(round, _moment())


def verify_check_in_code(round: Round, token: str) -> CheckInCodeProof | None:
    """Return how strong a proof this check-in code is, or None if it is wrong."""
    if constant_time_compare(token, check_in_code_token(round, on_paper=True)):
        return CheckInCodeProof.UNCERTAIN
    moment = parse_key(token.partition(".")[2].partition("-")[0])
    if not moment or not constant_time_compare(token, _moving_token(round, moment)):
        return None
    return CheckInCodeProof.ON_SITE if 0 <= _moment() - moment <= VALID_CODE_PERIODS else CheckInCodeProof.UNCERTAIN


def round_number_in_token(token: str) -> int | None:
    """Return the round number that a token claims to be for. `verify_check_in_code` checks the claim."""
    return _number_in(token)


def _moving_token(round: Round, moment: int) -> str:
    return f"{round.number}.{moment}-{sign_link_purpose('check-in now', round.pk, round.tournament_id, moment)}"


def _moment() -> int:
    """Return the current time as a count of five-minute periods."""
    return int(time.time()) // CODE_PERIOD_SECONDS


def _number_in(token: str) -> int | None:
    """Return the number before the full stop, or None if there is none that a database could hold."""
    number = token.partition(".")[0]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 16 else None


def sign_link_purpose(purpose: str, *values: int) -> str:
    """Return a 12-byte signature for a URL with this purpose, as URL-safe text."""
    digest = salted_hmac(f"clubnight {purpose}", ":".join(map(str, values)), algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:_SIGNATURE_BYTES]).decode()
