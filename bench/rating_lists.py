"""Import a rating list of a million and a half players while an arbiter enters results; then search it.

    python -m bench.rating_lists [--players 1500000] [--folder DIRECTORY]

in the database that CLUBNIGHT_DATABASE names, which must be empty. Prints seconds, the import's memory, how long a
result took to enter before and during it, and how long searches took.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bench.made_up_list import lines, write_list

if TYPE_CHECKING:
    from tournaments.models import Round

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ("1-0", "1/2", "0-1")
BOARDS = 40
SECONDS_BETWEEN_RESULTS = 0.2


def main() -> None:
    """Measure, and print a line for each figure."""
    arguments = _arguments()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    this_round = _published_round()
    file = arguments.folder / "players_list_foa.txt"
    write_list(file, arguments.players)
    print(f"list: {arguments.players} players, {file.stat().st_size / 1e6:.0f} MB")
    _print_times("a result, nothing else going on", _enter_results(this_round, lambda count: count < 150))
    _measure_import(file, this_round)
    _measure_searches(arguments.players)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=1_500_000)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    return parser.parse_args()


def _published_round() -> Round:
    from clubs.models import Club
    from pairing.rounds import pair_round, publish
    from tournaments.entering import enter_pasted_list
    from tournaments.setting_up import create_tournament

    club = Club.objects.create(slug="measured", name="Measured")
    event = create_tournament(club, by=None, name="Measured", rounds_announced=3)
    enter_pasted_list(event, "\n".join(f"Pionek, Nr{n}; {2000 - n}" for n in range(2 * BOARDS)), by=None)
    draft = pair_round(event.rounds.get(number=1).pk, by=None).round
    return publish(draft, by=None, version=draft.version)


def _measure_import(file: Path, this_round: Round) -> None:
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "manage.py", "import_rating_list", str(file)], cwd=ROOT)  # noqa: S603
    seconds = _enter_results(this_round, lambda _count: process.poll() is None)
    if process.returncode:
        sys.exit("the import failed")
    took = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"import: {took:.0f} s, at most {memory:.0f} MB of memory")
    _print_times("a result during the import", seconds)


def _enter_results(this_round: Round, goes_on: Callable[[int], bool]) -> list[float]:
    """Enter results one after another, each other than the one before; the seconds that each took."""
    from tournaments.results import enter_result

    seconds: list[float] = []
    games = list(this_round.games.all())
    while goes_on(len(seconds)):
        place = len(seconds) % BOARDS
        wanted = next(result for result in RESULTS if result != games[place].result)
        begun = time.perf_counter()
        games[place] = enter_result(games[place], wanted, revision=games[place].revision, by=None)
        seconds.append(time.perf_counter() - begun)
        time.sleep(SECONDS_BETWEEN_RESULTS)
    return seconds


def _measure_searches(players: int) -> None:
    from clubs.rating_lists.finding import find_players
    from clubs.rating_lists.starting import fide_register

    register = fide_register()
    chance = random.Random(2)  # noqa: S311
    names = [line[15:76].strip() for line in lines(2_000)]
    numbers = [line[:15].strip() for line in lines(2_000, seed=1)][:200]
    kinds = {
        "a whole name": [chance.choice(names) for _ in range(200)],
        "a family name": [chance.choice(names).split(",")[0] for _ in range(200)],
        "beginnings of both": [" ".join(word[:4] for word in chance.choice(names).split(", ")) for _ in range(200)],
        "three letters": [chance.choice(names)[:3] for _ in range(200)],
        "two letters and two": [" ".join(word[:2] for word in chance.choice(names).split(", ")) for _ in range(200)],
        "nobody": [f"{chance.choice(names).split(',')[0]} qu" for _ in range(200)],
        "an ID": numbers,
    }
    for name, queries in kinds.items():
        seconds = []
        for query in queries:
            begun = time.perf_counter()
            find_players([register], query)
            seconds.append(time.perf_counter() - begun)
        _print_times(f"search among {players}: {name}", seconds)


def _print_times(name: str, seconds: list[float]) -> None:
    p95 = statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
    print(
        f"{name}: median {1000 * statistics.median(seconds):.1f} ms, 95th percentile {1000 * p95:.1f} ms,"
        f" longest {1000 * max(seconds):.0f} ms ({len(seconds)})",
        flush=True,
    )


if __name__ == "__main__":
    main()
