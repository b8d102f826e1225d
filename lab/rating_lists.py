"""Import a rating list of 1.5 million players while an arbiter enters results, then search it.

    python -m lab.rating_lists [--players 1500000] [--folder DIRECTORY] [--only-search] [--missed FILE] [--processor]

in the database that CLUBNIGHT_DATABASE names, which must be empty (or hold the list, to search only). Results are
entered through the page of a web server in a process of its own, a new one a fifth of a second after the last. Prints
seconds, the import's memory, and medians and 95th percentiles. With --processor misspelt names are timed by what they
take of the processor, the database server's part (of the same machine) included, which a busy machine changes little.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from urllib.request import urlopen

from lab.made_up_list import EVERY_FIFTH, lines, write_list
from lab.spelt_names import spelt_names
from tests.servers import free_port, running

if TYPE_CHECKING:
    from clubs.models import User
    from tournaments.models import Round

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ("1-0", "1/2", "0-1")
BOARDS = 40
SECONDS_BETWEEN_RESULTS = 0.2
CYRILLIC = str.maketrans("abdehiklmnoprstuvyz", "абдехиклмнопрстувйз")
_TOKEN = "a" * 32


def main() -> None:
    """Measure, and print a line for each figure."""
    arguments = _arguments()
    _set_up(arguments.folder)
    if not arguments.only_search:
        this_round, arbiter = _published_round()
        file = arguments.folder / "players_list_foa.txt"
        write_list(file, arguments.players, with_spelt_names=True)
        print(f"list: {arguments.players} players, {file.stat().st_size / 1e6:.0f} MB", flush=True)
        with _server() as port:
            desk = _Desk(this_round, arbiter, port)
            _print_times("a result, nothing else going on", desk.enter_results(lambda count: count < 150))
            _measure_import(file, desk)
    _measure_searches(arguments.missed, _processor() if arguments.processor else time.perf_counter)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=1_500_000)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--only-search", action="store_true")
    parser.add_argument("--missed", type=Path, default=None, help="a file for the names that were not found")
    parser.add_argument("--processor", action="store_true", help="what misspelt names take of the processor")
    arguments = parser.parse_args()
    arguments.folder = arguments.folder or Path(mkdtemp(prefix="clubnight-lists-"))
    return arguments


def _set_up(folder: Path) -> None:
    """As in a deployment. Processes started from here inherit it."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="config.settings",
        CLUBNIGHT_VAR=str(folder),
        CLUBNIGHT_DEBUG="0",
        CLUBNIGHT_HOSTS="127.0.0.1",
    )
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def _published_round() -> tuple[Round, User]:
    from clubs.models import Club, Membership, Role, User
    from pairing.rounds.lifecycle.transitions import pair_round, publish_round
    from tournaments.entries.enrolment import enter_pasted_list
    from tournaments.events.event_setup import create_tournament

    club = Club.objects.create(slug="measured", name="Measured")
    arbiter = User.objects.create(username="arbiter")
    Membership.objects.create(club=club, user=arbiter, role=Role.ARBITER)
    event = create_tournament(club, by=arbiter, name="Measured", rounds_announced=3)
    enter_pasted_list(event, "\n".join(f"Pionek, Nr{n}; {2000 - n}" for n in range(2 * BOARDS)), by=None)
    draft = pair_round(event.rounds.get(number=1).pk, by=None).round
    return publish_round(draft, by=None, version=draft.version), arbiter


@contextmanager
def _server() -> Iterator[int]:
    """The server's port."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--workers", "2", "--bind", f"127.0.0.1:{port}"]
    with running(command, answers=lambda: urlopen(f"http://127.0.0.1:{port}/").close(), folder=str(ROOT)):
        yield port


class _Desk:
    """The arbiter's browser: signed in, on the round page, entering results board by board."""

    def __init__(self, this_round: Round, arbiter: User, port: int) -> None:
        from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
        from django.contrib.sessions.backends.db import SessionStore
        from django.urls import reverse

        self.port = port
        session = SessionStore()
        session[SESSION_KEY] = str(arbiter.pk)
        session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
        session[HASH_SESSION_KEY] = arbiter.get_session_auth_hash()
        session.save()
        event = this_round.tournament
        self.addresses = {
            board: reverse("board_result", args=[event.club.slug, event.slug, this_round.number, board])
            for board in range(1, BOARDS + 1)
        }
        self.seen = {game.board: (game.pk, game.revision, game.result) for game in this_round.games.all()}
        self.headers = {
            "Cookie": f"sessionid={session.session_key}; csrftoken={_TOKEN}",
            "X-CSRFToken": _TOKEN,
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def enter_results(self, goes_on: Callable[[int], bool]) -> list[float]:
        """Enter results one after another, each different from the one before. Return the seconds of each."""
        seconds: list[float] = []
        while goes_on(len(seconds)):
            seconds.append(self._enter_one(1 + len(seconds) % BOARDS))
            time.sleep(SECONDS_BETWEEN_RESULTS)
        return seconds

    def _enter_one(self, board: int) -> float:
        game, revision, result = self.seen[board]
        wanted = next(other for other in RESULTS if other != result)
        sent = urlencode({f"result-{board}": wanted, f"seen-{board}": f"{game}.{revision} {result}"})
        begun = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", self.addresses[board], body=sent, headers=self.headers)
        answer = connection.getresponse()
        answer.read()
        took = time.perf_counter() - begun
        connection.close()
        if answer.status != 200:
            sys.exit(f"a result was refused: {answer.status}")
        self.seen[board] = (game, revision + 1, wanted)
        return took


def _measure_import(file: Path, desk: _Desk) -> None:
    begun = time.perf_counter()
    command = [sys.executable, "manage.py", "import_rating_list", str(file)]
    process = subprocess.Popen(command, cwd=ROOT)
    peaks: list[int] = []

    def goes_on(_count: int) -> bool:
        peaks.append(_peak(process.pid))
        return process.poll() is None

    seconds = desk.enter_results(goes_on)
    if process.returncode:
        sys.exit("the import failed")
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"import: {time.perf_counter() - begun:.0f} s ({own.ru_utime + own.ru_stime:.0f} s of its own processor time),"
        f" at most {max(peaks) / 1024:.0f} MB of memory"
    )
    _print_times("a result during the import", seconds)


def _peak(process: int) -> int:
    """The peak memory of a process in KB. The system's own figure would include the parent's."""
    said = Path(f"/proc/{process}/status").read_text()
    return next((int(line.split()[1]) for line in said.splitlines() if line.startswith("VmHWM:")), 0)


def _processor() -> Callable[[], float]:
    """CPU time of this process, and of its PostgreSQL process."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return time.process_time
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (served_by,) = cursor.fetchone()
    ran = Path(f"/proc/{served_by}/schedstat")
    return lambda: time.process_time() + int(ran.read_text().split()[0]) / 1e9


def _measure_searches(missed: Path | None, clock: Callable[[], float]) -> None:
    kinds = queries()
    for name, asked in kinds.items():
        _timed_search(asked[0])
        _print_times(f"search, {name}", [_timed_search(query) for query in asked])
    _measure_recall(missed, clock)
    cold = [_cold_search(query) for asked in kinds.values() for query in asked[:20]]
    _print_times("search, twenty of each, from a cold disk", cold)


def queries() -> dict[str, list[str]]:
    """Two hundred queries of each kind, about players on the list; the first name is the family name."""
    chance = random.Random(2)
    listed = [line for place, line in enumerate(lines(2_000, with_spelt_names=True)) if place % EVERY_FIFTH]
    chance.shuffle(listed)
    listed = listed[:200]
    names = [line[15:76].strip() for line in listed]
    pairs = [name.split(", ") for name in names]
    return {
        "an ID": [line[:15].strip() for line in listed],
        "a whole name": names,
        "a family name": [family for family, _given in pairs],
        "three letters of a beginning": [family[:3] for family, _given in pairs],
        "three letters from the middle": [family[1:4] for family, _given in pairs],
        "a longer part from the middle": [family[1:7] for family, _given in pairs],
        "four letters and four": [f"{family[:4]} {given[:4]}" for family, given in pairs],
        "two letters and two": [f"{family[:2]} {given[:2]}" for family, given in pairs],
        "a whole name in Cyrillic letters": [name.lower().replace("ch", "ч").translate(CYRILLIC) for name in names],
        "a name that is nobody's": [f"{family} qu" for family, _given in pairs],
    }


def misspelt(count: int = 2_000) -> dict[str, list[tuple[str, str]]]:
    """Names of `spelt_names` spelt differently from the list, each with the name that should be found.

    Of each kind so many as a quarter of `count`: as another country writes it; a typo in it; two typos in it; given
    name first, with a typo; another spelling with a typo; a family name alone with one. A typo is a letter changed,
    left out, doubled, or having changed places with the next.
    """
    chance = random.Random(3)
    found: dict[str, list[tuple[str, str]]] = {}
    names = spelt_names(20 * count)

    def add(kind: str, wanted: str, query: str) -> None:
        if len(found.setdefault(kind, [])) < count // 4:
            found[kind].append((wanted, query))

    for name, manner in names:
        listed = name.written(manner)
        wanted = ", ".join(listed)
        family, given = listed
        for other in name.manners:
            spelt = name.written(other)
            if [word.lower() for word in spelt] != [word.lower() for word in listed]:
                add(f"as {_WRITTEN.get(other, other)}", wanted, " ".join(spelt))
        if len(family) >= 5:
            add("one typo", wanted, f"{_with_typo(family, chance)} {given}")
            add("given name first, one typo", wanted, f"{given} {_with_typo(family, chance)}")
            add("a family name alone, one typo", wanted, _with_typo(family, chance))
        if len(family) >= 8 and len(given) >= 5:
            twice = _with_typo(_with_typo(family, chance), chance), given
            each = _with_typo(family, chance), _with_typo(given, chance)
            add("two typos", wanted, " ".join(chance.choice((twice, each))))
        spelt = name.written(chance.choice([each for each in name.manners if each != manner]))
        if len(spelt[0]) >= 5:
            add("another country's spelling, one typo", wanted, f"{_with_typo(spelt[0], chance)} {spelt[1]}")
    return found


_WRITTEN = {
    "own": "its own country writes it",
    "FIDE": "FIDE writes it",
    "passport": "a passport has it",
    "letter by letter": "it is letter by letter",
    "two letters": "two letters for one with a mark",
    "plain": "letters without marks",
} | {country: f"{country} newspapers write it" for country in ("German", "Polish", "Czech", "French")}


def _with_typo(word: str, chance: random.Random) -> str:
    place = chance.randrange(len(word) - 1)
    before, letter, following, behind = word[:place], word[place], word[place + 1], word[place + 2 :]
    return chance.choice(
        (
            f"{before}{chance.choice('abdegiklmnoprstuvz')}{following}{behind}",
            f"{before}{following}{behind}",
            f"{before}{letter}{letter}{following}{behind}",
            f"{before}{following}{letter}{behind}",
        )
    )


def _measure_recall(missed: Path | None, clock: Callable[[], float]) -> None:
    from clubs.rating.lists.import_jobs import get_fide_register
    from clubs.rating.lists.player_search import find_listed_players

    register = get_fide_register()
    all_seconds: list[float] = []
    for name, asked in misspelt().items():
        seconds, hits = [], 0
        for wanted, query in asked:
            begun = clock()
            players = find_listed_players([register], query).players
            seconds.append(clock() - begun)
            if any(player.name == wanted for player in players):
                hits += 1
            elif missed:
                with missed.open("a") as file:
                    file.write(f"{name}\t{query}\t{wanted}\t{len(players)}\n")
        all_seconds += seconds
        _print_times(f"search, {name}: found {hits} of {len(asked)} ({hits / len(asked):.1%})", seconds)
    _print_times("search, all of these", all_seconds)


def _timed_search(query: str) -> float:
    from clubs.rating.lists.import_jobs import get_fide_register
    from clubs.rating.lists.player_search import find_listed_players

    begun = time.perf_counter()
    find_listed_players([get_fide_register()], query)
    return time.perf_counter() - begun


def _cold_search(query: str) -> float:
    """With a new connection, and with an empty file cache if the database is a file."""
    from django.db import connection

    connection.close()
    if connection.vendor == "sqlite":
        with open(connection.settings_dict["NAME"], "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return _timed_search(query)


def _print_times(name: str, seconds: list[float]) -> None:
    p95 = statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
    print(
        f"{name}: median {1000 * statistics.median(seconds):.1f} ms, 95th percentile {1000 * p95:.1f} ms,"
        f" longest {1000 * max(seconds):.0f} ms ({len(seconds)})",
        flush=True,
    )


if __name__ == "__main__":
    main()
