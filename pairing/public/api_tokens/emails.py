"""The email to the secretaries about a new token."""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.membership.accounts.secretary_emails import secretary_email, unexpected_text
from common.emails.outbox import EmailOutbox, register_outbox
from pairing.models import ApiToken


def _rows() -> QuerySet[ApiToken]:
    return ApiToken.objects.select_related("club", "created_by")


register_outbox(EmailOutbox(model=ApiToken, rows=_rows, compose="pairing.public.api_tokens.emails.compose_token_email"))


def compose_token_email(token: ApiToken) -> EmailMessage:
    """Return the email in the club's language. Raises ValueError if nobody has an address."""
    club = token.club
    with translation.override(club.language):
        told = {"club": club.name, "name": token.name, "who": token.created_by}
        if token.created_by:
            sentence = _("%(who)s created the API token “%(name)s” for your club.") % told
        else:
            sentence = _("The API token “%(name)s” was created for your club.") % told
        return secretary_email(
            club,
            subject=_("%(club)s: new API token") % told,
            sentence=sentence,
            link_text=unexpected_text(token.created_by),
            path=reverse("club_api_tokens", args=[club.slug]),
            site=token.site,
        )
