"""Deliberate faults: `python -m lab.faults [--times 200] [--minutes 30] [--only WORDS]`.

Web, worker, Redis and PostgreSQL are killed at random moments, connections cut, the disk filled or made read-only, the
clock moved, while results are entered or rounds paired as browsers do. Prints how much was tried and acknowledged, and
how much of what was acknowledged is lost, doubled or wrong; each must be 0. Needs the programs the tests need (README);
scenes of disks need root, and are left out with a line without it.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import redis

from lab.faults_stage import PATIENCE, Stage, collect_style, in_a_world_of_its_own, stage

HANDS = 3
"""People who enter results at once, each at boards of his own."""
BREATH = 0.03
"""Seconds between two of a hand's presses, on average."""
RESULTS = ("1-0", "1/2", "0-1")
DAYS = 2
"""How far a clock is moved at most."""


class Hand(threading.Thread):
    """A user who enters results one after another, whatever happens, and records what was tried and acknowledged.

    A try is the board's revision on the page that was pressed, the result, and whether the answer came: the line of the
    log with that place must be it.
    """

    def __init__(self, stage: Stage, boards: list[str], over: threading.Event, *, breath: float = BREATH) -> None:
        super().__init__(daemon=True)
        self.stage, self.boards, self.over, self.breath = stage, boards, over, breath
        self.done_at: list[float] = []
        self.tries: dict[str, list[tuple[int, str, bool]]] = {board: [] for board in boards}
        self._seen: dict[str, str] = {}
        self._chance = random.Random(boards[0])

    def run(self) -> None:
        page = self.stage.told["page"]
        while not self.over.wait(self._chance.expovariate(1 / self.breath)):
            board = self._chance.choice(self.boards)
            seen = self._seen.get(board) or self._look(board)
            if seen is None:
                continue
            key, before = seen.split(" ", 1)
            game, revision = key.split(".")
            result = self._chance.choice([each for each in RESULTS if each != before])
            self._seen.pop(board, None)
            done = False
            with suppress(OSError, http.client.HTTPException):
                sent = {f"seen-{board}": seen, f"result-{board}": result}
                status, _page = self.stage.request("POST", f"{page}boards/{board}/result/", **sent)
                done = status == http.client.FOUND
            if done:
                self.done_at.append(time.monotonic())
                self._seen[board] = f"{game}.{int(revision) + 1} {result}"
            self.tries[board].append((int(revision), result, done))

    def _look(self, board: str) -> str | None:
        """The result that the board's page shows now; None while nobody answers."""
        with suppress(OSError, http.client.HTTPException):
            status, page = self.stage.request("GET", f"{self.stage.told['page']}boards/{board}/")
            found = re.search(rf'name="seen-{board}" value="([^"]*)"', page)
            if status == http.client.OK and found:
                return found[1]
        time.sleep(0.05)
        return None


# -- Faults -----------------------------------------------------------------------------------------------------------


def _kill(name: str) -> Callable[[Stage], None]:
    return lambda stage: stage.programs[name].again()


def _cut_database(stage: Stage) -> None:
    """Close every connection to PostgreSQL except our own."""
    with psycopg.connect(stage.environment["CLUBNIGHT_DATABASE"], autocommit=True) as database:
        database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


def _cut_browsers(stage: Stage) -> None:
    stage.hang_up()


def _cut_redis(stage: Stage) -> None:
    with redis.Redis.from_url(stage.environment["CLUBNIGHT_REDIS"]) as queue:
        for kind in ("normal", "pubsub"):
            queue.execute_command("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")


def _fill_disk(stage: Stage) -> None:
    """Fill the disk for a while. What ends because of it is restarted when there is room."""
    stage.fill_disk()
    time.sleep(random.uniform(0.1, 0.4))
    stage.empty_disk()
    stage.mend()


def _read_only(stage: Stage) -> None:
    """Start the server on a read-only disk, and again when the disk is writable."""
    web = stage.programs["web"]
    web.kill()
    stage.remount("ro")
    web.start()
    time.sleep(random.uniform(0.1, 0.3))
    web.kill()
    stage.remount("rw")
    web.start()


def _move_clock(stage: Stage) -> None:
    """Move the clock by hours or days, in either direction."""
    stage.set_clock(random.randint(-DAYS * 86_400, DAYS * 86_400))
    time.sleep(random.uniform(0, 0.5))


# -- Scenes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One kind of fault; `strike` causes it once and repairs it."""

    strike: Callable[[Stage], None]
    enters: tuple[str, ...] = ()
    """The databases on which it strikes while results are entered."""
    pairs: tuple[str, ...] = ()
    """... and while rounds are paired by a worker."""
    needs: str = ""
    """A disk or a clock of its own."""


BOTH = ("SQLite", "PostgreSQL")
FAULTS = {
    "web killed": Fault(strike=_kill("web"), enters=BOTH, pairs=BOTH),
    "worker killed": Fault(strike=_kill("worker"), pairs=BOTH),
    "Redis killed": Fault(strike=_kill("Redis"), pairs=BOTH),
    "PostgreSQL killed": Fault(strike=_kill("PostgreSQL"), enters=("PostgreSQL",), pairs=("PostgreSQL",)),
    "database's connections cut": Fault(strike=_cut_database, enters=("PostgreSQL",), pairs=("PostgreSQL",)),
    "browsers' connections cut": Fault(strike=_cut_browsers, enters=BOTH),
    "Redis's connections cut": Fault(strike=_cut_redis, pairs=BOTH),
    "disk full": Fault(strike=_fill_disk, enters=BOTH, needs="disk"),
    "disk read-only": Fault(strike=_read_only, enters=("SQLite",), needs="disk"),
    "clock moved": Fault(strike=_move_clock, enters=BOTH, pairs=BOTH, needs="clock"),
}
COLUMNS = ("tried", "acknowledged", "lost", "doubled", "wrong", "unsound", "crashed")
"""Unsound: events in which the doctor finds something. Crashed: answers that were no sentence (status 500)."""


def scenes() -> Iterator[tuple[str, Fault, str, bool]]:
    """Name, fault, database, and whether rounds are paired instead of results entered."""
    for name, fault in FAULTS.items():
        for does_pair, work, databases in ((False, "entering", fault.enters), (True, "pairing", fault.pairs)):
            for database in databases:
                yield f"{name}, {work}, {database}", fault, database, does_pair


def play(
    fault: Fault, database: str, times: int, *, does_pair: bool, seconds: float, logs: Path | None
) -> dict[str, Any]:
    """Run one scene, from an empty database to the check. After `seconds` it causes no more faults."""
    needs = {"disk": fault.needs == "disk", "clock": fault.needs == "clock"}
    with stage(database, waiting=times + 1 if does_pair else 0, queue=does_pair, **needs) as set_up:
        end = time.monotonic() + seconds
        found = (_pair if does_pair else _enter)(set_up, fault, times, end)
        found["crashed"] = set_up.answers.get(http.client.INTERNAL_SERVER_ERROR, 0)
        if logs and any(found[column] for column in COLUMNS[2:]):
            name = f"{time.time():.0f}-{database}-{'pairing' if does_pair else 'entering'}"
            shutil.copy(set_up.log, logs / f"{name}.log")
            (logs / f"{name}.json").write_text(json.dumps(found["evidence"], indent=1))
        return found


def _enter(stage: Stage, fault: Fault, times: int, end: float) -> dict[str, Any]:
    chance = random.Random(times)
    boards, over = list(stage.told["boards"]), threading.Event()
    hands = [Hand(stage, boards[number::HANDS], over) for number in range(HANDS)]
    for hand in hands:
        hand.start()

    def acknowledged() -> int:
        return sum(is_done for hand in hands for each in hand.tries.values() for _revision, _result, is_done in each)

    struck, deadline = 0, time.monotonic()
    while struck < times and time.monotonic() < end:
        # Even on a slow machine something is entered between two faults, and something is in progress at each.
        wanted, deadline = acknowledged() + chance.randint(1, 3), time.monotonic() + PATIENCE
        while acknowledged() < wanted and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, 0.1))
        fault.strike(stage)
        struck += 1
    wanted = acknowledged() + HANDS
    while acknowledged() < wanted and time.monotonic() < deadline + PATIENCE:
        time.sleep(0.05)
    over.set()
    for hand in hands:
        hand.join(PATIENCE)
    tries = {board: each for hand in hands for board, each in hand.tries.items()}
    done = [is_done for each in tries.values() for _revision, _result, is_done in each]
    found: dict[str, Any] = stage.ask("judge-results", given=tries)
    return found | {"times": struck, "tried": len(done), "acknowledged": sum(done)}


def _pair(stage: Stage, fault: Fault, times: int, end: float) -> dict[str, Any]:
    """One round is requested, and a moment later the fault comes. An unacknowledged request is not repeated."""
    chance = random.Random(times)
    tries: list[tuple[str, bool]] = []

    def ask(address: str) -> None:
        done = False
        with suppress(OSError, http.client.HTTPException):
            status, _page = stage.request("POST", f"{address}pair/")
            done = status == http.client.FOUND
        tries.append((address, done))

    # How long a round takes on this machine, so that faults come before, during and after it.
    undisturbed, *waiting = stage.told["waiting"]
    begun = time.monotonic()
    ask(undisturbed)
    usual = time.monotonic() - begun
    hands = []
    for address in waiting:
        if time.monotonic() > end:
            break
        stage.wait_until_up()
        hands.append(threading.Thread(target=ask, args=[address], daemon=True))
        hands[-1].start()
        time.sleep(chance.uniform(0.0, 1.3 * usual))
        fault.strike(stage)
    for hand in hands:
        hand.join(PATIENCE)
    if fault.needs == "clock":
        stage.set_clock(0)
    deadline = time.monotonic() + PATIENCE
    while stage.ask("unfinished") and time.monotonic() < deadline:
        time.sleep(1)
    done = [is_done for _address, is_done in tries]
    found: dict[str, Any] = stage.ask("judge-pairings", given=tries)
    return found | {"times": len(hands), "tried": len(done), "acknowledged": sum(done)}


def main() -> None:
    """Run the requested scenes. Exit status 1 if anything was lost, duplicated or wrong."""
    parser = argparse.ArgumentParser(prog="python -m lab.faults", description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="faults a scene (default 200)")
    parser.add_argument("--minutes", type=float, default=30, help="... but no more after so long (default 30)")
    parser.add_argument("--only", default="", help="scenes with these words in their name")
    parser.add_argument("--logs", type=Path, help="a folder for what servers said where harm was done")
    options = parser.parse_args()
    has_mounts = in_a_world_of_its_own()
    # If stopped from outside, it stops everything that it started.
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(signal.SIGTERM))
    print(f"| fault | times | {' | '.join(COLUMNS)} |\n| --- |{' ---: |' * (len(COLUMNS) + 1)}", flush=True)
    harm = 0
    collect_style()
    for name, fault, database, does_pair in scenes():
        if options.only not in name:
            continue
        if fault.needs == "disk" and not has_mounts:
            print(f"left out: {name} (needs root)", flush=True)
            continue
        found = play(
            fault, database, options.times, does_pair=does_pair, seconds=60 * options.minutes, logs=options.logs
        )
        harm += sum(found[column] for column in COLUMNS[2:])
        print(f"| {name} | {found['times']} | {' | '.join(str(found[each]) for each in COLUMNS)} |", flush=True)
    raise SystemExit(int(harm > 0))


if __name__ == "__main__":
    main()
