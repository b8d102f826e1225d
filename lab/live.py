"""Measure how soon a result is stored and reaches the phones: `python -m lab.live [--evening [--visitors 50]]`.

An event of 40 players on SQLite and on PostgreSQL, served as in a deployment: gunicorn for the pages, uvicorn for the
streams, both on this machine together with everything that asks them. Open pages that listen and ask are one process
(`lab/live_phones.py`), visitors who ask for printouts and odd addresses another (`lab/odd_visitors.py`); the secretary
is this one, entering results over HTTP, or a Chromium with `--browser`. With such visitors, PostgreSQL comes with a
Redis and the worker that prints for them, as in the server guide.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from urllib.parse import urlencode

from lab.figures import seconds_text, table
from lab.live_phones import first_sent, reached_in
from lab.machine import machine
from lab.odd_visitors import answers_by_kind, odd_visitors
from tests.servers import free_port, postgresql, redis_process, running

ROOT = Path(__file__).resolve().parents[1]
PLAYERS = 40
BOARDS = PLAYERS // 2
EVENT = "/lab/wednesday/rounds/1/"
RESULTS = ("1-0", "1/2", "0-1")
WORKERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The number of open pages, of odd visitors and of results entered, and the pause before each result."""

    pages: int
    entries: int
    pause: float
    visitors: int = 0


FULL = (
    Load(pages=0, entries=60, pause=0.2),
    Load(pages=40, entries=100, pause=0.4),
    Load(pages=400, entries=20, pause=1.5),
    Load(pages=2_000, entries=8, pause=5.0),
)
EVENING = (Load(pages=2_000, entries=200, pause=1.5),)
"""40 results a minute for five minutes."""
QUICK = (Load(pages=0, entries=6, pause=0.1), Load(pages=10, entries=6, pause=0.5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The processes of a deployment: pages for visitors, pages for officers, streams."""

    pages: str
    officers: str
    streams: str
    live_pid: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.live", description="Time results and their way to phones.")
    parser.add_argument("--quick", action="store_true", help="few pages, few results: does it work?")
    parser.add_argument("--evening", action="store_true", help="2,000 pages, 40 results a minute for five minutes")
    parser.add_argument("--only", choices=("SQLite", "PostgreSQL"), help="one of the databases")
    parser.add_argument("--load", nargs=3, type=float, metavar=("PAGES", "RESULTS", "PAUSE"), help="one load only")
    parser.add_argument("--browser", action="store_true", help="enter results in a Chromium, too")
    parser.add_argument("--visitors", type=int, default=0, help="... who ask for printouts and odd addresses meanwhile")
    options = parser.parse_args()
    _print(machine(1 if options.quick else 5))
    loads: tuple[Load, ...] = QUICK if options.quick else EVENING if options.evening else FULL
    if options.load:
        pages, entries, pause = options.load
        loads = (Load(pages=int(pages), entries=int(entries), pause=pause),)
    loads = tuple(replace(load, visitors=options.visitors) for load in loads)
    with tempfile.TemporaryDirectory(prefix="clubnight-lab-") as folder:
        if options.only != "PostgreSQL":
            _measure("SQLite", f"{folder}/lab.sqlite3", folder, loads, browser=options.browser)
        if options.only != "SQLite":
            with postgresql() as address:
                _measure("PostgreSQL", address, folder, loads, browser=options.browser)


def prepare() -> None:
    """Create the event in the database of this process's settings."""
    import django

    django.setup()
    from clubs.models import Club, Membership, Role, User
    from pairing.rounds.lifecycle.transitions import pair_round, publish_round
    from tournaments.entries.enrolment import enter_pasted_list
    from tournaments.events.event_setup import create_tournament

    club = Club.objects.create(slug="lab", name="Bench")
    secretary = User.objects.create_user("secretary", password="secretary")  # noqa: S106
    Membership.objects.create(user=secretary, club=club, role=Role.SECRETARY)
    event = create_tournament(club, by=secretary, name="Wednesday", rounds_announced=5, system="jahr")
    enter_pasted_list(event, "\n".join(f"Pionek, Nr{n:03}; {2200 - 10 * n}" for n in range(PLAYERS)), by=secretary)
    draft = pair_round(event.rounds.get(number=1).pk, by=secretary).round
    publish_round(draft, by=secretary, version=draft.version)


# -- Serving -------------------------------------------------------------------------------------------------------


@contextmanager
def _served(database: str, folder: str, *, queue: str = "") -> Iterator[Site]:
    pages, officers, streams = free_port(), free_port(), free_port()
    environment = os.environ | {
        "CLUBNIGHT_DATABASE": database,
        "CLUBNIGHT_DEBUG": "0",
        "CLUBNIGHT_HOSTS": "127.0.0.1",
        "CLUBNIGHT_VAR": folder,
        "CLUBNIGHT_LIVE": f"http://127.0.0.1:{streams}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(ROOT),
    }
    environment["CLUBNIGHT_REDIS"] = queue
    programs = Path(sys.executable).parent
    for command in (["manage.py", "migrate", "-v0"], ["manage.py", "collectstatic", "-v0", "--no-input"]):
        subprocess.run([sys.executable, *command], env=environment, cwd=ROOT, check=True)
    subprocess.run([sys.executable, "-c", "from lab.live import prepare; prepare()"], env=environment, check=True)
    gunicorn = [f"{programs}/gunicorn", "config.wsgi", "--backlog", "4096"]
    for_visitors = [*gunicorn, "--workers", str(WORKERS), "--bind", f"127.0.0.1:{pages}"]
    # Nice as in deploy/systemd.
    first = ["nice", "-n", "-5"] if os.getuid() == 0 else []
    for_officers = [*first, *gunicorn, "--workers", "1", "--bind", f"127.0.0.1:{officers}"]
    uvicorn = [f"{programs}/uvicorn", "config.asgi:application", "--port", str(streams), "--log-level", "warning"]
    uvicorn += ["--timeout-graceful-shutdown", "1"]
    at, live = f"http://127.0.0.1:{pages}", f"http://127.0.0.1:{streams}"
    desk = f"http://127.0.0.1:{officers}"
    worker = [f"{programs}/celery", "-A", "config", "worker", "--queues", "chores", "--concurrency", "1"]
    worker += ["--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    prints = running(worker, answers=lambda: None, folder=str(ROOT), environment=environment)
    with (
        prints if queue else nullcontext(),
        running(for_visitors, answers=lambda: _got(at, "/"), folder=str(ROOT), environment=environment),
        running(for_officers, answers=lambda: _got(desk, "/"), folder=str(ROOT), environment=environment),
        running(uvicorn, answers=lambda: _got(live, "/live/"), folder=str(ROOT), environment=environment),
    ):
        yield Site(pages=at, officers=desk, streams=live, live_pid=_pids_of("config.asgi", f"--port {streams}")[0])


def _got(base: str, path: str) -> str:
    with closing(http.client.HTTPConnection(base.removeprefix("http://"), timeout=30)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read().decode()


def _pages_processor(site: Site) -> float:
    """CPU seconds of the processes of the visitors' pages."""
    port = site.pages.rpartition(":")[2]
    return sum(_processor(pid) for pid in _pids_of("config.wsgi", f"127.0.0.1:{port}"))


def _pids_of(*words: str) -> list[int]:
    """The processes whose command line contains all these words."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # processes start and end meanwhile
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if all(word in command for word in words):
                found.append(int(folder.name))
    return found


def _memory(pid: int) -> int:
    """The memory of a process in megabytes."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) // 1024 if found else 0


def _processor(pid: int) -> float:
    """CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# -- Asking --------------------------------------------------------------------------------------------------------


class Secretary:
    """A signed-in user who enters results, sent as by a round page."""

    def __init__(self, base: str) -> None:
        self._host = base.removeprefix("http://")
        self._cookies: dict[str, str] = {}
        self._turns = ((board, result) for result in cycle(RESULTS) for board in range(1, BOARDS + 1))
        self._ask("GET", "/sign-in/")
        self._ask("POST", "/sign-in/", {"login": "secretary", "password": "secretary"})
        self._revisions = dict(re.findall(r'name="seen-(\d+)" value="([^"]*)"', self._ask("GET", EVENT)))

    def enter_next(self) -> float:
        """Enter a new result at the next board."""
        return self.enter(*next(self._turns))

    def enter(self, board: int, result: str) -> float:
        """The seconds from the click until the row comes back with the stored result."""
        began = time.monotonic()
        row = self._ask(
            "POST",
            f"{EVENT}boards/{board}/result/",
            {f"result-{board}": result, f"seen-{board}": self._revisions[str(board)]},
            {"HX-Request": "true", "HX-Target": f"board-{board}"},
        )
        took = time.monotonic() - began
        seen = re.search(rf'name="seen-{board}" value="([^"]*)"', row)
        if not seen or not seen[1].endswith(result):
            raise RuntimeError(f"not stored: {row[:500]}")
        self._revisions[str(board)] = seen[1]
        return took

    def version(self) -> int:
        """The event's version for players."""
        part = self._ask("GET", EVENT, headers={"HX-Request": "true", "HX-Target": "live"}, cookies=False)
        return int(part.partition('data-version="')[2].partition('"')[0])

    def _ask(
        self,
        method: str,
        path: str,
        form: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
        *,
        cookies: bool = True,
    ) -> str:
        sent = dict(headers or {})
        if cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        if form is not None:
            sent |= {"Content-Type": "application/x-www-form-urlencoded"}
            sent |= {"X-CSRFToken": self._cookies["csrftoken"]}
        with closing(http.client.HTTPConnection(self._host, timeout=60)) as connection:
            connection.request(method, path, urlencode(form) if form else None, sent)
            answer = connection.getresponse()
            for line in answer.msg.get_all("Set-Cookie") or []:
                name, _is, value = line.partition(";")[0].partition("=")
                self._cookies[name] = value
            return answer.read().decode()


# -- Measuring -----------------------------------------------------------------------------------------------------


def _measure(name: str, database: str, folder: str, loads: Sequence[Load], *, browser: bool) -> None:
    _print(f"\n## {name}\n")
    rows = []
    with ExitStack() as ending:
        has_queue = name == "PostgreSQL" and loads[0].visitors
        queue = ending.enter_context(redis_process()) if has_queue else ""
        site = ending.enter_context(_served(database, folder, queue=queue))
        secretary = Secretary(site.officers)
        stream = re.search(r'data-stream="([^"]+)"', _got(site.pages, EVENT))
        assert stream
        for load in loads:
            rows.append(_one_load(load, site, secretary, stream[1]))
            sys.stderr.write(f"{name}: {rows[-1]}\n")
        if browser:
            rows.append(_in_a_browser(site, stream[1], 6 if loads is QUICK else 40))
    head = [
        "open pages",
        "results",
        "entry p50, s",
        "p95",
        "longest",
        "to a phone p50, s",
        "p95",
        "last",
        "streams' memory, MB",
    ]
    head += ["its processor, s a result", "that of visitors' pages", "bytes to a page a result"]
    head += ["carried by the stream", "failed", "visitors' printouts", "pages", "other answers", "load"]
    _print(table(head, rows))


def _one_load(load: Load, site: Site, secretary: Secretary, stream: str) -> list[str]:
    entries: list[float] = []
    pressed: dict[int, float] = {}
    with (
        _phones(load.pages, site, stream) as phones,
        odd_visitors(load.visitors, site.pages, EVENT.partition("rounds/")[0]) as visits,
    ):
        processor, pages_processor = _processor(site.live_pid), _pages_processor(site)
        version = secretary.version()
        began = time.monotonic()
        for turn in range(load.entries):
            # Keep the planned rate, however long an entry takes.
            time.sleep(max(0.0, began + (turn + 1) * load.pause - time.monotonic()))
            version += 1
            pressed[version] = time.monotonic()
            entries.append(secretary.enter_next())
        time.sleep(max(4, load.pages / 100))
        processor = (_processor(site.live_pid) - processor) / load.entries
        pages_processor = (_pages_processor(site) - pages_processor) / load.entries
        memory = _memory(site.live_pid)
    failed = [line for line in phones if line.startswith("failed")]
    phones = [line for line in phones if line[0].isdecimal()]
    carried = sum(line.endswith(" carried") for line in phones)
    reached = reached_in(phones, pressed)
    if len(reached) != load.pages * load.entries:
        sys.stderr.write(f"only {len(reached)} of {load.pages * load.entries} were reached\n")
    figures = [*_parts(entries, last=True), *_parts(reached, last=True)]
    sent = sum(int(line.split()[3]) for line in phones) - first_sent(phones)
    each = round(sent / (load.pages * load.entries)) if load.pages else 0
    return [
        f"{load.pages:,}",
        str(load.entries),
        *figures,
        str(memory),
        seconds_text(processor),
        seconds_text(pages_processor),
        f"{each:,}",
        f"{carried / len(phones):.0%}" if phones else "",
        str(len(failed) + load.pages * load.entries - len(reached)),
        *answers_by_kind(visits),
        f"{os.getloadavg()[0]:.1f}",
    ]


def _in_a_browser(site: Site, stream: str, entries: int) -> list[str]:
    """A Chromium: from the key for a result until the row shows that it is stored, with 40 pages open."""
    from playwright.sync_api import sync_playwright

    with _phones(40, site, stream) as _open, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = chromium.new_page(bypass_csp=True)
        page.goto(f"{site.pages}/sign-in/")
        page.fill("#id_login", "secretary")
        page.fill("#id_password", "secretary")
        page.click("main button")
        page.goto(site.pages + EVENT)
        page.evaluate(_WATCH)
        took = []
        for place in range(entries):
            time.sleep(0.6)
            board = place % BOARDS + 1
            page.focus(f"#board-{board}")
            shown = page.locator(f"#board-{board} input:checked").input_value()
            page.keyboard.press({"1-0": "5", "1/2": "0"}.get(shown, "1"))
            page.wait_for_function(f"window.took.length > {place}")
            took.append(page.evaluate("window.took.at(-1)") / 1000)
        chromium.close()
    return ["40, in Chromium", str(entries), *_parts(took, last=True), *[""] * 13]


_WATCH = """() => {
  window.took = [];
  let pressed = 0;
  document.addEventListener("keydown", () => { pressed = performance.now(); }, true);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!event.target.closest("tr[data-board]")) return;
    requestAnimationFrame(() => window.took.push(performance.now() - pressed));
  });
}"""


@contextmanager
def _phones(how_many: int, site: Site, stream: str) -> Iterator[list[str]]:
    """So many open pages. Their output is there when the block has ended."""
    lines: list[str] = []
    if not how_many:
        yield lines
        return
    command = [sys.executable, "-m", "lab.live_phones", stream, site.pages + EVENT, str(how_many)]
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder) / "said"
        with (
            said.open("w") as output,
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, cwd=ROOT) as process,
        ):
            deadline = time.monotonic() + 180
            while "listening" not in said.read_text() and time.monotonic() < deadline:
                time.sleep(0.2)
            # Every page makes one request when it opens.
            while len({line.split()[0] for line in said.read_text().splitlines()}) <= how_many:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.5)
            yield lines
            process.communicate(timeout=60)
        lines += said.read_text().splitlines()


def _parts(seconds: Sequence[float], *, last: bool = False) -> list[str]:
    if not seconds:
        return ["", "", ""][: 3 if last else 2]
    ordered = sorted(seconds)
    found = [ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]]
    if last:
        found.append(ordered[-1])
    return [seconds_text(each) for each in found]


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
