"""Secrets of webhooks and signatures of their messages, in the form of https://www.standardwebhooks.com.

The secret is derived from the server's secret key, so that the database alone doesn't contain it. A backup does if the
key is a file in `var/`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode

from django.utils.crypto import salted_hmac

from pairing.models import Webhook

_PREFIX = "whsec_"


def new_salt() -> str:
    """Return a salt, which makes a new secret."""
    return secrets.token_hex(16)


def secret_of_webhook(webhook: Webhook) -> str:
    """Return the secret with which the receiver checks signatures."""
    digest = salted_hmac("clubnight webhook", f"{webhook.pk}:{webhook.salt}", algorithm="sha256").digest()
    return _PREFIX + b64encode(digest).decode()


def sign_message(secret: str, message_id: str, timestamp: int, body: str) -> dict[str, str]:
    """Return the headers that identify a message and prove its sender. `timestamp` is in seconds since 1970."""
    key = b64decode(secret.removeprefix(_PREFIX))
    signed = hmac.new(key, f"{message_id}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{b64encode(signed).decode()}",
    }
