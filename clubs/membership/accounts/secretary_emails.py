"""Emails to a club's secretaries about its settings: each in the club's language, with a link to the page about it."""

from __future__ import annotations

from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from clubs.models import Club, Role, User
from common.emails.outbox import new_email


def secretary_addresses(club: Club) -> list[str]:
    """Return the addresses of the secretaries, or else the club's. Empty if nobody has one."""
    secretaries = User.objects.filter(memberships__club=club, memberships__role=Role.SECRETARY, is_active=True)
    known = sorted(set(secretaries.exclude(email="").values_list("email", flat=True)))
    return known or [club.email] * bool(club.email)


def unexpected_text(author: User | None) -> str:
    """Return what to do about something new that nobody expected, before a link to the page that removes it."""
    if author:
        return _("If you didn't expect this, ask them about it. You can remove it here:")
    return _("If you didn't expect this, remove it here:")


def secretary_email(club: Club, *, subject: str, sentence: str, link_text: str, path: str, site: str) -> EmailMessage:
    """Return an email to all secretaries: a sentence, and a link to a page of the server `site`.

    The person who changed the setting gets it too, because somebody else may be using their account. Raises
    ValueError if nobody has an address.
    """
    addresses = secretary_addresses(club)
    if not addresses:
        raise ValueError("no address")
    context = {"sentence": sentence, "link_text": link_text, "address": urljoin(site, path)}
    body = render_to_string("clubs/membership/accounts/mail/secretary.txt", context)
    email = new_email(subject=subject, body=body, to=addresses[0], reply_to=club.email, site=site, sender=club.name)
    email.to = addresses
    return email
