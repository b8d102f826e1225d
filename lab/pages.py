"""Measure the pages of a large event: `python -m lab.pages [PLAYERS]` (default 3,000), seven finished rounds.

CPU seconds in this process, SQLite, three requests each: *first* right after something was done in the event, *again*
when nothing has been. An officer's pages are always made; a visitor who has the page already is sent nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from lab.figures import seconds_text, table
from pairing.engine.simulator import SimulationPlan, simulate_event
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import TrfHeader, trf_from_snapshot, write_trf

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import Tournament

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7
RUNS = 3
PAGES: Mapping[str, str] = {
    "standings": "standings/",
    "standings, last page": "standings/?page=999",
    "standings, women": "standings/?category=women",
    "standings, a player found": "standings/?name=Player 1500",
    "crosstable": f"standings/{ROUNDS}/crosstable/",
    "a player's working": f"standings/{ROUNDS}/1/",
    "clubs": f"standings/{ROUNDS}/clubs/",
    "prizes": "prizes/",
    "round": f"rounds/{ROUNDS}/",
    "hall": "hall/",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    first: tuple[float, ...]
    again: tuple[float, ...]
    kilobytes: int


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
    with tempfile.TemporaryDirectory(prefix="clubnight-lab-") as folder:
        _set_up(Path(folder) / "lab.sqlite3")
        event, officer = _event(players), _officer()
        from django.test import Client

        rows = []
        for who, browser in (("visitor", Client()), ("officer", officer)):
            for name, address in PAGES.items():
                cost = _cost(browser, event, address)
                rows.append((who, name, _text(cost.first), _text(cost.again), str(cost.kilobytes)))
        sys.stdout.write(table(("who", "page", "first", "again", "KB"), rows) + "\n")


def _set_up(database: Path) -> None:
    os.environ |= {
        "CLUBNIGHT_DATABASE": str(database),
        "CLUBNIGHT_DEBUG": "1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], check=True, cwd=ROOT)
    import django
    from django.conf import settings

    django.setup()
    settings.DEBUG = False  # as in a deployment: templates are cached, queries are not recorded
    settings.ALLOWED_HOSTS = ["*"]


def _event(players: int) -> Tournament:
    """A simulated event, imported as a report file, with tie-breaks, clubs, ages and prizes."""
    from pairing.pages.standings.prize_giving import PrizesOfList, publish_prizes, set_prizes
    from tests.factories import make_club
    from tournaments.events.event_setup import change_tournament
    from tournaments.import_export.file_import import apply_import
    from tournaments.models import Entry

    plan = SimulationPlan(
        players=players,
        rounds=ROUNDS,
        system="fide-1989",
        seed=players,
        forfeits=Fraction(1, 100),
        byes=Fraction(1, 100),
        withdrawals=Fraction(1, 200),
    )
    played = simulate_event(plan, PAIRING_SYSTEMS[plan.system])
    ranks = {card.tpn: card.tpn for card in played.cards}
    report = write_trf(trf_from_snapshot(played, header=TrfHeader(tournament="Bench"), ranks=ranks))
    event = apply_import(make_club(), report, "lab.trf", by=None, system=plan.system)
    entries = list(event.entries.all())
    for number, entry in enumerate(entries):
        entry.club_name, entry.birth = f"Club {number % 150}", str(1940 + number % 75)
        entry.sex = "w" if number % 9 == 0 else ""
    Entry.objects.bulk_update(entries, ["club_name", "birth", "sex"], batch_size=400)
    event = change_tournament(event, by=None, is_public=True, tie_breaks=["BH/C1", "BH", "SB"])
    lists = [PrizesOfList(category=key, prizes=(30_000, 20_000, 10_000)) for key in ("", "women")]
    set_prizes(event, lists, sharing="hort", one_prize_each=True, by=None)
    publish_prizes(event, publish=True, by=None)
    return event


def _officer() -> Client:
    from django.test import Client

    from clubs.models import Club, Role
    from tests.factories import make_user

    browser = Client()
    browser.force_login(
        make_user("secretary", Club.objects.get(), Role.SECRETARY),
        "allauth.account.auth_backends.AuthenticationBackend",
    )
    return browser


def _cost(browser: Client, event: Tournament, address: str) -> Cost:
    from tournaments.audit_log.actions import EventAction
    from tournaments.audit_log.recorder import record_action

    full = f"/{event.club.slug}/{event.slug}/{address}"
    _seconds(browser, full)
    first, again = [], []
    for _run in range(RUNS):
        record_action(event, EventAction.PLAYERS_ENTERED, by=None, count=0, names=[], from_round=1)
        first.append(_seconds(browser, full))
        again.append(_seconds(browser, full))
    return Cost(first=tuple(first), again=tuple(again), kilobytes=len(browser.get(full).content) // 1024)


def _seconds(browser: Client, address: str) -> float:
    started = process_time()
    answer = browser.get(address)
    taken = process_time() - started
    if answer.status_code != 200:
        raise SystemExit(f"{address} answers {answer.status_code}")
    return taken


def _text(seconds: tuple[float, ...]) -> str:
    return " / ".join(seconds_text(each) for each in seconds)


if __name__ == "__main__":
    main()
