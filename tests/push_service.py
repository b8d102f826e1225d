"""A push service and its subscribed devices. It decrypts messages as a browser would.

The sealing is read here from the documents (RFC 8188, 8291 and 8292), and not by the library that seals.
"""

from __future__ import annotations

import json
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Subscription(NamedTuple):
    """The subscription as a browser gives it to its page."""

    endpoint: str
    p256dh: str
    auth: str


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Browser:
    """The keys of one device."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = bytes(range(16))

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def read(self, sealed: bytes) -> dict[str, Any]:
        """RFC 8291, section 3.4, reversed."""
        salt, length = sealed[:16], sealed[20]
        sender, text = sealed[21 : 21 + length], sealed[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        first = _derived(shared, self.secret, b"WebPush: info\0" + self.point + sender, 32)
        key = _derived(first, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(first, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, text, None)
        assert plain.rstrip(b"\0")[-1:] == b"\2"
        found: dict[str, Any] = json.loads(plain.rstrip(b"\0")[:-1])
        return found


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(key)


def check_sender(authorization: str, public: str, origin: str) -> dict[str, Any]:
    """RFC 8292: the sender's claims, signed with the key of the devices' subscription."""
    kind, _space, rest = authorization.partition(" ")
    parts = dict(each.strip().split("=", 1) for each in rest.split(","))
    assert kind == "vapid"
    assert parts["k"] == public
    head, claims, signature = parts["t"].split(".")
    raw = bytes_of(signature)
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(public))
    key.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    found: dict[str, Any] = json.loads(bytes_of(claims))
    # The library omits the port, which is 443 at every real service.
    assert found["aud"] == origin.rpartition(":")[0]
    assert found["sub"].startswith("mailto:")
    return found


class PushService:
    """Listens on a free port, or a given one. `answers` are the statuses for the next requests; then 201."""

    def __init__(self, port: int = 0) -> None:
        self.browsers: dict[str, Browser] = {}
        self.taken: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                if not length or len(body) < length:
                    # The sender was killed before it had sent everything.
                    self.close_connection = True
                    return
                status = service.answers.pop(0) if service.answers else 201
                if status == 201:
                    service.taken.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def device(self) -> Subscription:
        """Another browser that subscribes."""
        browser, path = Browser(), f"/device/{len(self.browsers) + 1}"
        self.browsers[path] = browser
        return Subscription(
            endpoint=f"{self.origin}{path}", p256dh=text_of(browser.point), auth=text_of(browser.secret)
        )

    def shown(self) -> list[dict[str, Any]]:
        """The messages to the devices, decrypted."""
        return [self.browsers[path].read(body) for path, _headers, body in self.taken]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
