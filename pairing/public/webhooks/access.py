"""Access to webhooks: the first line of the views of one."""

from __future__ import annotations

from django.http import Http404

from clubs.access import get_club_for_secretary
from clubs.roles import Visitor
from pairing.models import Webhook


def get_webhook_for_secretary(user: Visitor, slug: str, pk: int) -> Webhook:
    """Return a webhook of the club if the user is its secretary. Raises Http404 for another club's webhooks."""
    club = get_club_for_secretary(user, slug)
    webhook = club.webhooks.filter(pk=pk).first()
    if webhook is None:
        raise Http404
    webhook.club = club
    return webhook
