"""No secret URL appears in a log, neither in ours nor in the web server's."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time

import pytest
from django.urls import reverse

from config.log_redaction import redact_tokens
from tests.full_scenario import url_patterns
from tests.test_conventions import ROOT

SECRET = "ERaSe-9_x"
KEYS = {"token", "key"}
"""What a part of an address is called here that nobody may know."""
OTHERS = {"club": "pod-wieza", "event": "tuesday", "uidb36": "1"}
PUBLIC = [
    "/p/", "/pod-wieza/", "/pod-wieza/p/rounds/1/", "/join/", "/account/email/", "/account/email/sent/",
    "/account/password/forgotten/", "/account/password/forgotten/sent/", "/account/password/forgotten/done/",
    "/pod-wieza/reminders/rounds/2/", "/pod-wieza/check-in/rounds/3/?page=2",
]  # fmt: skip


def addresses() -> list[str]:
    """Every route with a secret part: the text before a personal link, and the characters of Django's signer."""
    found = []
    for whole, pattern in url_patterns():
        parts = re.findall(r"<(?:\w+:)?(\w+)>", whole)
        if KEYS & {*parts}:
            given = {part: f"m12.{SECRET}" if part == "token" else OTHERS.get(part, SECRET) for part in parts}
            found.append(reverse(str(pattern.name), kwargs=given))
    return found


def in_nginx(address: str) -> str:
    """The result of the site's `map` for a URL."""
    site = (ROOT / "deploy" / "nginx" / "clubnight.conf").read_text(encoding="utf-8")
    ((pattern, target),) = re.findall(r'^    "~(\^.*)" "(.*)";$', site, re.MULTILINE)
    found = re.match(pattern.replace("(?<clubnight", "(?P<clubnight"), address)
    return re.sub(r"\$(\w+)", lambda name: found[name[1]], target) if found else address


BOTH = pytest.mark.parametrize("log", [redact_tokens, in_nginx])


@BOTH
@pytest.mark.parametrize("secret", [SECRET, f"MQ:1u:{SECRET}"])
def test_no_address_with_a_secret_part_stands_in_a_log(log, secret):
    found = [each.replace(SECRET, secret) for each in addresses()]
    assert len(found) >= 16
    assert [each for each in found if SECRET in log(each) or log(each).count("/") != each.count("/")] == []


@BOTH
def test_nor_does_one_in_the_query_of_another(log):
    for way in (f"/p/12.{SECRET}/", f"%2Fjoin%2F3.{SECRET}%2F"):
        assert SECRET not in log(f"/account/sign-in/?next={way}")


@BOTH
@pytest.mark.parametrize("address", PUBLIC)
def test_other_addresses_stand_as_they_are(log, address):
    assert log(address) == address


def test_a_line_of_ours_has_no_secret_in_its_words():
    line = f"GET /account/password/forgotten/1-abc-{SECRET}/ 302"
    assert redact_tokens(line) == "GET /account/password/forgotten/…/ 302"
    assert SECRET not in str(redact_tokens(f'Not Found: "/told/w7.{SECRET}" and /p/1.{SECRET}/bye/'))


def test_web_servers_write_no_errors_with_whole_addresses():
    site = (ROOT / "deploy" / "nginx" / "clubnight.conf").read_text(encoding="utf-8")
    (server,) = (part for part in site.split("\nserver {")[1:] if "proxy_pass" in part)
    assert re.findall(r"^ +error_log (.*);$", server, re.MULTILINE) == ["/dev/null emerg"]
    caddy = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    assert re.search(r"^\{\n\tlog \{\n\t\tformat filter \{.*?\trequest delete\n", caddy, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(not shutil.which("caddy"), reason="caddy is not installed")
def test_caddy_takes_the_file(tmp_path):
    command = ["caddy", "validate", "--config", str(ROOT / "deploy" / "Caddyfile"), "--adapter", "caddyfile"]
    done = subprocess.run(command, env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.skipif(not shutil.which("caddy"), reason="caddy is not installed")
def test_caddy_keeps_a_slow_form_from_the_pages(tmp_path):
    """Two half-sent requests were enough to block all processes of the pages, and so every visitor."""
    with socket.create_server(("127.0.0.1", 0)) as pages, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        environment = {
            "HOME": str(tmp_path),
            "PATH": "/usr/bin:/bin",
            "CADDY_ADMIN": f"unix/{tmp_path}/admin",
            "CLUBNIGHT_NAME": f"http://127.0.0.1:{port}",
            "CLUBNIGHT_PAGES_AT": f"127.0.0.1:{pages.getsockname()[1]}",
        }
        command = ["caddy", "run", "--config", str(ROOT / "deploy" / "Caddyfile"), "--adapter", "caddyfile"]
        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as caddy:
            try:
                form = _connected(port)
                form.sendall(b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nlogin")
                pages.settimeout(0.5)
                with pytest.raises(TimeoutError):
                    pages.accept()
                with _connected(port) as visitor:
                    visitor.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    assert _asked(pages).startswith("GET / ")
                form.sendall(b"=kot1")
                assert _asked(pages).startswith("POST /sign-in/ ")
                form.close()
            finally:
                caddy.kill()


def _connected(port: int) -> socket.socket:
    for _ in range(300):
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise AssertionError("caddy does not listen")


def _asked(pages: socket.socket) -> str:
    pages.settimeout(30)
    connection, _address = pages.accept()
    with connection:
        return connection.recv(1000).decode()
