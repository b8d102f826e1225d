"""One message to a URL that somebody entered: never to this server's own network, signed, and not for long."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.client import BadStatusLine, HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.core.cache import cache

from pairing.models import Webhook
from pairing.public.webhooks import sending
from pairing.public.webhooks.sending import is_allowed_webhook_url, post_message
from pairing.public.webhooks.signatures import secret_of_webhook, sign_message
from tests.clubs.rating.lists.test_scheduled_download import NEIGHBOURS, NO_SITES

HOST = "https://bot.example.org/hook?x=1"


class Receiver:
    """A program that receives messages. `answers` are the statuses of the next answers; then 204."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, dict[str, str], str]] = []
        self.answers: list[int] = []
        self.drips = False
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                receiver.taken.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                if receiver.drips:
                    for letter in b"HTTP/1.1 200 OK" * 100:
                        self.wfile.write(bytes([letter]))
                        time.sleep(0.1)
                status = receiver.answers.pop(0) if receiver.answers else 204
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", f"{receiver.origin}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    """A receiver in the own network, which the server's administrator allows."""
    cache.clear()
    found = Receiver()
    settings.WEBHOOK_SITES = [found.origin]
    yield found
    found.close()


@pytest.fixture
def contacted(monkeypatch) -> list[Any]:
    """The addresses to which a connection was opened. None is opened."""
    found: list[Any] = []

    def connect(_socket: object, address: Any) -> None:
        found.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    return found


def leads_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    def found(_host: str, port: int, **_more: Any) -> list[Any]:
        return [
            (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port))
            for each in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", found)


@pytest.mark.parametrize(
    "url", [*NO_SITES.split(), "", "javascript:alert(1)", f"{HOST}\r\nHost: x", "https://a b.example/"]
)
def test_only_names_of_public_web_servers_are_called(url, contacted):
    assert not is_allowed_webhook_url(url)
    assert post_message(url, "{}", {}).status is None
    assert contacted == []


@pytest.mark.parametrize("address", NEIGHBOURS.split())
def test_a_name_that_leads_into_the_own_network_is_not_called_and_not_told_where(address, monkeypatch, contacted):
    leads_to(monkeypatch, address)
    answer = post_message(HOST, "{}", {})
    assert (answer.status, answer.error) == (None, "not a public address")
    assert contacted == []


def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch, contacted):
    leads_to(monkeypatch, "193.0.6.139", "::ffff:10.0.0.1")
    assert post_message(HOST, "{}", {}).error == "not a public address"
    assert contacted == []


def test_a_public_address_is_called_as_it_was_checked(monkeypatch, contacted):
    leads_to(monkeypatch, "193.0.6.139")
    assert post_message(HOST, "{}", {}).error.startswith("ConnectionRefusedError")
    assert contacted == [("193.0.6.139", 443)]


def test_proxies_of_the_environment_are_not_used(monkeypatch, contacted, receiver):
    monkeypatch.setenv("https_proxy", receiver.origin)
    leads_to(monkeypatch, "193.0.6.139")
    post_message(HOST, "{}", {})
    assert contacted == [("193.0.6.139", 443)]


def test_the_own_network_is_called_only_at_allowed_sites(receiver, settings):
    assert is_allowed_webhook_url(f"{receiver.origin}/hook")
    assert post_message(f"{receiver.origin}/hook?x=1", '{"a":"ż"}', {"webhook-id": "msg_1"}).status == 204
    ((path, headers, body),) = receiver.taken
    assert (path, headers["webhook-id"], json.loads(body)) == ("/hook?x=1", "msg_1", {"a": "ż"})
    assert headers["content-type"] == "application/json; charset=utf-8"
    assert "cookie" not in headers
    settings.WEBHOOK_SITES = []
    assert not is_allowed_webhook_url(f"{receiver.origin}/hook")
    assert post_message(f"{receiver.origin}/hook", "{}", {}).status is None
    assert len(receiver.taken) == 1


def test_an_allowed_name_is_called_by_https_alone(settings):
    settings.WEBHOOK_SITES = ["bot.lan"]
    assert is_allowed_webhook_url("https://bot.lan/hook")
    for url in ("http://bot.lan/", "https://bot.lan:8443/", "https://me@bot.lan/", "https://bot.lan.evil.example:1/"):
        assert not is_allowed_webhook_url(url)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer_and_is_not_followed(receiver, status):
    receiver.answers = [status]
    answer = post_message(f"{receiver.origin}/hook", "{}", {})
    assert (answer.status, answer.is_accepted) == (status, False)
    assert [path for path, _headers, _body in receiver.taken] == ["/hook"]


def test_a_receiver_that_drips_does_not_keep_the_sender(receiver, monkeypatch):
    receiver.drips = True
    monkeypatch.setattr(sending, "MAX_SECONDS", 0.5)
    done = threading.Event()
    answers = []

    def send() -> None:
        answers.append(post_message(f"{receiver.origin}/hook", "{}", {}))
        done.set()

    threading.Thread(target=send, daemon=True).start()
    # The whole answer would take minutes.
    assert done.wait(20)
    assert (answers[0].status, bool(answers[0].error)) == (None, True)


def test_a_slow_name_and_a_receiver_that_drips_do_not_keep_the_sender(receiver, monkeypatch):
    """The connection opens after the deadline."""
    receiver.drips = True
    monkeypatch.setattr(sending, "MAX_SECONDS", 0.2)
    quick = socket.getaddrinfo

    def slow(*place: Any, **more: Any) -> Any:
        time.sleep(0.6)
        return quick(*place, **more)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    done = threading.Event()
    threading.Thread(
        target=lambda: (post_message(f"{receiver.origin}/hook", "{}", {}), done.set()), daemon=True
    ).start()
    assert done.wait(20)


def test_a_name_that_is_not_found_looks_like_one_of_the_own_network(monkeypatch, contacted):
    def unknown(*_place: object, **_more: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert post_message(HOST, "{}", {}).error == "not a public address"


def test_what_another_kind_of_server_answers_is_not_shown(receiver, monkeypatch):
    def fails(_connection: object) -> None:
        raise BadStatusLine("220 mail.internal ESMTP")

    monkeypatch.setattr(HTTPConnection, "getresponse", fails)
    assert post_message(f"{receiver.origin}/hook", "{}", {}).error == "BadStatusLine"


def test_nobody_there_is_an_error_and_no_exception(receiver):
    receiver.close()
    answer = post_message(f"{receiver.origin}/hook", "{}", {})
    assert (answer.status, answer.is_accepted) == (None, False)
    assert "ConnectionRefusedError" in answer.error


# -- Signatures -------------------------------------------------------------------------------------------------------


def is_signed(secret: str, headers: dict[str, str], body: str) -> bool:
    """Check as a receiver would, from the specification: base64(HMAC-SHA256(key, id.timestamp.body))."""
    key = base64.b64decode(secret[len("whsec_") :])
    text = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body.encode()])
    wanted = base64.b64encode(hmac.digest(key, text, hashlib.sha256)).decode()
    return any(hmac.compare_digest(f"v1,{wanted}", each) for each in headers["webhook-signature"].split(" "))


def test_the_signature_is_that_of_the_specifications_example():
    headers = sign_message(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        '{"test": 2432232314}',
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert is_signed("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", headers, '{"test": 2432232314}')


@pytest.mark.parametrize("changed", ["webhook-id", "webhook-timestamp"])
def test_what_is_changed_is_not_signed(changed):
    secret = secret_of_webhook(Webhook(pk=1, salt="a"))
    headers = sign_message(secret, "msg_1", 1, "{}")
    assert is_signed(secret, headers, "{}")
    assert not is_signed(secret, headers, "[]")
    assert not is_signed(secret, headers | {changed: "2"}, "{}")
    for other in (Webhook(pk=2, salt="a"), Webhook(pk=1, salt="b")):
        assert not is_signed(secret_of_webhook(other), headers, "{}")


def test_another_servers_key_makes_another_secret(settings):
    webhook = Webhook(pk=1, salt="a")
    here = secret_of_webhook(webhook)
    settings.SECRET_KEY = "another"
    assert secret_of_webhook(webhook) != here
