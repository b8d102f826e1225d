"""Measure the backup of a club after ten years: `python -m lab.ten_years [--postgresql postgres://...]`.

500 members, 400 events of 60 players and 7 rounds: 84,000 games with their reasons and their lines in the log, ledger
and ratings. One event is played through as the program plays it, the others are copies of its rows under keys of their
own. Prints Markdown: each command in a process of its own, wall and CPU seconds, the most memory it had, and sizes.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MEMBERS, EVENTS, PLAYERS, ROUNDS = 500, 400, 60, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The cost of a command; `megabytes` is its peak memory."""

    what: str
    wall: float
    cpu: float
    megabytes: int


def main() -> None:
    """Create the club, back it up, restore it, and print the costs."""
    parser = argparse.ArgumentParser(prog="python -m lab.ten_years", description=__doc__)
    parser.add_argument("--postgresql", help="an empty database to put the backup into, and to back up from there")
    parser.add_argument("--make", action="store_true", help="only fill the database that the environment names")
    parser.add_argument("--move", choices=("out", "in"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        make_club()
        return
    if options.move:
        move_event(Path(os.environ["CLUBNIGHT_VAR"], "event.json"), options.move)
        return
    with tempfile.TemporaryDirectory(prefix="clubnight-ten-years-") as name:
        folder = Path(name)
        database = folder / "club.sqlite3"
        _use(str(database), folder)
        _run("migrate", "migrate", "--verbosity", "0")
        _run("collectstatic", "collectstatic", "--no-input", "--verbosity", "0")
        # In a separate process: peak memory starts with that of the parent process.
        subprocess.run([sys.executable, "-m", "lab.ten_years", "--make"], cwd=ROOT, check=True)
        print(f"Database: {database.stat().st_size / 1e6:.1f} MB as SQLite file.\n")
        backup, empty = folder / "club.zip", folder / "empty.sqlite3"
        runs = [_run("backup of SQLite", "backup", str(backup))]
        runs.append(_run("restore --check", "restore", "--check", str(backup)))
        _use(str(empty), folder)
        runs.append(_run("restore into SQLite", "restore", str(backup)))
        runs += _looked_at("SQLite")
        if options.postgresql:
            _use(options.postgresql, folder)
            _run("migrate", "migrate", "--verbosity", "0")
            runs.append(_run("restore into PostgreSQL", "restore", str(backup)))
            runs += _looked_at("PostgreSQL")
            runs.append(_run("backup of PostgreSQL", "backup", str(folder / "again.zip")))
        print("| command | wall s | CPU s | memory MB |\n| --- | ---: | ---: | ---: |")
        for run in runs:
            print(f"| {run.what} | {run.wall:.1f} | {run.cpu:.1f} | {run.megabytes} |")
        event = folder / "var" / "event.json"
        print(
            f"\nThe backup has {backup.stat().st_size / 1e6:.1f} MB, the event's file {event.stat().st_size / 1e6:.2f}."
        )


def _looked_at(vendor: str) -> Iterator[Run]:
    """The restored data: checked by the doctor, where any finding is an error, and an event exported and imported."""
    yield _run(f"doctor --quick on {vendor}", "doctor", "--quick")
    yield _run(f"an event into a file, {vendor}", "out", program=("-m", "lab.ten_years", "--move"))
    yield _run(f"the file into an event, {vendor}", "in", program=("-m", "lab.ten_years", "--move"))


def move_event(file: Path, way: str) -> None:
    """Export the club's latest event to a file, or import that file again and check that it gives the same file."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from clubs.models import Club, User
    from operations.event_transfer.event_export import render_event_file
    from operations.event_transfer.event_import import find_existing_events, import_event
    from operations.event_transfer.file_reader import read_event_file
    from tournaments.models import Tournament

    club = Club.objects.get(slug="ten-years")
    if way == "out":
        file.write_bytes(render_event_file(Tournament.objects.filter(club=club).latest("starts_on")))
        return
    by = User.objects.create_user("takes-over")
    read = read_event_file(file.read_bytes())
    (same,) = find_existing_events(club, read)
    brought = import_event(club, read, filename=file.name, by=by, instead_of=same.event.pk, seen=same.seen)
    again = read_event_file(render_event_file(brought.event))
    if (again.event, again.rounds, again.players) != (read.event, read.rounds, read.players):
        raise SystemExit("another event came out than went in")


def make_club() -> None:
    """Fill the database of the settings, which has tables and no rows."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from django.core.management.color import no_style
    from django.db import connection, connections, transaction

    from clubs.finance.dues.ledger import charge_member, record_payment
    from clubs.models import Club, Member
    from tournaments.club_ratings.recalculation import is_recalculating_ratings, schedule_rating_from_month
    from tournaments.models import Bye, Entry, Game, LogEntry, Round, Tournament
    from tournaments.models.integrity_triggers import create_integrity_triggers, drop_integrity_triggers

    chance = random.Random(16)
    with transaction.atomic():
        club = Club.objects.create(slug="ten-years", name="Ten Years")
        members = [
            Member.objects.create(
                club=club, family_name=f"Pionek{number:03}", given_name="Nr", rating=chance.randint(1000, 2300)
            )
            for number in range(MEMBERS)
        ]
        for member in members:
            for year in range(2017, 2027):
                charge_member(member, 9000, text=f"dues {year}", due_on=date(year, 1, 31), by=None)
                record_payment(member, 9000, method="cash", paid_on=date(year, 2, 1), by=None)
        _play(club, members[:PLAYERS], chance)
    # PostgreSQL cannot drop a trigger in a transaction that has written rows.
    with transaction.atomic():
        drop_integrity_triggers()
        for copy in range(1, EVENTS):
            _copy_event(copy)
        create_integrity_triggers()
        # On PostgreSQL, rows with explicit keys do not advance the sequences.
        for reset in connection.ops.sequence_reset_sql(no_style(), [Tournament, Round, Entry, Game, Bye, LogEntry]):
            with connection.cursor() as cursor:
                cursor.execute(reset)
        schedule_rating_from_month(club, None)
    while is_recalculating_ratings(club):  # by a thread of this process
        time.sleep(0.2)
    connections.close_all()


def _play(club: Any, members: list[Any], chance: random.Random) -> None:
    from pairing.rounds.lifecycle.transitions import pair_round, publish_round
    from tournaments.entries.enrolment import enter_members
    from tournaments.events.event_setup import create_tournament
    from tournaments.models import Game, Round
    from tournaments.results.recording import enter_result, finish_round

    event = create_tournament(
        club,
        by=None,
        name="Evening",
        rounds_announced=ROUNDS,
        system="dutch-1992",
        starts_on=date(2017, 1, 3),
        ends_on=date(2017, 2, 14),
    )
    enter_members(event, members, by=None)
    for this_round in event.rounds.order_by("number"):
        pair_round(this_round.pk, by=None)
        draft = Round.objects.get(pk=this_round.pk)
        publish_round(draft, by=None, version=draft.version)
        for game in draft.games.all():
            result = chance.choice([Game.Result.WHITE_WINS, Game.Result.DRAW, Game.Result.BLACK_WINS])
            enter_result(game, result, revision=game.revision, by=None)
        finish_round(draft, by=None)


def _copy_event(copy: int) -> None:
    """The first event's rows again, with shifted keys, for other members and other days."""
    from django.db import connection

    from tournaments.models import Bye, Entry, Game, LogEntry, Round, Tournament

    shifts = {
        "tournament_id": copy,
        "round_id": copy * _first_keys()[Round],
        "white_id": copy * _first_keys()[Entry],
        "black_id": copy * _first_keys()[Entry],
        "entry_id": copy * _first_keys()[Entry],
    }
    with connection.cursor() as cursor:
        for model in (Tournament, Round, Entry, Game, Bye, LogEntry):
            made = {"id": f"id + {copy * _first_keys()[model]}"}
            made |= {name: f"{name} + {shift}" for name, shift in shifts.items()}
            made |= {"slug": f"slug || '-{copy}'", "member_id": f"(member_id + {copy * 7}) %% {MEMBERS} + 1"}
            if model is LogEntry:
                # Two events whose logs begin at the same moment would count as one (docs/developer/event-file.md).
                is_sqlite = connection.vendor == "sqlite"
                earlier = (
                    "strftime('%%Y-%%m-%%d %%H:%%M:%%f000', at, '-{} days')" if is_sqlite else "at - interval '{} days'"
                )
                made["at"] = earlier.format(copy)
            if model is Tournament:
                day = date(2017, 1, 3).toordinal() + copy * 3650 // EVENTS
                made |= {"starts_on": f"'{date.fromordinal(day)}'", "ends_on": f"'{date.fromordinal(day + 6)}'"}
            columns = [str(field.column) for field in model._meta.concrete_fields]
            chosen = ", ".join(made.get(column, column) for column in columns)
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) SELECT {chosen} "  # noqa: S608
                f"FROM {model._meta.db_table} WHERE id <= %s",
                [_first_keys()[model]],
            )


_highest: dict[Any, int] = {}


def _first_keys() -> dict[Any, int]:
    """The highest key of each table when there was one event."""
    if not _highest:
        from django.db.models import Max

        from tournaments.models import Bye, Entry, Game, LogEntry, Round, Tournament

        for model in (Tournament, Round, Entry, Game, Bye, LogEntry):
            _highest[model] = model._base_manager.aggregate(highest=Max("pk"))["highest"] or 0
    return _highest


def _use(database: str, folder: Path) -> None:
    (folder / "var").mkdir(exist_ok=True)
    os.environ |= {"CLUBNIGHT_DATABASE": database, "CLUBNIGHT_VAR": str(folder / "var"), "CLUBNIGHT_REDIS": ""}


def _run(what: str, *command: str, program: tuple[str, ...] = ("manage.py",)) -> Run:
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, *program, *command], cwd=ROOT, stdout=subprocess.DEVNULL)
    # `wait4` counts this process and its children only.
    _pid, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{what} failed")
    wall, cpu = time.perf_counter() - begun, used.ru_utime + used.ru_stime
    return Run(what=what, wall=wall, cpu=cpu, megabytes=used.ru_maxrss // 1024)


if __name__ == "__main__":
    main()
