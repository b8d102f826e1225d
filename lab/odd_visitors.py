"""Visitors who request expensive pages: `python -m lab.odd_visitors PAGES EVENT HOW_MANY`, until its input is closed.

Each asks every few seconds for a printout in some language and size, and waits until it is ready, or for a page with
unknown parameters. Each has an address of its own, as far as the server believes the header. Prints a line "STATUS
SECONDS KIND" for every answer.
"""

from __future__ import annotations

import http.client
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

ROOT = Path(__file__).resolve().parents[1]
PAUSE = 5.0
"""Seconds between two requests of a visitor, on average."""
PAPERS = ("print/1/pairings.pdf", "print/1/seating.pdf", "print/players.pdf", "print/wall-chart.pdf")
PAGES = ("", "rounds/1/", "standings/", "hall/")
LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "cs", "uk", "bg")


class OddVisitor(threading.Thread):
    """One visitor; `told` contains the status, seconds and kind of every answer."""

    def __init__(self, pages: str, event: str, number: int, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.host, self.event, self.over = urlsplit(pages).netloc, event, over
        self.address = f"203.0.113.{number % 250 + 1}"
        self.told: list[tuple[int, float, str]] = []
        self._chance = random.Random(number)

    def run(self) -> None:
        while not self.over.wait(self._chance.expovariate(1 / PAUSE)):
            if self._chance.random() < 0.5:
                wishes = {"language": self._chance.choice(LANGUAGES), "second": self._chance.choice(LANGUAGES)}
                self._ask_until_there(
                    self._chance.choice(PAPERS), wishes | {"paper": self._chance.choice(["a4", "a5"])}
                )
            else:
                odd = {"".join(self._chance.choices("abcdefgh", k=6)): str(self._chance.random())}
                self._ask(self._chance.choice(PAGES), odd, "page")

    def _ask_until_there(self, paper: str, wishes: dict[str, str]) -> None:
        while self._ask(paper, wishes, "paper") == http.client.ACCEPTED and not self.over.wait(2):
            pass

    def _ask(self, page: str, query: dict[str, str], kind: str) -> int:
        began, status = time.monotonic(), 0
        try:
            with closing(http.client.HTTPConnection(self.host, timeout=60)) as connection:
                headers = {"X-Forwarded-For": self.address}
                connection.request("GET", f"{self.event}{page}?{urlencode(query)}", headers=headers)
                answer = connection.getresponse()
                answer.read()
                status = answer.status
        except (OSError, http.client.HTTPException):
            pass
        self.told.append((status, time.monotonic() - began, kind))
        return status


@contextmanager
def odd_visitors(how_many: int, pages: str, event: str) -> Iterator[Counter[tuple[str, str]]]:
    """Run this number of visitors in another process. The counter then has their answers by status and kind."""
    found: Counter[tuple[str, str]] = Counter()
    if not how_many:
        yield found
        return
    command = [sys.executable, "-m", "lab.odd_visitors", pages, event, str(how_many)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        yield found
        said, _nothing = process.communicate(timeout=180)
    for line in said.splitlines():
        status, _seconds, kind = line.split()
        found[status, kind] += 1


def answers_by_kind(found: Counter[tuple[str, str]]) -> list[str]:
    """Return the number of printouts and pages sent, and the other answers."""
    others = ", ".join(f"{status} {kind}: {n}" for (status, kind), n in sorted(found.items()) if status != "200")
    return [str(found["200", "paper"]), str(found["200", "page"]), others]


def main() -> None:
    """Ask until the input is closed."""
    pages, event, how_many = sys.argv[1:]
    over = threading.Event()
    visitors = [OddVisitor(pages, event, number, over) for number in range(int(how_many))]
    for visitor in visitors:
        visitor.start()
    sys.stdin.read()
    over.set()
    for visitor in visitors:
        visitor.join(90)
    for status, seconds, kind in (each for visitor in visitors for each in visitor.told):
        sys.stdout.write(f"{status} {seconds:.3f} {kind}\n")


if __name__ == "__main__":
    main()
