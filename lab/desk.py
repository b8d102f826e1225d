"""Measure the round page: `python -m lab.desk [CHECKOUT ...]`, by default of this checkout.

An event of 60 players, one process a run, the checkouts by turns. A request's figure is the processor's time of the
process, user and system, for one answer of the view through Django's test client: medians over all requests, with the
lower and upper quarter. Bytes are those of the page, and of the page compressed by gzip. Before each request something
is done in the event, so that nothing kept can be sent.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from django.test import Client

HERE = Path(__file__).resolve()
PLAYERS = 60
TURNS = 6
REQUESTS = 40
DEPTHS = 40
"""Python keeps its frames in pieces of memory: calls to and fro over the end of one cost up to twice as much. Where it
lies is chance, so that every request is made a call deeper than the one before."""


class Told(TypedDict):
    """The figures of a process about one page."""

    seconds: list[float]
    bytes: int
    compressed: int


def main() -> None:
    from lab.figures import table

    checkouts = [Path(each).resolve() for each in sys.argv[1:]] or [HERE.parents[1]]
    seconds: dict[tuple[str, Path], list[float]] = defaultdict(list)
    sizes: dict[tuple[str, Path], tuple[int, int]] = {}
    for _turn in range(TURNS):
        for checkout in checkouts:
            for page, told in _run(checkout).items():
                seconds[page, checkout] += told["seconds"]
                sizes[page, checkout] = (told["bytes"], told["compressed"])
    rows = []
    for (page, checkout), taken in sorted(seconds.items(), key=lambda each: each[0][0]):
        low, _middle, high = quantiles(taken, n=4)
        spread = f"{1000 * median(taken):.1f} ({1000 * low:.1f} to {1000 * high:.1f})"
        rows.append((page, checkout.name, spread, str(len(taken)), *map(str, sizes[page, checkout])))
    sys.stdout.write(table(("page", "checkout", "CPU, ms", "requests", "bytes", "compressed"), rows) + "\n")


def _run(checkout: Path) -> dict[str, Told]:
    child = subprocess.run(
        [sys.executable, str(HERE), "--measure"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, Told] = json.loads(child.stdout.splitlines()[-1])
    return told


def measure() -> None:
    """Measure the checkout in the working directory, and print one line of JSON."""
    sys.path[0] = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="clubnight-lab-") as folder:
        from lab.pages import _set_up

        _set_up(Path(folder) / "lab.sqlite3")
        from django.test import Client

        from clubs.models import Role
        from tests.factories import draft_of, make_club, make_event, make_user, played, published
        from tournaments.audit_log.actions import EventAction
        from tournaments.audit_log.recorder import record_action
        from tournaments.results.recording import enter_result

        club = make_club()
        officer = Client()
        officer.force_login(make_user("secretary", club, Role.SECRETARY))
        events = {}
        for name in ("published", "draft"):
            event = events[name] = make_event(club, players=PLAYERS, rounds=7)
            for number in (1, 2):
                played(event, number)
        this_round = published(events["published"], 3)
        for game in this_round.games.filter(board__lte=15):
            enter_result(game, "1-0", revision=game.revision, by=None)
        draft_of(events["draft"], 3)
        told = {}
        for page, browser, event in (
            ("results come in, officer", officer, events["published"]),
            ("draft, officer", officer, events["draft"]),
            ("results come in, visitor, made", Client(), events["published"]),
        ):
            address = f"/{club.slug}/{event.slug}/rounds/3/"
            taken = []
            for request in range(REQUESTS + 5):
                record_action(event, EventAction.PLAYERS_ENTERED, by=None, count=0, names=[], from_round=1)
                started = process_time()
                html = _below(request % DEPTHS, browser, address)
                spent = process_time() - started
                if request >= 5:
                    taken.append(spent)
            told[page] = {
                "seconds": taken,
                "bytes": len(html),
                "compressed": len(gzip.compress(html, 6)),
            }
    sys.stdout.write(json.dumps(told) + "\n")


def _below(depth: int, browser: Client, address: str) -> bytes:
    """Return the page, requested `depth` calls deeper in the stack."""
    if depth:
        return _below(depth - 1, browser, address)
    answer = browser.get(address)
    if answer.status_code != 200:
        raise SystemExit(f"{address} answers {answer.status_code}")
    return answer.content


if __name__ == "__main__":
    measure() if "--measure" in sys.argv else main()
