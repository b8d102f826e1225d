"""The email to the secretaries about a webhook that was stopped."""

from __future__ import annotations

from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.models import Membership, Role
from common.emails.outbox import EmailOutbox, new_email, register_outbox
from pairing.models import Webhook


def _rows() -> QuerySet[Webhook]:
    return Webhook.objects.select_related("club")


register_outbox(EmailOutbox(model=Webhook, rows=_rows, compose="pairing.public.webhooks.stop_email.compose_stop_email"))


def compose_stop_email(webhook: Webhook) -> EmailMessage:
    """Return the email in the club's language. Raises ValueError if no secretary and no club has an address."""
    club = webhook.club
    secretaries = Membership.objects.filter(club=club, role=Role.SECRETARY).exclude(user__email="")
    addresses = sorted(set(secretaries.values_list("user__email", flat=True))) or [club.email]
    if not addresses[0]:
        raise ValueError("no address")
    with translation.override(club.language):
        subject = _("%(club)s: a webhook was stopped") % {"club": club.name}
        address = urljoin(webhook.site, reverse("webhook_detail", args=[club.slug, webhook.pk]))
        body = render_to_string(
            "pairing/public/webhooks/mail/stopped.txt", {"webhook": webhook, "club": club, "address": address}
        )
    email = new_email(
        subject=subject, body=body, to=addresses[0], reply_to=club.email, site=webhook.site, sender=club.name
    )
    email.to = addresses
    return email
