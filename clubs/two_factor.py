"""Two-factor sign-in, which a club can require from its officers."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied

from clubs.models import User


class TwoFactorRequired(PermissionDenied):
    """Raised if the club requires two-factor sign-in for officers and this user has not set it up."""


def has_two_factor(user: User | AnonymousUser) -> bool:
    """Return True if the user has set up a second sign-in step."""
    return user.is_authenticated and Authenticator.objects.filter(user_id=user.pk).exists()
