"""Measure every kind of page, and the writes, in a club after ten years: `python -m lab.long_life [DATABASE]`.

The club of `lab.ten_years` (500 members, 400 events, 84,000 games), with a series of 40 events, an evening of
60 members in its last round but for one result, and an event of 3,000 players whose round is played. DATABASE is a file
that such a club is made in unless it holds one, or the address of an empty PostgreSQL; without it a file is made and
thrown away. Prints for a secretary's pages the queries, the least CPU seconds of three, and KB; for what is written,
the wall and CPU milliseconds of the longest transaction, which holds the database, ratings counted afterwards included,
and the CPU seconds of it all.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from uuid import uuid4

from lab.figures import seconds_text, table

if TYPE_CHECKING:
    from django.test import Client

    from clubs.models import Club, User
    from tournaments.models import Tournament

ROOT = Path(__file__).resolve().parents[1]
RUNS = 3
MOST_QUERIES, MOST_SECONDS, LONGEST_TRANSACTION = 20, 0.150, 50
PLAYERS = 3_000


def main() -> None:
    """Create missing data, request every page, write, and print both tables."""
    with tempfile.TemporaryDirectory(prefix="clubnight-long-life-") as folder:
        _set_up(sys.argv[1] if len(sys.argv) > 1 else f"{folder}/club.sqlite3")
        from django.test import Client

        from clubs.models import Club

        club = Club.objects.get(slug="ten-years")
        secretary, tonight, large = _evening(club)
        officer, member = Client(), Client()
        officer.force_login(secretary, "allauth.account.auth_backends.AuthenticationBackend")
        rows = [_cost(officer, what, address) for what, address in _pages(club, tonight, large).items()]
        rows += [_cost(member, f"{what}, visitor", address) for what, address in _open_pages(club, tonight).items()]
        _print(table(("page", "queries", "CPU, s", "KB", ""), rows))
        head = ("written", "longest transaction, ms", "its CPU, ms", "CPU, s", "")
        _print(table(head, _writes(officer, club, tonight)))


def _set_up(database: str) -> None:
    is_new = database.startswith("postgres") or not Path(database).exists()
    os.environ |= {"CLUBNIGHT_DATABASE": database, "CLUBNIGHT_DEBUG": "1", "CLUBNIGHT_REDIS": ""}
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], check=True, cwd=ROOT)
    if is_new:
        subprocess.run([sys.executable, "-m", "lab.ten_years", "--make"], check=True, cwd=ROOT)
    import django
    from django.conf import settings

    django.setup()
    settings.DEBUG = False  # as in a deployment: templates are cached, queries are not recorded
    settings.ALLOWED_HOSTS = ["*"]


def _evening(club: Club) -> tuple[User, Tournament, Tournament]:
    """A secretary, the evening and the large event: found, or created."""
    from clubs.models import DuesSeason, Member, Role, User
    from tests.factories import make_event, make_user, published
    from tournaments.entries.enrolment import enter_members
    from tournaments.events.event_setup import create_tournament
    from tournaments.models import Series, Tournament
    from tournaments.results.recording import enter_result

    found = User.objects.filter(username="lab").first()
    if found is None:
        found = make_user("lab", club, Role.SECRETARY, Role.TREASURER)
        series = Series.objects.create(club=club, name="Grand Prix", attendance_points=1)
        latest = Tournament.objects.filter(club=club).order_by("-starts_on")[:40]
        Tournament.objects.filter(pk__in=[each.pk for each in latest]).update(series=series)
        DuesSeason.objects.get_or_create(
            club=club,
            name="2026",
            defaults={"starts_on": "2026-01-01", "ends_on": "2026-12-31", "due_on": "2026-01-31"},
        )
        tonight = create_tournament(
            club, by=found, name="Tonight", rounds_announced=5, system="jahr", starts_on="2026-11-17", is_public=True
        )
        enter_members(tonight, list(Member.objects.filter(club=club)[:60]), by=found)
        this_round = published(tonight, 1)
        for game in this_round.games.exclude(board=1):
            enter_result(game, "1-0", revision=game.revision, by=found)
        large = make_event(club, players=0, rounds=7, system="fide-1989", slug="large")
        from tournaments.entries.enrolment import enter_pasted_list

        text = "\n".join(f"Pionek{number % 997:03}, Nr{number:04}; {2600 - number // 2}" for number in range(PLAYERS))
        enter_pasted_list(large, text, by=found)
        published(large, 1)
    events = {each.name: each for each in Tournament.objects.filter(club=club).order_by("-pk")[:2]}
    return found, events.pop("Tonight"), next(iter(events.values()))


def _pages(club: Club, tonight: Tournament, large: Tournament) -> dict[str, str]:
    from django.urls import reverse

    from clubs.models import DuesSeason, Member
    from tournaments.models import Series

    member = Member.objects.filter(club=club).earliest("pk").pk
    of_club = {
        "club": [], "member_list": [], "club_calendar": [], "attendance_page": [], "club_ratings": [],
        "dues_overview": [], "rating_list_overview": [],
        "member_duplicates": [], "expired_data_list": [], "data_access_log": [], "club_print_centre": [],
        "club_settings": [],
        "member_detail": [member], "member_data_download": [member], "member_ratings": [member],
        "member_dues_account": [member],
        "series_page": [Series.objects.get(club=club).pk],
        "dues_season_detail": [DuesSeason.objects.filter(club=club).latest("pk").pk],
    }  # fmt: skip
    of_event: dict[str, list[int]] = {
        "tournament": [], "entries": [], "entries_add_members": [], "round_check_in": [2], "round": [1],
        "standings": [],
        "personal_links": [], "print_centre": [], "tournament_log": [], "evenings_edit": [],
    }  # fmt: skip
    pages = {name: reverse(name, args=[club.slug, *args]) for name, args in of_club.items()}
    pages |= {"home": reverse("home"), "calendar.ics": reverse("calendar_feed", args=[club.slug])}
    for word, event in (("60 players", tonight), ("3,000", large)):
        pages |= {
            f"{name}, {word}": reverse(name, args=[club.slug, event.slug, *args]) for name, args in of_event.items()
        }
    return pages


def _open_pages(club: Club, tonight: Tournament) -> dict[str, str]:
    from django.urls import reverse

    return {"club": reverse("club", args=[club.slug]), "round": reverse("round", args=[club.slug, tonight.slug, 1])}


def _cost(browser: Client, what: str, address: str) -> tuple[str, ...]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    answer = browser.get(address)
    if answer.status_code != 200:
        return what, "", "", "", f"answers {answer.status_code}"
    with CaptureQueriesContext(connection) as asked:
        answer = browser.get(address)
        queries = len(asked)
    taken = []
    for _run in range(RUNS):
        gc.collect()
        began = process_time()
        answer = browser.get(address)
        taken.append(process_time() - began)
    size = len(answer.getvalue())
    is_over = queries > MOST_QUERIES or min(taken) > MOST_SECONDS
    return what, str(queries), seconds_text(min(taken)), str(size // 1024), "over" if is_over else ""


@contextmanager
def _transactions(found: list[tuple[float, float]]) -> Iterator[None]:
    """Milliseconds of wall and CPU time from the start of each outermost transaction to its commit, in every thread."""
    from django.db import connection
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.transaction import Atomic

    enter, commit = Atomic.__enter__, BaseDatabaseWrapper._commit  # type: ignore[attr-defined]
    own = threading.local()

    def entering(self: Any) -> None:
        if not connection.in_atomic_block:
            own.begun = time.perf_counter(), time.thread_time()
        enter(self)

    def committing(self: Any) -> None:
        commit(self)
        # Callbacks run after this point and hold no lock.
        wall, cpu = own.begun
        found.append(((time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000))

    with (
        patch.object(Atomic, "__enter__", entering),
        patch.object(BaseDatabaseWrapper, "_commit", committing),
    ):
        yield


def _writes(officer: Client, club: Club, tonight: Tournament) -> list[tuple[str, ...]]:
    from django.urls import reverse

    from clubs.models import Member
    from tests.factories import seen
    from tournaments.club_ratings.recalculation import is_recalculating_ratings

    this_round = tonight.rounds.get(number=1)
    place = [club.slug, tonight.slug, 1]
    member = Member.objects.filter(club=club).earliest("pk").pk
    rows: list[tuple[str, ...]] = []

    def write(what: str, address: str, sent: dict[str, Any]) -> None:
        held: list[tuple[float, float]] = []
        gc.collect()
        began = process_time()
        with _transactions(held):
            answer = officer.post(address, sent)
            while is_recalculating_ratings(club):  # by a thread of this process
                time.sleep(0.02)
        taken = process_time() - began
        longest, its_cpu = max(held, default=(0, 0))
        is_over = longest > LONGEST_TRANSACTION
        note = f"answers {answer.status_code}" if answer.status_code >= 400 else "over" if is_over else ""
        rows.append((what, f"{longest:.0f}", f"{its_cpu:.0f}", seconds_text(taken), note))

    if this_round.state == "published":
        result = {"result-1": "1/2", "seen-1": seen(this_round, 1)}
        write("a result", reverse("board_result", args=[*place, 1]), result)
    write("the round closed, the month rated", reverse("round_finish", args=place), {})
    write("the round opened again", reverse("round_reopen", args=place), {})
    due = {"form_key": str(uuid4()), "amount": "10.00", "text": "lab", "due_on": "2026-12-31"}
    write("dues charged", reverse("charge_add", args=[club.slug, member]), due)
    return rows


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
