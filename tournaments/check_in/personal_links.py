"""Links without a sign-in: a player's own page, and the code on the wall by which players check themselves in.

A link is signed with the server's secret key, so that nothing secret is stored; knowing other links helps to guess
none. Whoever stands in the club's book has one link for life, which leads to the event he is in now; a guest has one
of his event. Renewing a player's link ends the one before. The full stop in a token keeps its address apart from those
of clubs and events.
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
"""A code that has moved on twice still counts: ten minutes to find one's name."""

_PERSON = "m"
"""Begins the token of a person, and of no entry."""

_SIGNATURE_BYTES = 12
"""96 bits: sixteen characters, a small QR code, and beyond guessing."""


def personal_link_url(entry: Entry) -> str:
    """The path a player is given, on paper or screen; no query where `entry.member` is there already.

    That of the person where he stands in the club's book, good for every event of the club; else of this event.
    """
    if entry.member is None:
        return event_link_url(entry)
    return reverse("personal", args=[member_link_token(entry.member)])


def event_link_url(entry: Entry) -> str:
    """The path of the player's own page of this event; no query where `entry.member` is there already."""
    return reverse("personal", args=[event_link_token(entry)])


def event_link_token(entry: Entry) -> str:
    """What stands for the player in his addresses of this event. A new link of the person ends it, too."""
    versions = [entry.link_version]
    if entry.member is not None and entry.member.link_version:
        versions.append(entry.member.link_version)
    return f"{entry.pk}.{link_signature('personal link', entry.pk, *versions)}"


def member_link_token(member: Member) -> str:
    """What stands for somebody of the club's book in his addresses."""
    return f"{_PERSON}{member.pk}.{link_signature('link of a person', member.pk, member.link_version)}"


def entry_by_token(token: str) -> Entry | None:
    """The player whose link of one event it is, with event and club; None for one that is wrong or was renewed."""
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
    """The person whose link for life it is; None for one that is wrong or was renewed, and once all was erased."""
    key = _number_in(token.removeprefix(_PERSON)) if token.startswith(_PERSON) else None
    if key is None:
        return None
    member = Member.objects.filter(pk=key, erased_at=None).first()
    if member is None or not constant_time_compare(token, member_link_token(member)):
        return None
    return member


@transaction.atomic
def renew_personal_link(entry: Entry, *, by: User | None) -> Entry:
    """Give the player a new link; whoever holds one from before, of this event or of the person, finds nothing."""
    Entry.objects.filter(pk=entry.pk).update(link_version=F("link_version") + 1)
    entry.refresh_from_db(fields=["link_version"])
    if entry.member is not None:
        Member.objects.filter(pk=entry.member.pk).update(link_version=F("link_version") + 1)
        entry.member.refresh_from_db(fields=["link_version"])
    record_action(entry.tournament, EventAction.PERSONAL_LINK_RENEWED, by=by, name=entry.name, entry=entry.pk)
    return entry


class CheckInCodeProof(Enum):
    """What a code at the door says of whoever has scanned it."""

    ON_SITE = "now"
    """He stands before the screen: the code moves on every five minutes."""
    UNCERTAIN = "once"
    """He has seen a code on paper, or one that has moved on; or somebody has sent it to him."""


def check_in_code_url(round: Round, *, on_paper: bool = False) -> str:
    """The path behind the code of a round at the door; no query. `round.tournament` has its club."""
    token = check_in_code_token(round, on_paper=on_paper)
    return reverse("self_check_in", args=[round.tournament.club.slug, round.tournament.slug, token])


def check_in_code_token(round: Round, *, on_paper: bool = False) -> str:
    """What stands for the round's check-in in its address: the number, which may be guessed, and a signature.

    That for a screen holds the time, too, and counts for so long; that for paper never changes.
    """
    if on_paper:
        return f"{round.number}.{link_signature('check-in', round.pk, round.tournament_id)}"
    return _moving_token(round, _moment())


def verify_check_in_code(round: Round, token: str) -> CheckInCodeProof | None:
    """What this token is worth; None for one that is wrong."""
    if constant_time_compare(token, check_in_code_token(round, on_paper=True)):
        return CheckInCodeProof.UNCERTAIN
    moment = parse_key(token.partition(".")[2].partition("-")[0])
    if not moment or not constant_time_compare(token, _moving_token(round, moment)):
        return None
    return CheckInCodeProof.ON_SITE if 0 <= _moment() - moment <= VALID_CODE_PERIODS else CheckInCodeProof.UNCERTAIN


def round_number_in_token(token: str) -> int | None:
    """The number of the round that a token claims to be of; `check_in_code_token` of that round says whether it is
    true."""
    return _number_in(token)


def _moving_token(round: Round, moment: int) -> str:
    return f"{round.number}.{moment}-{link_signature('check-in now', round.pk, round.tournament_id, moment)}"


def _moment() -> int:
    """The time in moments of five minutes."""
    return int(time.time()) // CODE_PERIOD_SECONDS


def _number_in(token: str) -> int | None:
    """The number before the full stop; None where there is none that a database could hold."""
    number = token.partition(".")[0]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 16 else None


def link_signature(purpose: str, *values: int) -> str:
    """Twelve bytes by which nobody else can have made an address for this purpose."""
    digest = salted_hmac(f"clubnight {purpose}", ":".join(map(str, values)), algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:_SIGNATURE_BYTES]).decode()
