"""Devices on which a user has signed in before, kept in a signed cookie that grants no access."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

DEVICE_COOKIE = "device"
DEVICE_COOKIE_AGE = 365 * 24 * 60 * 60
MAX_ACCOUNTS_PER_DEVICE = 20
"""Limits the cookie's size on a device shared by a whole club."""

_SALT = "clubnight known device"


def known_device_token(request: HttpRequest, user_id: int) -> str | None:
    """Return this device's token for the account, or None if the account has not signed in here before."""
    return _accounts_on(request).get(str(user_id))


def remember_device(request: HttpRequest, response: HttpResponse, user_id: int) -> None:
    """Set a cookie that records that the account signed in on this device."""
    known = _accounts_on(request)
    device = known.pop(str(user_id), None) or secrets.token_urlsafe(12)
    kept = dict(list(known.items())[1 - MAX_ACCOUNTS_PER_DEVICE :]) | {str(user_id): device}
    response.set_cookie(
        DEVICE_COOKIE,
        signing.dumps(kept, salt=_SALT),
        max_age=DEVICE_COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _accounts_on(request: HttpRequest) -> dict[str, str]:
    try:
        kept = signing.loads(request.COOKIES.get(DEVICE_COOKIE, ""), salt=_SALT, max_age=DEVICE_COOKIE_AGE)
    except signing.BadSignature:
        return {}
    return kept if isinstance(kept, dict) else {}
