"""The tasks of the benchmark's workers. Each function prepares a task, which may return a note on its result."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from lab import events

Task = Callable[[], str]

SIX_TIE_BREAKS = ("BH/C1", "BH", "SB", "PS", "DE", "ARO")


def make(kind: str, *arguments: str) -> Task:
    """Make a file if it is missing, and return its path."""
    if kind == "worst":
        return lambda: str(events.worst_case(arguments[0]))
    if kind == "finished":
        return lambda: str(events.finished(int(arguments[0])))
    return lambda: str(events.ordinary(int(arguments[0]), int(arguments[1])))


def reference() -> Task:
    """A fixed piece of plain Python: dictionaries, sorting, and bitmasks of 4,000 bits, as used in pairing."""

    def work() -> str:
        number, mask, counted = 1, 0, dict[int, int]()
        for _ in range(150_000):
            number = number * 1_103_515_245 + 12_345 & 0x7FFF_FFFF
            counted[number % 997] = counted.get(number % 997, 0) + 1
            mask ^= 1 << number % 4000
        ordered = sorted((value, key) for key, value in counted.items())
        return str((ordered[0], mask.bit_count()))

    return work


def pair(system: str, path: str) -> Task:
    """Pair the next round of a file, with its reasons; reading the file is not counted."""
    from pairing.engine.paired_round import PairingImpossible
    from pairing.engine.systems import SWISS_SYSTEMS
    from pairing.engine.trf import snapshot_from_trf

    snapshot = snapshot_from_trf(_trf(path), system=system)

    def work() -> str:
        try:
            SWISS_SYSTEMS[system](snapshot)
        except PairingImpossible:
            return "no legal round"
        return ""

    return work


def read(path: str) -> Task:
    """From the bytes of a report file to a snapshot."""
    from pairing.engine.trf import read_trf, snapshot_from_trf

    data = Path(path).read_bytes()

    def work() -> str:
        snapshot_from_trf(read_trf(data, name=path), system="fide-1989")
        return ""

    return work


def write(path: str) -> Task:
    """From a snapshot to the bytes of a report file."""
    from pairing.engine.trf import TrfHeader, snapshot_from_trf, trf_from_snapshot, write_trf

    snapshot = snapshot_from_trf(_trf(path), system="fide-1989")
    ranks = {card.tpn: card.tpn for card in snapshot.cards}

    def work() -> str:
        write_trf(trf_from_snapshot(snapshot, header=TrfHeader(tournament="Bench"), ranks=ranks))
        return ""

    return work


def standings(path: str) -> Task:
    """The table after the last round, with six tie-breaks."""
    from pairing.engine.standings import rank_players
    from pairing.engine.trf import snapshot_from_trf

    snapshot = snapshot_from_trf(_trf(path), system="fide-1989")

    def work() -> str:
        rank_players(snapshot, SIX_TIE_BREAKS)
        return ""

    return work


def import_file(path: str) -> Task:
    """Import a report file into a club as a new event, with the function that the page calls."""
    club = _new_club()
    data = Path(path).read_bytes()

    def work() -> str:
        from tournaments.import_export.file_import import apply_import

        apply_import(club, data, "lab.trf", by=None, system="fide-1989")
        return ""

    return work


def page(path: str) -> Task:
    """The page of the next round, paired and published, as requested by a visitor; no results yet."""
    club = _new_club()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client
    from django.urls import reverse

    from pairing.rounds.lifecycle.transitions import pair_round, publish_round
    from tournaments.import_export.file_import import apply_import

    call_command("collectstatic", interactive=False, verbosity=0)
    settings.ALLOWED_HOSTS = ["testserver"]
    event = apply_import(club, Path(path).read_bytes(), "lab.trf", by=None, system="fide-1989")
    waiting = event.rounds.filter(state="waiting").earliest("number")
    draft = pair_round(waiting.pk, by=None).round
    publish_round(draft, by=None, version=draft.version)
    address = reverse("round", args=[club.slug, event.slug, waiting.number])
    visitor = Client()

    def work() -> str:
        answer = visitor.get(address)
        if answer.status_code != 200:
            raise RuntimeError(f"{address}: {answer.status_code}")
        return f"{len(answer.content) / 10**6:.1f} MB of HTML"

    return work


def _trf(path: str) -> Any:
    from pairing.engine.trf import read_trf

    return read_trf(Path(path).read_bytes(), name=path)


def _new_club() -> Any:
    """A club in its own database (SQLite), set up as in a deployment, and deleted when the process ends."""
    folder = mkdtemp(prefix="clubnight-lab-")
    atexit.register(shutil.rmtree, folder)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="config.settings",
        CLUBNIGHT_DATABASE=os.path.join(folder, "lab.sqlite3"),
        CLUBNIGHT_VAR=folder,
        CLUBNIGHT_DEBUG="0",
    )
    # In a separate process, so that its imports do not count as memory here.
    made = [sys.executable, "-c", "from tests.servers import sqlite_with_tables; print(sqlite_with_tables())"]
    tables = subprocess.run(made, cwd=events.ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    shutil.copy(tables, os.environ["CLUBNIGHT_DATABASE"])
    import django

    django.setup()
    from clubs.models import Club

    return Club.objects.create(slug="lab", name="Bench")


TASKS: Mapping[str, Callable[..., Task]] = {
    "make": make,
    "reference": reference,
    "pair": pair,
    "read": read,
    "write": write,
    "standings": standings,
    "import": import_file,
    "page": page,
}
