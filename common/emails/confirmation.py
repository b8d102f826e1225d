"""Addresses that anybody can enter in a form. Each is confirmed by a link that works once, and gets few emails."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db.models import Q

CONFIRMATION_LIFETIME = timedelta(hours=24)
MAX_CONFIRMATIONS_A_DAY = 5
"""The limit on unconfirmed forms per mailbox. Confirmed entries don't count, so a coach can enter a whole team."""
KEEP_UNCONFIRMED_FOR = timedelta(days=3)
"""Unconfirmed forms are deleted after this time, as the address's owner may not have sent them."""
_IGNORES_DOTS = ("gmail.com", "googlemail.com")
"""Two domains of one mail server, where anna.k@… and annak@… are the same mailbox."""


def hash_token(token: str) -> str:
    """Return the hash under which a confirmation token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def mailbox_condition(field: str, address: str) -> Q:
    """Return the query condition for fields that have an address of the same mailbox.

    An address with a tag, such as anna+chess@…, has the same mailbox as the one without.
    """
    local, _at, domain = address.rpartition("@")
    box = local.partition("+")[0]
    if domain in _IGNORES_DOTS:
        letters = r"\.?".join(map(re.escape, box.replace(".", "")))
        return Q(**{f"{field}__regex": rf"^{letters}(\+.*)?@({'|'.join(map(re.escape, _IGNORES_DOTS))})$"})
    return Q(**{field: f"{box}@{domain}"}) | Q(
        **{f"{field}__startswith": f"{box}+", f"{field}__endswith": f"@{domain}"}
    )


def clean_address(address: str) -> str:
    """Return the address in lower case, with the domain as mail servers read it.

    Raises ValidationError if mail servers can't use it.
    """
    local, at, domain = address.rpartition("@")
    try:
        # The same domain can be written with other letters, such as full-width ones.
        domain = domain.encode("idna").decode("idna")
    except UnicodeError:
        raise ValidationError(EmailValidator.message) from None
    if '"' in address:
        raise ValidationError(EmailValidator.message)
    return f"{local}{at}{domain}".lower()
