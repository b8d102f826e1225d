"""Faults on purpose: `python -m bench.faults [--times 200] [--only SCENE]`.

Web, worker, Redis and PostgreSQL are killed at random moments, the database's connections cut, the disk full, while
results are entered or rounds paired as browsers do. Prints how much was tried and acknowledged, and how much of what
was acknowledged is lost, doubled or wrong; each must be 0. Needs the programs the tests need (README).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import redis

from tests.servers import free_port, postgresql_programs

ROOT = Path(__file__).resolve().parent.parent
HANDS = 4
"""People who enter results at once, each at boards of his own."""
PATIENCE = 120.0
RESULTS = ("1-0", "1/2", "0-1")
_TOKEN = "faults" * 6


@dataclass(kw_only=True)
class Program:
    """A server that is started, killed with everything it started, and started again."""

    command: list[str]
    environment: dict[str, str]
    answers: Callable[[], object]
    user: str | None = None
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            self.command,
            cwd=ROOT if self.user is None else "/",
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            user=self.user,
            group=self.user,
        )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                self.answers()
            except (OSError, psycopg.Error, http.client.HTTPException):
                time.sleep(0.05)
            else:
                return
        raise SystemExit(f"{self.command[0]} did not come up")

    def kill(self) -> None:
        """As when the machine takes it: nothing is said to it before."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def again(self) -> None:
        self.kill()
        self.start()


@dataclass(kw_only=True)
class Stage:
    """Everything that runs in a scene."""

    folder: Path
    environment: dict[str, str]
    port: int
    programs: dict[str, Program] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)

    def ask(self, *command: str, given: object = None) -> Any:
        """What `bench.faults_event` answers."""
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "bench.faults_event", *command],
            cwd=ROOT,
            env=self.environment,
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(done.stderr[-2000:])
        return json.loads(done.stdout)

    def request(self, method: str, address: str, **sent: str) -> tuple[int, str]:
        """Status and page; raises what a browser sees when nobody answers any more."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {
            "Cookie": f"sessionid={self.told.get('session', '')}; csrftoken={_TOKEN[:32]}",
            "X-CSRFToken": _TOKEN[:32],
            "Content-Type": "application/x-www-form-urlencoded",
        }
        try:
            connection.request(method, address, urlencode(sent), headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        finally:
            connection.close()


class Hand(threading.Thread):
    """Somebody who enters results one after another, whatever happens, and notes what was tried and acknowledged."""

    def __init__(self, stage: Stage, boards: list[str], over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.stage, self.boards, self.over = stage, boards, over
        self.tries: dict[str, list[tuple[str, bool]]] = {board: [] for board in boards}
        self._seen: dict[str, str] = {}
        self._chance = random.Random(boards[0])  # noqa: S311

    def run(self) -> None:
        page = self.stage.told["page"]
        while not self.over.is_set():
            board = self._chance.choice(self.boards)
            seen = self._seen.get(board) or self._look(board)
            if seen is None:
                continue
            result = self._chance.choice([each for each in RESULTS if each != seen.partition(" ")[2]])
            self._seen.pop(board, None)
            done = False
            with suppress(OSError, http.client.HTTPException):
                sent = {f"seen-{board}": seen, f"result-{board}": result}
                status, _page = self.stage.request("POST", f"{page}boards/{board}/result/", **sent)
                done = status == http.client.FOUND
            if done:
                game, _stop, revision = seen.partition(" ")[0].partition(".")
                self._seen[board] = f"{game}.{int(revision) + 1} {result}"
            self.tries[board].append((result, done))

    def _look(self, board: str) -> str | None:
        """What the page shows of the board now; None while nobody answers."""
        with suppress(OSError, http.client.HTTPException):
            status, page = self.stage.request("GET", self.stage.told["page"])
            found = re.search(rf'name="seen-{board}" value="([^"]*)"', page)
            if status == 200 and found:
                return found[1]
        time.sleep(0.1)
        return None


# -- Scenes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One kind of fault; `strike` does it once and mends it."""

    database: str
    strike: Callable[[Stage], None]
    pairs: bool = False
    """Rounds are paired by the worker in place of results entered."""


def _kill(name: str) -> Callable[[Stage], None]:
    return lambda stage: stage.programs[name].again()


def _cut(stage: Stage) -> None:
    """Every connection to PostgreSQL but our own."""
    with psycopg.connect(stage.environment["CLUBNIGHT_DATABASE"], autocommit=True) as database:
        database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


def _fill_the_disk(stage: Stage) -> None:
    """No file of the web server's may grow any more, as on a full disk; then there is room again."""
    web = stage.programs["web"].process
    if web is None:
        return
    group = [pid for pid in _processes() if _group_of(pid) == web.pid]
    wal = Path(f"{stage.environment['CLUBNIGHT_DATABASE']}-wal")
    size = wal.stat().st_size if wal.exists() else 4096
    for limit in (size, resource.RLIM_INFINITY):
        for pid in group:
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        time.sleep(random.uniform(0.1, 0.6))  # noqa: S311


SCENES = {
    "web killed, SQLite": Scene(database="sqlite", strike=_kill("web")),
    "web killed, PostgreSQL": Scene(database="postgresql", strike=_kill("web")),
    "PostgreSQL killed": Scene(database="postgresql", strike=_kill("postgresql")),
    "connections cut": Scene(database="postgresql", strike=_cut),
    "disk full, SQLite": Scene(database="sqlite", strike=_fill_the_disk),
    "worker killed": Scene(database="postgresql", strike=_kill("worker"), pairs=True),
    "Redis killed": Scene(database="postgresql", strike=_kill("redis"), pairs=True),
}


def play(scene: Scene, times: int) -> dict[str, int]:
    """One scene from an empty database to the judgement."""
    with tempfile.TemporaryDirectory(prefix="clubnight-faults-") as name, _stage(scene, Path(name), times) as stage:
        chance = random.Random(times)  # noqa: S311
        return _pair(stage, scene, times, chance) if scene.pairs else _enter(stage, scene, times, chance)


def _enter(stage: Stage, scene: Scene, times: int, chance: random.Random) -> dict[str, int]:
    boards, over = list(stage.told["boards"]), threading.Event()
    hands = [Hand(stage, boards[number::HANDS], over) for number in range(HANDS)]
    for hand in hands:
        hand.start()
    for _time in range(times):
        time.sleep(chance.uniform(0.2, 1.2))
        scene.strike(stage)
    time.sleep(1)
    over.set()
    for hand in hands:
        hand.join(PATIENCE)
    tries = {board: each for hand in hands for board, each in hand.tries.items()}
    done = [is_done for each in tries.values() for _result, is_done in each]
    return {"tried": len(done), "acknowledged": sum(done)} | stage.ask("judge-results", given=tries)


def _pair(stage: Stage, scene: Scene, times: int, chance: random.Random) -> dict[str, int]:
    tries: list[tuple[str, bool]] = []
    over = threading.Event()

    def ask() -> None:
        for address in stage.told["waiting"]:
            done = False
            with suppress(OSError, http.client.HTTPException):
                status, _page = stage.request("POST", f"{address}pair/")
                done = status < 400
            tries.append((address, done))
        over.set()

    hand = threading.Thread(target=ask, daemon=True)
    hand.start()
    while not over.is_set():
        time.sleep(chance.uniform(0.05, 1.0))
        scene.strike(stage)
    hand.join(PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while stage.ask("unfinished") and time.monotonic() < deadline:
        time.sleep(1)
    done = [is_done for _address, is_done in tries]
    return {"tried": len(done), "acknowledged": sum(done)} | stage.ask("judge-pairings", given=tries)


@contextmanager
def _stage(scene: Scene, folder: Path, times: int) -> Iterator[Stage]:
    port = free_port()
    environment = os.environ | {"CLUBNIGHT_VAR": str(folder / "var"), "CLUBNIGHT_REDIS": "", "CLUBNIGHT_DEBUG": "1"}
    stage = Stage(folder=folder, environment=environment, port=port)
    try:
        environment["CLUBNIGHT_DATABASE"] = str(folder / "club.sqlite3")
        if scene.database == "postgresql":
            _start_postgresql(stage)
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=environment, check=True
        )
        stage.told = stage.ask("prepare", str(times if scene.pairs else 0))
        if scene.pairs:
            _start_queue(stage)
        gunicorn = [sys.executable, "-m", "gunicorn", "config.wsgi", "--workers", "2", "--bind", f"127.0.0.1:{port}"]
        _begin(stage, "web", gunicorn, lambda: stage.request("GET", "/healthz"))
        yield stage
    finally:
        for program in reversed(stage.programs.values()):
            program.kill()


def _start_postgresql(stage: Stage) -> None:
    programs, port = postgresql_programs(), free_port()
    if programs is None:
        raise SystemExit("PostgreSQL's server is not installed")
    user = "postgres" if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="postgresql-", dir=stage.folder))
    if user:
        stage.folder.chmod(0o755)
        shutil.chown(folder, user, user)
    data = folder / "data"
    subprocess.run(  # noqa: S603
        [programs / "initdb", "-D", data, "-U", "clubnight", "-A", "trust", "-E", "UTF8"],
        check=True,
        capture_output=True,
        cwd=folder,
        user=user,
        group=user,
    )
    address = f"postgres://clubnight@127.0.0.1:{port}/postgres"
    told = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}"]
    command = [f"{programs}/postgres", "-D", str(data), *(part for each in told for part in ("-c", each))]
    _begin(stage, "postgresql", command, lambda: psycopg.connect(address).close(), user=user)
    stage.environment["CLUBNIGHT_DATABASE"] = address


def _start_queue(stage: Stage) -> None:
    port = free_port()

    def answers() -> None:
        try:
            redis.Redis(port=port).ping()
        except redis.RedisError as error:
            raise OSError from error

    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(stage.folder), "--save", ""]
    _begin(stage, "redis", command, answers)
    stage.environment["CLUBNIGHT_REDIS"] = f"redis://127.0.0.1:{port}/0"
    worker = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1"]
    _begin(stage, "worker", worker, lambda: None)


def _begin(stage: Stage, name: str, command: list[str], answers: Callable[[], object], user: str | None = None) -> None:
    stage.programs[name] = Program(command=command, environment=stage.environment, answers=answers, user=user)
    stage.programs[name].start()


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def _group_of(pid: int) -> int:
    with suppress(ProcessLookupError):
        return os.getpgid(pid)
    return 0


def main() -> None:
    """Play the scenes asked for; exit status 1 if anything was lost, doubled or wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="faults a scene (default 200)")
    parser.add_argument("--only", choices=SCENES, help="one scene alone")
    options = parser.parse_args()
    # Ended from outside, it takes what it started with it.
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(signal.SIGTERM))
    columns = ("tried", "acknowledged", "lost", "doubled", "wrong", "unsound")
    print(f"| fault | times | {' | '.join(columns)} |\n| --- |{' ---: |' * (len(columns) + 1)}", flush=True)
    harm = 0
    for name, scene in SCENES.items():
        if options.only in (None, name):
            found = play(scene, options.times)
            harm += sum(found[column] for column in columns[2:])
            print(f"| {name} | {options.times} | {' | '.join(str(found[each]) for each in columns)} |", flush=True)
    raise SystemExit(int(harm > 0))


if __name__ == "__main__":
    main()
