"""Creating, finding and revoking tokens. A token's text is shown once; the database has only its hash."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, User
from common.emails.confirmation import hash_token
from common.locking import lock_row
from common.problems import OfficerProblem
from pairing.models import ApiToken
from tournaments.models import Tournament

TOKEN_PREFIX = "clubnight_"  # noqa: S105 - the beginning of every token
"""So that people, and programs that look for leaked secrets, recognise a token."""
MAX_TOKENS = 50
"""Valid tokens of a club."""
USE_RECORDED_EVERY = timedelta(minutes=1)


@transaction.atomic
def create_token(
    club: Club,
    *,
    name: str,
    scopes: Collection[str],
    tournament: Tournament | None,
    expires_at: datetime | None,
    by: User,
    site: str,
) -> tuple[ApiToken, str]:
    """Create a token, and return it with its text. The secretaries get an email with a link to the server `site`.

    Raises OfficerProblem if a token of this name is not revoked, so that a form submitted twice creates one token.
    """
    lock_row(Club, club.pk)
    valid = ApiToken.objects.filter(club=club, revoked_at=None).exclude(expires_at__lte=timezone.now())
    if valid.count() >= MAX_TOKENS:
        raise OfficerProblem(_("A club can have %(most)s tokens. Revoke one first.") % {"most": MAX_TOKENS})
    text = TOKEN_PREFIX + secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            token = ApiToken.objects.create(
                club=club,
                tournament=tournament,
                name=name,
                scopes=[scope for scope in ApiToken.Scope.values if scope in scopes],
                token_hash=hash_token(text),
                created_by=by,
                expires_at=expires_at,
                site=site,
                email_due=ApiToken.CREATED,
            )
    except IntegrityError:
        raise OfficerProblem(_("You already have a token called “%(name)s”.") % {"name": name}) from None
    return token, text


def find_token(text: str) -> ApiToken | None:
    """Return the token with this text, valid or not, or None if there is none. One query."""
    found = ApiToken.objects.select_related("club").filter(token_hash=hash_token(text))
    return found.first() if text.startswith(TOKEN_PREFIX) else None


def record_use(token: ApiToken) -> None:
    """Record that a token was used now, at most once a minute."""
    now = timezone.now()
    is_old = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_RECORDED_EVERY)
    if token.last_used_at is None or token.last_used_at < now - USE_RECORDED_EVERY:
        ApiToken.objects.filter(is_old, pk=token.pk).update(last_used_at=now)


def revoke_token(token: ApiToken, *, by: User) -> None:
    """Revoke a token at once. Does nothing if it is revoked already."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now(), revoked_by=by)
