"""The links of applications: a one-time link to confirm the address, and one to the sender's own page."""

from __future__ import annotations

from django.core import signing
from django.utils import timezone

from clubs.models import MembershipApplication
from clubs.request_types import parse_key
from common.emails.confirmation import hash_token

_SIGNER = signing.Signer(sep=".", salt=__name__)


def application_by_confirmation_token(club_slug: str, token: str) -> MembershipApplication | None:
    """Return the application that this token confirms, or None if it is unknown, used or expired."""
    found = MembershipApplication.objects.select_related("club").filter(
        club__slug=club_slug, token_hash=hash_token(token), token_ends_at__gt=timezone.now()
    )
    return found.first()


def status_token(application: MembershipApplication) -> str:
    """Return the token of the sender's own page about their application."""
    return _SIGNER.sign(str(application.pk))


def application_by_status_token(club_slug: str, token: str) -> MembershipApplication | None:
    """Return the confirmed application with this token, or None if the token is wrong."""
    try:
        key = parse_key(_SIGNER.unsign(token))
    except signing.BadSignature:
        return None
    found = MembershipApplication.objects.select_related("club").filter(pk=key, club__slug=club_slug)
    return found.exclude(state=MembershipApplication.State.UNCONFIRMED).first()
