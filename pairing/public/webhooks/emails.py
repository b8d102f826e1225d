"""Emails to the secretaries: a webhook is new, or was stopped."""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.membership.accounts.secretary_emails import secretary_email, unexpected_text
from common.emails.outbox import EmailOutbox, register_outbox
from pairing.models import Webhook


def _rows() -> QuerySet[Webhook]:
    return Webhook.objects.select_related("club", "created_by")


register_outbox(EmailOutbox(model=Webhook, rows=_rows, compose="pairing.public.webhooks.emails.compose_webhook_email"))


def compose_webhook_email(webhook: Webhook) -> EmailMessage:
    """Return the email that is due, in the club's language. Raises ValueError if nobody has an address."""
    club = webhook.club
    with translation.override(club.language):
        told = {"club": club.name, "url": webhook.url, "who": webhook.created_by}
        if webhook.email_due == Webhook.EmailKind.CREATED:
            subject = _("%(club)s: new webhook") % told
            if webhook.created_by:
                sentence = _("%(who)s added a webhook. Messages about your events now go to %(url)s.") % told
            else:
                sentence = _("A webhook was added. Messages about your events now go to %(url)s.") % told
            link_text = unexpected_text(webhook.created_by)
        else:
            subject = _("%(club)s: a webhook was stopped") % told
            sentence = _("We've stopped sending messages to %(url)s because it hasn't accepted any for days.") % told
            link_text = _("On this page you can see the errors and start it again:")
        path = reverse("webhook_detail", args=[club.slug, webhook.pk])
        return secretary_email(
            club, subject=subject, sentence=sentence, link_text=link_text, path=path, site=webhook.site
        )
