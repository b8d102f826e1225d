"""CPU time by service, and PostgreSQL's connections, during a federation's evening."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg


def processor(pids: Mapping[str, int]) -> dict[str, float]:
    """CPU seconds of each service with its children, and of all of PostgreSQL and Redis."""
    parents, used, names = {}, {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            pid = int(folder.name)
            parents[pid] = int(fields[1])
            # Includes the time of children that have ended.
            used[pid] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
            names[pid] = (folder / "comm").read_text().strip()
    of = {pid: name for name, pid in pids.items()} | {os.getpid(): "presses (lab)"}
    told: defaultdict[str, float] = defaultdict(float)
    for pid, seconds in used.items():
        owner, name = pid, names[pid]
        while owner in parents and owner not in of:
            owner = parents[owner]
        if name in ("postgres", "redis-server", "pgbouncer"):
            told[name] += seconds if os.getpid() in _above(pid, parents) else 0.0
        elif owner in of:
            told[of[owner]] += seconds
    return dict(sorted(told.items()))


def busy() -> float:
    """CPU seconds of this machine since it was started."""
    user, nice, system, _idle, _waiting, *others = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:9])
    return sum((user, nice, system, *others)) / os.sysconf("SC_CLK_TCK")


def _above(pid: int, parents: Mapping[int, int]) -> set[int]:
    found = set()
    while pid in parents:
        pid = parents[pid]
        found.add(pid)
    return found


@contextmanager
def watched_connections(database: str) -> Iterator[dict[str, int]]:
    """Count the connections every second; the maximum of each state is there when the block has ended."""
    most: dict[str, int] = {}
    over = threading.Event()

    def watch() -> None:
        with psycopg.connect(database, autocommit=True) as connection:
            while not over.wait(1.0):
                asked = "SELECT state, count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' "
                rows = connection.execute(asked + "AND pid <> pg_backend_pid() GROUP BY state").fetchall()
                for state, count in [*rows, ("all", sum(count for _state, count in rows))]:
                    most[str(state)] = max(most.get(str(state), 0), count)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()
