"""Compare the cost of an API response with that of the same page: `python -m lab.api`.

An event of 60 players after six rounds, SQLite, one process, Django's test client through all of the middleware. CPU
milliseconds, user and system: medians of 40 requests. "Made": something is done in the event before each, so that
nothing kept can be sent. "Again": the same is asked once more, a program's with the ETag it has.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from lab.figures import table
from lab.pages import _set_up

if TYPE_CHECKING:
    from django.test import Client

PLAYERS, ROUNDS, REQUESTS = 60, 6, 40


def main() -> None:
    """Create the event, request its pages, and print the table."""
    with tempfile.TemporaryDirectory(prefix="clubnight-lab-") as folder:
        _set_up(Path(folder) / "lab.sqlite3")
        from django.test import Client

        from tests.factories import make_club, make_event, played
        from tournaments.audit_log.actions import EventAction
        from tournaments.audit_log.recorder import record_action

        club = make_club()
        event = make_event(club, players=PLAYERS, rounds=9)
        for number in range(1, ROUNDS + 1):
            played(event, number)

        def happens() -> None:
            record_action(event, EventAction.PLAYERS_ENTERED, by=None, count=0, names=[], from_round=1)

        page, api = f"/{club.slug}/{event.slug}/", f"/api/v1/clubs/{club.slug}/{event.slug}/"
        rows = [
            ("a round, 30 boards", f"{page}rounds/{ROUNDS}/", f"{api}rounds/{ROUNDS}/"),
            ("the same with reasons", f"{page}rounds/{ROUNDS}/", f"{api}rounds/{ROUNDS}/?reasons=true"),
            ("the table", f"{page}standings/", f"{api}standings/"),
            ("a player's rounds", f"{page}players/1/", f"{api}players/1/"),
        ]
        browser = Client()
        figures = [
            [what, *_costs(browser, shown, happens), *_costs(browser, told, happens)] for what, shown, told in rows
        ]
    head = ["", "page made, ms", "again", "API made, ms", "again"]
    sys.stdout.write(table(head, figures) + "\n")


def _costs(browser: Client, address: str, happens: Callable[[], object]) -> list[str]:
    """CPU milliseconds of a new response, and of the same one requested again."""
    made, again = [], []
    for _request in range(REQUESTS):
        happens()
        began = process_time()
        answer = browser.get(address)
        made.append(process_time() - began)
        if answer.status_code != 200:
            raise RuntimeError(f"{address}: {answer.status_code}")
        headers = {"If-None-Match": answer["ETag"]} if "/api/" in address else {}
        began = process_time()
        browser.get(address, headers=headers)
        again.append(process_time() - began)
    return [f"{1000 * median(each):.1f}" for each in (made, again)]


if __name__ == "__main__":
    main()
