"""The target of `lab.attacks`: a server set up as in the guide, and a club with an object for every URL.

The database is made, spoilt and looked into by this process; what is asked goes to the server, as from a browser.
"""

from __future__ import annotations

import http.client
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from tests.scenario import Cast

HOST = "chess.example.org"
TOKEN = "attack" * 6
SIGN = "xss7"
"""A tag and an attribute that nobody but an attacker makes."""
MARKUP = f"""'"><{SIGN} on{SIGN}=1>"""
FORMULA = "=7+7"


@dataclass(frozen=True, slots=True)
class Answer:
    """`headers` have lower-case names."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")

    @property
    def kind(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]


@dataclass(kw_only=True)
class Target:
    """The server's port, the club with the parts of its URLs, and the sessions of signed-in users."""

    port: int
    cast: Cast
    places: dict[str, object]
    sessions: dict[str, str] = field(default_factory=dict)

    def ask(
        self,
        method: str,
        address: str,
        *,
        who: str = "visitor",
        sent: Mapping[str, object] | bytes | None = None,
        headers: dict[str, str] | None = None,
        has_token: bool = True,
    ) -> Answer:
        """`sent` is a form's fields, or a body in bytes with its type in the headers."""
        cookies = [f"sessionid={self.sessions[who]}"] if who in self.sessions else []
        told = {"Host": HOST, "Accept-Language": "en"}
        if method == "POST":
            told["Content-Type"] = "application/x-www-form-urlencoded"
            if has_token:
                cookies.append(f"csrftoken={TOKEN[:32]}")
                told["X-CSRFToken"] = TOKEN[:32]
        if cookies:
            told["Cookie"] = "; ".join(cookies)
        body = sent if isinstance(sent, bytes) else urlencode(sent or {}, doseq=True).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, address, body if method == "POST" else None, told | (headers or {}))
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            connection.close()

    def sign_in(self, *names: str) -> None:
        """A session for each user, as sign-in creates it."""
        from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
        from django.contrib.sessions.backends.db import SessionStore

        from clubs.models import User

        for name in names:
            user, session = User.objects.get(username=name), SessionStore()
            session[SESSION_KEY] = str(user.pk)
            session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
            session[HASH_SESSION_KEY] = user.get_session_auth_hash()
            session.create()
            self.sessions[name] = session.session_key or ""


class Marks(HTMLParser):
    """Whether a text has become a tag or an attribute of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == f"on{SIGN}" or (name in ("href", "src", "action") and (value or "").startswith("javascript:")):
                self.found.append(f"<{tag} {name}>")
        if tag == SIGN:
            self.found.append(f"<{tag}>")


def marks_in(text: str) -> list[str]:
    """The parts of an attacker's text that a browser would execute in a page or picture."""
    parser = Marks()
    parser.feed(text)
    return parser.found


@contextmanager
def target(vendor: str, port: int = 0) -> Iterator[Target]:
    """The server on a new database, for the duration of the block."""
    from tests.servers import (
        QUICK,
        free_port,
        new_database,
        postgresql,
        postgresql_with_tables,
        running,
        sqlite_with_tables,
    )

    with tempfile.TemporaryDirectory(prefix="clubnight-attacks-") as folder:
        if vendor == "PostgreSQL":
            with postgresql(*QUICK, cluster=postgresql_with_tables()) as address:
                made = new_database(f"{address.rpartition('/')[0]}/migrated", "attacked")
                with _serving(made, folder, port or free_port(), running) as found:
                    yield found
        else:
            shutil.copy(sqlite_with_tables(), f"{folder}/club.sqlite3")
            with _serving(f"{folder}/club.sqlite3", folder, port or free_port(), running) as found:
                yield found


@contextmanager
def _serving(database: str, folder: str, port: int, running: object) -> Iterator[Target]:
    os.environ |= {
        "CLUBNIGHT_DATABASE": database,
        "CLUBNIGHT_VAR": folder,
        "CLUBNIGHT_REDIS": "",
        "CLUBNIGHT_DEBUG": "0",
        "CLUBNIGHT_HOSTS": HOST,
        "CLUBNIGHT_SECRET_KEY": secrets.token_urlsafe(50),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("collectstatic", "--no-input", "--verbosity", "0")
    cast, places = _made()
    found = Target(port=port, cast=cast, places=places)
    found.sign_in("secretary", "arbiter", "treasurer", "member", "neighbour", "outsider", "officer")
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--workers", "1", "--bind", f"127.0.0.1:{port}"]
    where = str(Path(__file__).resolve().parent.parent)
    with running(command, answers=lambda: found.ask("GET", "/healthz"), folder=where):  # type: ignore[operator]
        yield found


def _made() -> tuple[Cast, dict[str, object]]:
    """The club, all objects in it, and `officer`, who has every role in it."""
    from clubs.models import Role
    from tests.factories import make_user
    from tests.full_scenario import make_full_scenario, url_arguments

    cast = make_full_scenario()
    places = url_arguments(cast)
    make_user("officer", cast.club, Role.SECRETARY, Role.ARBITER, Role.TREASURER)
    return cast, places
