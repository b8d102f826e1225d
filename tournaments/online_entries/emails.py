"""Emails about online entries: the confirmation email, and emails about the entry's status."""

from __future__ import annotations

import secrets
from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from common.emails.confirmation import CONFIRMATION_LIFETIME, hash_token
from common.emails.outbox import hold_row, new_email
from tournaments.models import OnlineEntry
from tournaments.online_entries.fees import payment_instructions
from tournaments.online_entries.links import personal_page_of, status_token
from tournaments.online_entries.state_texts import describe_state, format_club_time

_Kind = OnlineEntry.EmailKind


def compose_online_entry_email(online: OnlineEntry) -> EmailMessage:
    """Return the email that is due, in the language in which the person used the form."""
    club = online.tournament.club
    with translation.override(online.language or club.language):
        context = _confirmation(online) if online.email_due == _Kind.CONFIRM else _state_context(online)
        body = render_to_string("tournaments/online_entries/mail/online_entry.txt", {"club": club, **context})
    return new_email(
        subject=str(context["subject"]),
        body=body,
        to=online.contact_email,
        reply_to=club.email,
        site=online.site,
        sender=club.name,
    )


def _confirmation(online: OnlineEntry) -> dict[str, object]:
    """Return the texts of the confirmation email. The token is made now, and only its hash is stored."""
    token, ends_at = secrets.token_urlsafe(32), timezone.now() + CONFIRMATION_LIFETIME
    hold_row(online, token_hash=hash_token(token), token_ends_at=ends_at)
    event = online.tournament
    said = {"event": event.name, "name": online.name, "time": format_club_time(event, ends_at)}
    return {
        "subject": _("%(event)s: confirm the entry") % said,
        "sentences": [
            _("Somebody used this address to enter %(name)s for %(event)s.") % said,
            _("Open this page and confirm. The entry doesn't count until you do. The link works until %(time)s.")
            % said,
        ],
        "address": urljoin(online.site, reverse("online_entry_confirm", args=[event.club.slug, event.slug, token])),
        "last_words": _("If you weren't expecting this, ignore this email."),
    }


def _state_context(online: OnlineEntry) -> dict[str, object]:
    event, page = online.tournament, personal_page_of(online)
    return {
        "subject": _("%(event)s: %(state)s") % {"event": event.name, "state": online.get_state_display()},
        "sentences": [describe_state(online)],
        "payment": payment_instructions(online) if online.entry else None,
        "address": urljoin(
            online.site, reverse("online_entry_status", args=[event.club.slug, event.slug, status_token(online)])
        ),
        "page": urljoin(online.site, page) if page else "",
    }
