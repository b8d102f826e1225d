"""All actions that book money, sent from six tabs at the same moment.

    python -m tests.clubs.finance.dues.concurrent_tabs [--turns 20] [--port 27020] [--only WORD ...]

against gunicorn with four processes and the database that CLUBNIGHT_DATABASE names (it gets all tables). Prints a
table: how many entries should have been made, in how many turns how many were, and what the six were answered. The
suite sends each once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clubs.models import Club, User

TABS = 6
ROOT = Path(__file__).resolve().parents[4]
ANSWERS = {200, 302, 422}
"""Done, done by another tab, or refused with words. Anything else is a fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """A form sent to a URL, the same or a different one from each tab; `made` counts the results."""

    page: str
    arguments: tuple[object, ...]
    forms: tuple[Mapping[str, Any], ...]
    made: Callable[[], tuple[int, ...]]
    wanted: tuple[int, ...]


def bookings() -> dict[str, Callable[[Club, User], Booking]]:
    """By name, the function that prepares a club for the booking and returns what to send."""
    from tests.clubs.finance.dues import concurrent_bookings

    return concurrent_bookings.BOOKINGS


def bodies(booking: Booking) -> list[tuple[bytes, str]]:
    """The body that each tab sends, and its content type."""
    from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

    forms = booking.forms * TABS if len(booking.forms) == 1 else booking.forms
    return [(encode_multipart(BOUNDARY, dict(form)), MULTIPART_CONTENT) for form in forms]


def address_of(club: Club, booking: Booking) -> str:
    from django.urls import reverse

    return reverse(booking.page, args=[club.slug, *booking.arguments])


def at_one_instant(send: Callable[[int], int]) -> list[int]:
    """The responses to the six tabs."""
    start, answers = threading.Barrier(TABS), [0] * TABS

    def tab(number: int) -> None:
        start.wait()
        answers[number] = send(number)

    threads = [threading.Thread(target=tab, args=(number,)) for number in range(TABS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return answers


def main() -> None:
    """Send everything several times, and print the results."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--port", type=int, default=27020)
    parser.add_argument("--only", nargs="*", default=[""], help="bookings in whose names one of these stands")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("CLUBNIGHT_VAR", tempfile.mkdtemp(prefix="clubnight-tabs-"))
    os.environ.update(CLUBNIGHT_DEBUG="0", CLUBNIGHT_HOSTS="127.0.0.1")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    address = f"127.0.0.1:{arguments.port}"
    with (Path(os.environ["CLUBNIGHT_VAR"]) / "server.log").open("wb") as log:
        command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--workers", "4", "--bind", address]
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        try:
            _wait_for(address)
            names = [name for name in bookings() if any(word in name for word in arguments.only)]
            failed = [not _sent_in_turns(name, arguments.turns, address) for name in names]
        finally:
            server.terminate()
            server.wait()
    sys.exit(any(failed))


def _wait_for(address: str) -> None:
    for _attempt in range(600):
        try:
            connection = HTTPConnection(address, timeout=5)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit("The server does not answer.")


def _sent_in_turns(name: str, turns: int, address: str) -> bool:
    from clubs.models import Club
    from operations.integrity.ledger_checks import check_ledgers

    answers: Counter[int] = Counter()
    seen: Counter[tuple[int, ...]] = Counter()
    wanted: tuple[int, ...] = ()
    for _turn in range(turns):
        club, treasurer = new_scene()
        booking = bookings()[name](club, treasurer)
        wanted = booking.wanted
        answers.update(_sent_to(address, club, treasurer, booking))
        seen[booking.made()] += 1
        found = list(check_ledgers(Club.objects.filter(pk=club.pk)))
        if found:
            print(name, found, flush=True)
            return False
    said = ", ".join(f"{count} × {status}" for status, count in sorted(answers.items()))
    made = ", ".join(f"{' + '.join(map(str, each))}: {count} turns" for each, count in seen.items())
    print(f"| {name} | {' + '.join(map(str, wanted))} | {made} | {said} |", flush=True)
    return set(seen) == {wanted} and set(answers) <= ANSWERS


def new_scene() -> tuple[Club, User]:
    """A club that keeps books in euros, and its treasurer."""
    from clubs.finance.accounting.entries import open_money_account
    from clubs.models import Club, Role
    from tests.factories import make_user

    name = uuid.uuid4().hex[:12]
    club = Club.objects.create(
        slug=name, name=name, currency="EUR", bank_account="DE89370400440532013000", creditor_id="DE98ZZZ09999999999"
    )
    treasurer = make_user(name, club, Role.TREASURER, Role.SECRETARY)
    begins = date(date.today().year - 1, 1, 1)
    for kind in ("cash", "bank"):
        open_money_account(club, kind=kind, name=kind, iban="", balance=100_000, on=begins, by=treasurer)
    return club, treasurer


def _sent_to(address: str, club: Club, treasurer: User, booking: Booking) -> list[int]:
    token = "a" * 32
    headers = {"Cookie": f"sessionid={_session_of(treasurer)}; csrftoken={token}", "X-CSRFToken": token}
    sent, where = bodies(booking), address_of(club, booking)

    def send(number: int) -> int:
        body, kind = sent[number]
        connection = HTTPConnection(address, timeout=60)
        connection.request("POST", where, body=body, headers=headers | {"Content-Type": kind})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status

    return at_one_instant(send)


def _session_of(user: User) -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def yesterday() -> date:
    return date.today() - timedelta(days=1)


if __name__ == "__main__":
    main()
