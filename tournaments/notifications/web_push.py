"""Push messages: encrypted for one device and sent to its browser's push service.

The key pair that identifies this server to push services (VAPID) is created once and kept beside the secret key.

The library encrypts and signs. The request is our own, so that it goes only to push services and follows no redirect.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from enum import Enum
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from django.conf import settings
from webpush import WebPush
from webpush.types import WebPushKeys, WebPushSubscription
from webpush.vapid import VAPID

from common.text.secret_files import load_or_create_secret
from tournaments.models import NotificationChannel

PUSH_TIMEOUT_SECONDS = 10
MAX_MESSAGE_BYTES = 3000
"""The limit before encryption: services accept 4,000 bytes in all."""

PUSH_SERVICE_HOSTS = (
    "fcm.googleapis.com",
    "android.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.services.mozilla.com",
    ".notify.windows.com",
    "web.push.apple.com",
    ".push.apple.com",
)
"""Hosts of push services; those with a leading dot match the end of a host. The server contacts no others: a stranger's
URL must not make it contact its own network."""

_POINT, _SECRET = 65, 16
"""The length in bytes of a device's public key and of its secret."""

_END = "-----END PRIVATE KEY-----\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class PushKeys:
    """The server's key pair in PEM. `public` is the public key in the form that browsers need to subscribe."""

    private_pem: bytes
    public_pem: bytes
    public: str


class PushOutcome(Enum):
    """The outcome reported by a push service."""

    ACCEPTED = "taken"
    GONE = "gone"
    """The device has unsubscribed, so it is deleted."""
    RETRY_LATER = "later"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class PushServiceResponse:
    """A push service's response, with a detail for the server's administrator."""

    outcome: PushOutcome
    detail: str = ""


def load_push_keys() -> PushKeys | None:
    """Return the server's key pair. Return None if it cannot be read or stored, so that push is unavailable."""
    try:
        return _read(settings.PUSH_KEY_FILE)
    except (OSError, ValueError):
        return None


def push_contact_address() -> str:
    """Return the contact address for push services, or "" if none is set. Some services then refuse messages."""
    for address in (settings.SECURITY_CONTACT.removeprefix("mailto:"), settings.DEFAULT_FROM_EMAIL):
        host = address.rpartition("@")[2].rstrip(">")
        if "@" in address and "." in host:
            return re.sub(r".*<|>", "", address)
    return ""


def is_push_available() -> bool:
    """Return True if keys and a contact are set. Devices also need HTTPS to subscribe, which only they can check."""
    return bool(load_push_keys() and push_contact_address())


def is_push_service(endpoint: str) -> bool:
    """Return True if the URL belongs to a known push service. `PUSH_SERVICES` adds hosts or whole origins."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    host = parts.hostname or ""
    if f"{parts.scheme}://{parts.netloc}" in settings.PUSH_SERVICES:
        return True
    if parts.scheme != "https" or port not in (None, 443) or parts.username or len(endpoint) > 1000:
        return False
    hosts = (*PUSH_SERVICE_HOSTS, *settings.PUSH_SERVICES)
    return any(host == each or (each.startswith(".") and host.endswith(each)) for each in hosts)


def are_device_keys_valid(p256dh: str, auth: str) -> bool:
    """Return True if a device's keys have the right form."""
    try:
        point, secret = (urlsafe_b64decode(key + "=" * (-len(key) % 4)) for key in (p256dh, auth))
    except ValueError:
        return False
    return len(point) == _POINT and point[0] == 4 and len(secret) == _SECRET


def send_push_message(way: NotificationChannel, message: dict[str, Any], *, seconds: int) -> PushServiceResponse:
    """Send a message to a device's push service, which keeps it for `seconds` if the device is off. No query."""
    keys = load_push_keys()
    if keys is None:
        return PushServiceResponse(outcome=PushOutcome.RETRY_LATER, detail="no keys")
    if not is_push_service(way.endpoint):
        return PushServiceResponse(outcome=PushOutcome.GONE, detail="not a push service")
    try:
        sealed = _sealed(way, message, keys, seconds)
    except ValueError as error:
        return PushServiceResponse(outcome=PushOutcome.GONE, detail=f"its keys are broken: {error}"[:200])
    try:
        status, said = _posted(way.endpoint, sealed.encrypted, dict(sealed.headers) | {"urgency": "high"})
    except (OSError, HTTPException) as error:
        return PushServiceResponse(outcome=PushOutcome.RETRY_LATER, detail=f"{type(error).__name__}: {error}"[:200])
    if 200 <= status < 300:
        return PushServiceResponse(outcome=PushOutcome.ACCEPTED)
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return PushServiceResponse(outcome=PushOutcome.GONE, detail=str(status))
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= 500:
        return PushServiceResponse(outcome=PushOutcome.RETRY_LATER, detail=str(status))
    return PushServiceResponse(outcome=PushOutcome.REFUSED, detail=f"{status} {said}"[:200])


def _sealed(way: NotificationChannel, message: dict[str, Any], keys: PushKeys, seconds: int) -> Any:
    data = json.dumps(message, ensure_ascii=False).encode()
    if len(data) > MAX_MESSAGE_BYTES:
        raise ValueError(f"{len(data)} bytes")
    pusher = WebPush(
        private_key=keys.private_pem,
        public_key=keys.public_pem,
        subscriber=push_contact_address(),
        ttl=seconds,
        expiration=3600,
    )
    device = WebPushSubscription(
        endpoint=way.endpoint,
        keys=WebPushKeys(auth=way.auth, p256dh=way.p256dh),
    )
    return pusher.get(data, device)


def _posted(endpoint: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    parts = urlsplit(endpoint)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.netloc, timeout=PUSH_TIMEOUT_SECONDS)
    try:
        path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        connection.request("POST", path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read(200).decode(errors="replace")
    finally:
        connection.close()


@cache
def _read(path: Path) -> PushKeys:
    private, end, public = load_or_create_secret(path, _made).partition(_END)
    public_pem = public.encode()
    key = VAPID.get_application_server_key(load_pem_public_key(public_pem))
    return PushKeys(private_pem=(private + end).encode(), public_pem=public_pem, public=key)


def _made() -> str:
    private, public, _key = VAPID.generate_keys()
    return (private + public).decode()
