"""URL slugs that clubs and events may not have, because fixed pages use them.

A club's page is /<club>/ and an event's /<club>/<event>/. A test compares these words with the URL patterns.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

RESERVED_CLUB_SLUGS = frozenset(
    {
        ".well-known",
        "about",
        "account",
        "admin",
        "api",
        "assets",
        "board",
        "check",
        "clubs",
        "design",
        "error",
        "events",
        "favicon",
        "hall",
        "health",
        "healthz",
        "help",
        "home",
        "jobs",
        "join",
        "language",
        "live",
        "login",
        "logout",
        "look",
        "me",
        "media",
        "manifest",
        "members",
        "metrics",
        "new",
        "offline",
        "p",
        "password",
        "pdf",
        "player",
        "privacy",
        "public",
        "qr",
        "ratings",
        "readyz",
        "robots",
        "search",
        "service-worker",
        "set-up",
        "settings",
        "sign-in",
        "sign-out",
        "static",
        "tasks",
        "told",
        "user",
        "users",
        "welcome",
    }
)
"""Words that no club may have as its slug."""

RESERVED_EVENT_SLUGS = frozenset(
    {
        "birthdays",
        "logo",
        "about",
        "admin",
        "applications",
        "attendance",
        "awards",
        "bank",
        "books",
        "calendar",
        "check-in",
        "dues",
        "edit",
        "embed",
        "events",
        "export",
        "import",
        "join",
        "ladder",
        "leagues",
        "letters",
        "matches",
        "members",
        "new",
        "notices",
        "prizes",
        "ratings",
        "results",
        "seasons",
        "series",
        "settings",
        "standings",
        "static",
        "teams",
        "treasurer",
    }
)
"""Words that no event may have as its slug."""


def check_club_slug(address: str) -> None:
    """Raise ValidationError if a fixed page uses this slug."""
    if address in RESERVED_CLUB_SLUGS:
        said = _("The address “%(address)s” is reserved. Choose another one, such as “%(address)s-club”.")
        raise ValidationError({"slug": said % {"address": address}})
