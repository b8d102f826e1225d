"""A federation's server on a Tuesday, 18:30: `python -m lab.federation [--pace 1 4] [--seconds 60] [--phones 5000]`.

500 clubs of 60, 50 evenings at once: players check in by phone and at the door, rounds are paired and published,
results entered, 5,000 phones listen and open pages (`federation_evening`). PostgreSQL, Redis, pages, streams, three
workers and beat are started as deploy/systemd starts them, on this machine, together with everything that asks them;
there is no web server in front. With `--cards` one more club asks for a thousand cards at the beginning. Prints one
table a pace, and who used the processor.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import redis

from lab import federation_evening as evening
from lab.federation_machine import busy, processor, watched_connections
from lab.figures import seconds_text, table
from lab.live_phones import reached_in
from lab.machine import machine
from tests.servers import free_port, made_from, postgresql, running

ROOT = Path(__file__).resolve().parents[1]
UNITS = ROOT / "deploy" / "systemd"
LINES = ("rounds", "papers", "chores")
ORDER = (
    "entry",
    "pairing, at the desk alone",
    "publishing",
    "check-in at the door",
    "check-in by phone",
    "page on a phone",
    "1,000 cards",
)

NIGHT_IS_OVER = """
import django; django.setup()
from django.utils import timezone
from common.schedule.registry import scheduled_tasks
from common.models import ScheduledTaskRun
for chore in scheduled_tasks():
    due = {"due_at": chore.due_before(timezone.localtime())}
    ScheduledTaskRun.objects.update_or_create(name=chore.name, defaults=due)
"""
"""What is due every night is done: at half past six nobody makes the backup of a server that has just been started."""


@dataclass(slots=True)
class Server:
    """The running processes, and their addresses."""

    pages: str
    streams: str
    database: str
    pids: dict[str, int] = field(default_factory=dict)
    """The first process of each service."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.federation", description=__doc__.partition("\n")[0])
    parser.add_argument("--pace", type=float, nargs="+", default=[1.0, 4.0], help="times as fast as an evening")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each pace is played")
    parser.add_argument("--clubs", type=int, default=500)
    parser.add_argument("--evenings", type=int, default=evening.EVENINGS)
    parser.add_argument("--phones", type=int, default=5_000)
    parser.add_argument("--processes", type=int, default=3, help="gunicorn's, as WEB_CONCURRENCY")
    parser.add_argument("--threads", type=int, default=1, help="of each process")
    parser.add_argument("--cards", action="store_true", help="a thousand cards are asked for, too")
    parser.add_argument("--one-worker", action="store_true", help="one worker serves all lines of jobs")
    parser.add_argument("--pgbouncer", type=Path, metavar="PROGRAM", help="stands before PostgreSQL, ten connections")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="for the server's processes")
    options = parser.parse_args()
    _say(machine(1))
    with ExitStack() as ending:
        folder = ending.enter_context(tempfile.TemporaryDirectory(prefix="clubnight-federation-"))
        cluster, told = _data(options.club_list, options.evenings)
        database = ending.enter_context(postgresql("max_connections=200", cluster=cluster))
        queue = ending.enter_context(_queue(folder))
        asked = ending.enter_context(_pooler(options.pgbouncer, database)) if options.pgbouncer else database
        environment = _environment(folder, asked, queue) | {
            "CLUBNIGHT_DATABASE_POOLER": "1" if options.pgbouncer else "0",
            "WEB_CONCURRENCY": str(options.processes),
            **dict(each.partition("=")[::2] for each in options.set),
        }
        _python("manage.py", "collectstatic", "-v0", "--no-input", environment=environment)
        _python("-c", NIGHT_IS_OVER, environment=environment)
        server = ending.enter_context(_served(environment, database, options.threads, one_worker=options.one_worker))
        with _phones(options.phones, server, told) as lines:
            for pace in options.pace:
                _one_pace(server, told, pace, options.seconds, lines, cards=options.cards)


def _data(clubs: int, evenings: int) -> tuple[Path, dict[str, Any]]:
    """PostgreSQL's folder with the federation's data, as an archive, and its key data; made once per version."""
    kept = ROOT / "var" / "lab"
    script = sha256(Path(ROOT, "lab", "federation_data.py").read_bytes()).hexdigest()[:8]
    archive = kept / f"federation-{clubs}-{evenings}-{script}-{made_from()}.tar"
    told = archive.with_suffix(".json")
    if not told.exists():
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="clubnight-federation-") as folder:
            with postgresql("fsync=off", folder=folder) as database:
                environment = _environment(folder, database, "")
                _python("manage.py", "migrate", "-v0", environment=environment)
                data = ["-m", "lab.federation_data", str(clubs), str(evenings)]
                made = _python(*data, environment=environment)
                with psycopg.connect(database, autocommit=True) as connection:
                    connection.execute("ANALYZE")
            with tarfile.open(archive, "w") as packed:
                packed.add(Path(folder, "data"), arcname="data")
        told.write_text(made, encoding="utf-8")
    return archive, json.loads(told.read_text(encoding="utf-8"))


# -- Serving -----------------------------------------------------------------------------------------------------------


@contextmanager
def _queue(folder: str) -> Iterator[str]:
    port = free_port()
    program = shutil.which("redis-server")
    if program is None:
        sys.exit("redis-server is not installed")
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
    with running(command, answers=lambda: redis.Redis(port=port).ping(), folder=folder):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def _pooler(program: Path, database: str) -> Iterator[str]:
    """PgBouncer in front of the database, in transaction mode. Returns its URL."""
    server, port = urlsplit(database), free_port()
    with tempfile.TemporaryDirectory(prefix="clubnight-pgbouncer-") as folder:
        settings = Path(folder) / "pgbouncer.ini"
        settings.write_text(
            f"[databases]\npostgres = host={server.hostname} port={server.port} user=clubnight\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\nunix_socket_dir =\n"
            "pool_mode = transaction\ndefault_pool_size = 10\nmax_client_conn = 500\n"
            "ignore_startup_parameters = extra_float_digits\n"
        )
        user = "postgres" if os.getuid() == 0 else None
        if user:
            shutil.chown(folder, user, user)
        address = f"postgres://clubnight@127.0.0.1:{port}/postgres"
        answers = lambda: psycopg.connect(address).close()  # noqa: E731
        with running([str(program), str(settings)], answers=answers, folder=folder, user=user):
            yield address


def _environment(folder: str, database: str, queue: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLUBNIGHT_")}
    return kept | {
        "CLUBNIGHT_DATABASE": database,
        "CLUBNIGHT_REDIS": queue,
        "CLUBNIGHT_DEBUG": "0",
        # It signs the sessions and personal links that were made with the data.
        "CLUBNIGHT_SECRET_KEY": "a key for measuring, which protects nothing: 0123456789",
        "CLUBNIGHT_HOSTS": "127.0.0.1",
        "CLUBNIGHT_VAR": folder,
        "CLUBNIGHT_LIVE": "http://127.0.0.1:1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(ROOT),
    }


@contextmanager
def _served(environment: dict[str, str], database: str, threads: int, *, one_worker: bool) -> Iterator[Server]:
    pages, streams = free_port(), free_port()
    environment = environment | {"CLUBNIGHT_LIVE": f"http://127.0.0.1:{streams}"}
    server = Server(pages=f"127.0.0.1:{pages}", streams=f"127.0.0.1:{streams}", database=database)
    at = {"127.0.0.1:8001": server.pages, "8002": str(streams)}
    commands = {"pages": _unit("pages", at) + (["--threads", str(threads)] if threads > 1 else [])}
    commands["streams"] = _unit("streams", at)
    for line in [",".join(LINES)] if one_worker else LINES:
        commands[f"worker {line}"] = _unit("worker@", at | {"%i": line, "%%h": "lab", "%i@%%h": f"{line}@lab"})
    commands["beat"] = _unit("beat", at)
    started = []
    with tempfile.TemporaryFile() as said:
        try:
            for name, command in commands.items():
                process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=said, stderr=said)
                started.append(process)
                server.pids[name] = process.pid
            _until_answering(server)
            yield server
        finally:
            for process in started:
                process.terminate()
            for process in started:
                try:
                    process.wait(timeout=30)
                except subprocess.TimeoutExpired:
                    process.kill()
            said.seek(0)
            errors = [line for line in said.read().decode(errors="replace").splitlines() if '"error"' in line]
            if errors:
                sys.stderr.write("\n".join(errors[:10]) + "\n")


def _unit(name: str, replaced: Mapping[str, str]) -> list[str]:
    """A service's command as in its unit, with other paths."""
    text = (UNITS / f"clubnight-{name}.service").read_text(encoding="utf-8")
    found = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert found
    words = shlex.split(found[1].replace("/opt/clubnight/.venv/bin", str(Path(sys.executable).parent)))
    return [replaced.get(word, word) for word in words]


def _until_answering(server: Server) -> None:
    deadline = time.monotonic() + 900
    while True:
        try:
            asyncio.run(evening.ask(server.pages, "GET", "/healthz"))
            asyncio.run(evening.ask(server.streams, "GET", "/live/"))
        except (OSError, evening.Refused, ValueError, IndexError) as error:
            if time.monotonic() > deadline:
                raise RuntimeError("the server does not answer") from error
            time.sleep(0.3)
        else:
            return


def _python(*arguments: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


# -- Phones ------------------------------------------------------------------------------------------------------------


@contextmanager
def _phones(how_many: int, server: Server, told: dict[str, Any]) -> Iterator[Path]:
    """Open pages, spread over the evenings, and the file in which they record what they have seen."""
    words = []
    for place, each in enumerate(told["evenings"]):
        path = evening.public_page(each)
        address = f"http://{server.pages}{path}"
        page = asyncio.run(evening.ask(server.pages, "GET", path))
        stream = re.search(r'data-stream="([^"]+)"', page)
        if stream is None:
            raise RuntimeError(f"{address} has no stream")
        words += [stream[1], address, str(_of_evening(place, how_many, len(told["evenings"])))]
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder) / "said"
        with (
            said.open("w") as output,
            subprocess.Popen(
                [sys.executable, "-m", "lab.live_phones", *words], stdin=subprocess.PIPE, stdout=output, cwd=ROOT
            ) as process,
        ):
            server.pids["phones (lab)"] = process.pid
            began = time.monotonic()
            while len({line.split()[0] for line in said.read_text().splitlines()}) <= how_many:
                if time.monotonic() - began > 240:
                    sys.stderr.write("not every phone has its page\n")
                    break
                time.sleep(1)
            _say(f"{how_many:,} phones had their pages after {time.monotonic() - began:.0f} s.")
            yield said
            process.communicate(timeout=60)


def _of_evening(place: int, phones: int, evenings: int) -> int:
    return phones // evenings + (place < phones % evenings)


# -- Measuring ---------------------------------------------------------------------------------------------------------


def _one_pace(server: Server, told: dict[str, Any], pace: float, seconds: float, said: Path, *, cards: bool) -> None:
    before, busy_before, began = processor(server.pids), busy(), time.monotonic()
    with watched_connections(server.database) as connections:
        found = asyncio.run(evening.play(told, server.pages, pace=pace, seconds=seconds, cards=cards))
        took = time.monotonic() - began
        time.sleep(5)
    worked = busy() - busy_before
    used = {name: value - before.get(name, 0.0) for name, value in processor(server.pids).items()}
    reached, missed = _reached(said, found, len(told["evenings"]))
    rows = [_row(name, found.took[name]) for name in ORDER if found.took[name]]
    rows.append(_row("from a press to a phone", reached))
    _say(
        f"\n## Pace {pace:g}: {seconds:.0f} s of presses, answered after {took:.0f} s; load {os.getloadavg()[0]:.1f}\n"
    )
    _say(table(["", "times", "p50, s", "p95, s", "longest, s"], rows))
    errors = Counter(re.sub(r"\d+", "n", each)[:160] for each in found.errors)
    _say(f"\nErrors: {len(found.errors)}; news that did not reach a phone: {missed}.")
    for error, times in errors.most_common(5):
        _say(f"- {times} times {error}")
    rows = [[name, seconds_text(value), f"{value / took:.0%}"] for name, value in used.items()]
    _say("\n" + table(["processor", "seconds", "share of one core"], rows))
    own = sum(value for name, value in used.items() if not name.endswith("(lab)"))
    _say(
        f"\nThe server used {seconds_text(own)} s of processor for {seconds * pace:.0f} s of an evening: "
        f"{own / seconds / pace:.3f} cores at pace 1."
    )
    others = worked - sum(used.values())
    _say(f"All of this machine used {worked:.0f} s meanwhile, others than this run {others:.0f} s of it.")
    _say("\n" + table(["connections of the database", "most"], [[n, str(v)] for n, v in sorted(connections.items())]))


def _row(name: str, seconds: Sequence[float]) -> list[str]:
    ordered = sorted(seconds) or [0.0]
    at = (0.5, 0.95, 1.0)
    return [
        name,
        f"{len(seconds):,}",
        *(seconds_text(ordered[min(len(ordered) - 1, int(len(ordered) * p))]) for p in at),
    ]


def _reached(said: Path, found: evening.Told, evenings: int) -> tuple[list[float], int]:
    """For every result and every phone on its round, the seconds until it arrived; and how many never did."""
    by_evening: dict[int, list[str]] = defaultdict(list)
    lines = [line for line in said.read_text().splitlines() if line[:1].isdecimal()]
    phones = 1 + max(int(line.split()[0]) for line in lines)
    place_of = [place for place in range(evenings) for _each in range(_of_evening(place, phones, evenings))]
    for line in lines:
        by_evening[place_of[int(line.split()[0])]].append(line)
    seconds: list[float] = []
    missed = 0
    for place, pressed in found.pressed.items():
        reached = reached_in(by_evening[place], pressed)
        seconds += reached
        missed += len(pressed) * _of_evening(place, phones, evenings) - len(reached)
    return seconds, missed


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
