"""Every pair of actions 200 times on both databases: `python -m lab.race_table [--times 200] [--processes 2]`.

Prints by state how many pairs there are, how many turns were taken, and how often both actions, one, or neither came
through; whatever crashed, contradicted itself or was lost (`tests.races`) is named below, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import QUICK, new_database, postgresql, postgresql_with_tables, sqlite_with_tables

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ("pairs", "turns", "both", "one", "neither", "wrong")


def run_part(part: int, processes: int, times: int, states: list[str]) -> None:
    """Run every so many-th pair on the database of the environment; print a JSON line per pair."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from tests.database_snapshot import database_snapshot
    from tests.races import PAIRS, STATES, arranged

    with database_snapshot() as empty:
        for state in (each for each in STATES if _title(each) in states or not states):
            empty()
            with arranged(state) as turns:
                for one, other in [pair for named, *pair in PAIRS if named == state][part::processes]:
                    counted: Counter[str] = Counter(pairs=1)
                    wrong = ""
                    try:
                        for ended in turns(one, other, times):
                            counted["turns"] += 1
                            counted[("both", "one", "neither")[sum(error is not None for error in ended)]] += 1
                    except Exception as error:
                        counted["wrong"], wrong = 1, f"{state}: {one} / {other}: {error!r}"
                    print(json.dumps([state, counted, wrong]), flush=True)


def _title(state: str) -> str:
    return state.removeprefix("on_").replace("_", " ")


@contextmanager
def databases(vendor: str, count: int) -> Iterator[list[str]]:
    """So many databases with tables and no rows."""
    if vendor == "SQLite":
        with tempfile.TemporaryDirectory(prefix="clubnight-races-") as folder:
            files = [Path(folder, f"{number}.sqlite3") for number in range(count)]
            for file in files:
                shutil.copy(sqlite_with_tables(), file)
            yield [str(file) for file in files]
    else:
        with postgresql(*QUICK, cluster=postgresql_with_tables()) as address:
            of = f"{address.rpartition('/')[0]}/migrated"
            yield [new_database(of, f"races_{number}") for number in range(count)]


def main() -> None:
    """Print the table; with `--part` run one process's share."""
    parser = argparse.ArgumentParser(prog="python -m lab.race_table", description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="turns a pair (default 200)")
    parser.add_argument("--processes", type=int, default=2, help="each with some of the pairs (default 2)")
    parser.add_argument("--database", choices=("SQLite", "PostgreSQL"), action="append")
    parser.add_argument("--state", action="append", default=[], help="only from this one, as the table names it")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part is not None:
        run_part(options.part, options.processes, options.times, options.state)
        return
    harm = []
    print(f"| database | state | {' | '.join(COLUMNS)} |\n| --- | --- |{' ---: |' * len(COLUMNS)}", flush=True)
    for vendor in options.database or ("SQLite", "PostgreSQL"):
        table: dict[str, Counter[str]] = {}
        with databases(vendor, options.processes) as addresses:
            command = [sys.executable, "-m", "lab.race_table", "--times", str(options.times)]
            command += ["--processes", str(options.processes)]
            command += [part for each in options.state for part in ("--state", each)]
            running = [
                subprocess.Popen(
                    [*command, "--part", str(part)],
                    cwd=ROOT,
                    env=os.environ | {"CLUBNIGHT_DATABASE": address, "CLUBNIGHT_REDIS": ""},
                    stdout=subprocess.PIPE,
                    text=True,
                )
                for part, address in enumerate(addresses)
            ]
            for process in running:
                assert process.stdout
                for line in process.stdout:
                    state, counted, wrong = json.loads(line)
                    table.setdefault(state, Counter()).update(counted)
                    harm += [f"{vendor}, {wrong}"] if wrong else []
                if process.wait():
                    raise SystemExit("a process ended before its pairs")
        for state, found in sorted(table.items()):
            told = " | ".join(f"{found[column]:,}" for column in COLUMNS)
            print(f"| {vendor} | {_title(state)} | {told} |", flush=True)
    print("\n".join(harm))
    raise SystemExit(bool(harm))


if __name__ == "__main__":
    main()
