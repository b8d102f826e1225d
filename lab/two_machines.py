"""A machine fails in the middle of an evening: `python -m lab.two_machines [--times 6] [--phones 400]`.

Network namespaces simulate five machines on this one, connected by one bridge: PostgreSQL and Redis, a Caddy with
`deploy/Caddyfile`, two machines with the services of `deploy/systemd`, and one for all clients. Results are entered,
rounds are paired, and phones have the round open. Each time, one of the two loses its network first. Then all its
processes are killed, one of which has locked the round. Later it comes back. Prints whether acknowledged results and
rounds were kept, and how long phones and forms had to wait. Needs root, iproute2, Caddy, PostgreSQL and Redis.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlsplit

from lab.faults import HANDS, Hand
from lab.faults_stage import (
    PATIENCE,
    ROOT,
    Stage,
    collect_style,
    in_a_world_of_its_own,
    spawn,
    start_postgresql,
    start_redis,
)
from lab.figures import seconds_text, table
from lab.odd_visitors import OddVisitor

NAMESPACES = ("--net", "--pid", "--fork", "--kill-child", "--mount-proc")
NETWORK = "10.87.1"
EVERYBODY, STORES, BALANCER = (f"{NETWORK}.{number}" for number in (1, 2, 3))
APPLICATIONS = {"one": f"{NETWORK}.11", "two": f"{NETWORK}.12"}
SERVICES = ("pages", "officers", "streams", "worker@rounds", "worker@papers", "beat")
ENDPOINTS = ("8001/healthz", "8003/healthz", "8002/healthz")

BREATH = 1.5
"""Seconds between two results that one person enters, on average."""
ROUND_EVERY = 5.0
VISITORS = 3
AWAY, BACK = 25.0, 15.0
"""Seconds for which a machine is away, and for which both run before one fails again."""
PHONES_WITHIN = 10.0
"""Seconds within which every phone must have its stream again."""
SILENT_FOR, ASK_EVERY, TRY_AGAIN = 40.0, 5.0, 30.0
"""As in `static/js/live_updates.js`."""


def on(name: str) -> tuple[str, ...]:
    """The beginning of a command that runs on this machine."""
    return ("ip", "netns", "exec", name)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def connect_machines() -> None:
    """Make a network namespace for each machine. All are on one bridge, where this process asks from."""
    Path("/run/netns").mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run/netns"], check=True)
    _ip("link", "set", "lo", "up")
    _ip("link", "add", "bridge", "type", "bridge")
    _ip("address", "add", f"{EVERYBODY}/24", "dev", "bridge")
    _ip("link", "set", "bridge", "up")
    for name, address in {"stores": STORES, "balancer": BALANCER, **APPLICATIONS}.items():
        _ip("netns", "add", name)
        _ip("link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
        _ip("link", "set", f"to-{name}", "master", "bridge", "up")
        for words in (
            ("address", "add", f"{address}/24", "dev", "eth0"),
            *(("link", "set", each, "up") for each in ("lo", "eth0")),
        ):
            _ip("-netns", name, *words)


@dataclass(kw_only=True)
class Machine:
    """A machine with the services of `deploy/systemd`."""

    name: str
    stage: Stage

    @property
    def address(self) -> str:
        return APPLICATIONS[self.name]

    def start(self) -> None:
        """Connect it, and start all its services."""
        _ip("link", "set", f"to-{self.name}", "up")
        for service in SERVICES:
            self.run(_command(service, self.name, self.address))

    def run(self, command: Sequence[str]) -> None:
        folder = self.stage.folder / self.name
        folder.mkdir(exist_ok=True)
        spawn([*on(self.name), *command], self.stage, ROOT, CLUBNIGHT_VAR=str(folder), CLUBNIGHT_LISTEN=self.address)

    def wait_until_up(self) -> None:
        deadline = time.monotonic() + PATIENCE
        for endpoint in ENDPOINTS:
            port, _slash, path = endpoint.partition("/")
            while not _answers(self.address, int(port), f"/{path}"):
                if time.monotonic() > deadline:
                    raise SystemExit(f"{self.name} did not come up: {self.stage.log.read_text()[-3000:]}")
                time.sleep(0.2)

    def fail(self) -> None:
        """Cut its network, so that nobody notices its end, and kill all its processes."""
        held = self.stage.folder / "held"
        held.unlink(missing_ok=True)
        self.run([sys.executable, "-m", "lab.faults_event", "-", str(held), "hold"])
        while not held.exists():
            time.sleep(0.01)
        _ip("link", "set", f"to-{self.name}", "down")
        while keys := subprocess.run(
            ["ip", "netns", "pids", self.name], check=True, capture_output=True
        ).stdout.split():
            for key in keys:
                with suppress(ProcessLookupError):
                    os.kill(int(key), signal.SIGKILL)


def _command(service: str, machine: str, address: str) -> list[str]:
    """What systemd would start, with the programs of this checkout."""
    kind, _at, instance = service.partition("@")
    unit = (ROOT / "deploy" / "systemd" / f"clubnight-{kind}{'@' if instance else ''}.service").read_text()
    (started,) = re.findall(r"^ExecStart=/opt/clubnight/.venv/bin/(.*)$", unit, re.MULTILINE)
    nice = re.findall(r"^Nice=(.*)$", unit, re.MULTILINE) or ["0"]
    # Machines have names of their own, these namespaces do not.
    started = started.replace("%%h", machine).replace("%i", instance).replace("${CLUBNIGHT_LISTEN}", address)
    return ["nice", "-n", *nice, f"{Path(sys.executable).parent}/{started.split()[0]}", *started.split()[1:]]


def _answers(host: str, port: int, path: str) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def two_machines(waiting: int) -> Iterator[tuple[Stage, list[Machine]]]:
    """Two machines on one database behind one balancer, and `waiting` events whose first round is not paired yet."""
    with tempfile.TemporaryDirectory(prefix="clubnight-machines-") as name, ExitStack() as ending:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "var").mkdir()
        stage = Stage(folder=folder, port=80, host=BALANCER, environment=dict(os.environ))
        stage.environment |= {
            "CLUBNIGHT_DEBUG": "0",
            "CLUBNIGHT_FILES": "database",
            "CLUBNIGHT_HOSTS": f"{BALANCER},{','.join(APPLICATIONS.values())}",
            "CLUBNIGHT_LIVE": f"http://{BALANCER}",
            "CLUBNIGHT_PROXIES": BALANCER,
            "CLUBNIGHT_SECRET_KEY": token_urlsafe(50),
            "CLUBNIGHT_VAR": str(folder / "var"),
            "WEB_CONCURRENCY": "2",
        }
        ending.callback(stage.end)
        start_postgresql(stage, folder, at=STORES, on=on("stores"))
        start_redis(stage, at=STORES, on=on("stores"))
        stage.told = stage.ask("prepare", str(waiting))
        machines = [Machine(name=name, stage=stage) for name in APPLICATIONS]
        for machine in machines:
            machine.start()
        _start_balancer(stage)
        for machine in machines:
            machine.wait_until_up()
        yield stage, machines


def _start_balancer(stage: Stage) -> None:
    """Caddy, with the site of the server guide and the settings that it names for several machines."""
    site = stage.folder / "Caddyfile"
    site.write_text((ROOT / "deploy" / "Caddyfile").read_text().replace("chess.example.org", BALANCER))
    subprocess.run([*on("balancer"), "sysctl", "--quiet", "net.ipv4.tcp_keepalive_probes=3"], check=True)
    settings = {
        f"CLUBNIGHT_{name}_AT": " ".join(f"{address}:{port}" for address in APPLICATIONS.values())
        for name, port in (("PAGES", 8001), ("STREAMS", 8002), ("OFFICERS", 8003))
    }
    settings |= {"CLUBNIGHT_UPSTREAMS": "several_machines", "CLUBNIGHT_NAME": f"http://{BALANCER}"}
    command = [*on("balancer"), "caddy", "run", "--config", str(site), "--adapter", "caddyfile"]
    stage.begin(
        "balancer",
        lambda: spawn(command, stage, XDG_DATA_HOME=str(stage.folder), XDG_CONFIG_HOME=str(stage.folder), **settings),
        lambda: stage.request("GET", "/healthz"),
    )


# -- Who asks ---------------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Phone:
    """When its stream began to send, when it ended, and the last version that it received."""

    began: list[float] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)
    version: int = 0


class Phones(threading.Thread):
    """Pages that listen to a stream, and open it again as browsers and `static/js/live_updates.js` do."""

    def __init__(self, stream: str, how_many: int) -> None:
        super().__init__(daemon=True)
        self.stream, self.refused = urlsplit(stream), 0
        self.phones = [Phone() for _number in range(how_many)]

    def run(self) -> None:
        asyncio.run(self._all())

    async def _all(self) -> None:
        await asyncio.gather(*(self._listen(phone) for phone in self.phones))

    async def _listen(self, phone: Phone) -> None:
        await asyncio.sleep(random.uniform(0, 5))
        pause = 3.0
        while True:
            with suppress(OSError, TimeoutError, ValueError):
                reader, writer = await asyncio.open_connection(
                    self.stream.hostname, self.stream.port or 80, limit=2**20
                )
                try:
                    headers = f"Host: {self.stream.netloc}\r\nConnection: close\r\n"
                    writer.write(f"GET {self.stream.path} HTTP/1.1\r\n{headers}\r\n".encode())
                    pause = await self._follow(phone, reader, pause)
                finally:
                    writer.close()
            phone.ended.append(time.monotonic())
            await asyncio.sleep(pause)

    async def _follow(self, phone: Phone, reader: asyncio.StreamReader, pause: float) -> float:
        """Listen until the stream ends. Return the seconds until the page opens it again."""
        if b" 200 " not in await asyncio.wait_for(reader.readline(), SILENT_FOR):
            self.refused += 1
            return TRY_AGAIN + random.uniform(0, ASK_EVERY)
        is_new = True
        while line := await asyncio.wait_for(reader.readline(), SILENT_FOR):
            if line.startswith(b"retry: "):
                pause = int(line.removeprefix(b"retry: ")) / 1000
            elif line.startswith(b"data: "):
                phone.version = int(re.findall(rb"\d+", line)[0])
                if is_new:
                    phone.began.append(time.monotonic())
                is_new = False
        return pause


class Pairings(threading.Thread):
    """Somebody who has one round after another paired. A request without an answer is not repeated."""

    def __init__(self, stage: Stage, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.stage, self.over = stage, over
        self.tries: list[tuple[str, bool]] = []

    def run(self) -> None:
        for address in self.stage.told["waiting"]:
            if self.over.wait(ROUND_EVERY):
                return
            done = False
            with suppress(OSError, http.client.HTTPException):
                status, _page = self.stage.request("POST", f"{address}pair/")
                done = status == http.client.FOUND
            self.tries.append((address, done))


# -- The evening ------------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Evening:
    """What was entered, what was kept, and how long everybody waited after each failure."""

    judged: dict[str, Any]
    tried: int
    acknowledged: int
    phones: list[float]
    without_stream: int
    """Phones that had no stream, or did not know the last version, at the end."""
    forms: list[float]
    jobs: list[float]
    refused: int
    visitors: Counter[int]
    """Answers to visitors by their status; 0 if the connection was cut."""


def play(times: int, phones_there: int) -> Evening:
    """Run one evening with this number of failures."""
    waiting = round(times * (AWAY + BACK) / ROUND_EVERY) + 60
    with two_machines(waiting) as (stage, machines):
        _status, page = stage.request("GET", stage.told["page"])
        stream = re.search(r'data-stream="([^"]+)"', page)
        assert stream, page
        phones, over = Phones(stream[1], phones_there), threading.Event()
        boards = list(stage.told["boards"])
        hands = [Hand(stage, boards[number::HANDS], over, breath=BREATH) for number in range(HANDS)]
        pairings = Pairings(stage, over)
        event = stage.told["page"].partition("rounds/")[0]
        visitors = [OddVisitor(f"http://{BALANCER}", event, number, over) for number in range(VISITORS)]
        for each in (phones, *hands, pairings, *visitors):
            each.start()
        time.sleep(BACK)
        failed = []
        for turn in range(times):
            machine = machines[turn % 2]
            machine.fail()
            failed.append(time.monotonic())
            sys.stderr.write(f"{machine.name} failed\n")
            time.sleep(AWAY)
            machine.start()
            machine.wait_until_up()
            time.sleep(BACK)
        over.set()
        for hand in (*hands, pairings, *visitors):
            hand.join(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while stage.ask("unfinished") and time.monotonic() < deadline:
            time.sleep(1)
        time.sleep(20)  # a heartbeat repeats the version
        last = max(phone.version for phone in phones.phones)
        lost = sum(phone.version != last or len(phone.began) <= len(phone.ended) for phone in phones.phones)
        tries = {board: each for hand in hands for board, each in hand.tries.items()}
        judged = stage.ask("judge-results", given=tries)
        of_rounds = stage.ask("judge-pairings", given=pairings.tries)
        done = [is_done for each in tries.values() for *_what, is_done in each]
        done += [is_done for _address, is_done in pairings.tries]
        judged = {name: judged[name] + of_rounds[name] for name in judged if name != "unsound"} | {
            "unsound": of_rounds["unsound"],
            "crashed": stage.answers.get(http.client.INTERNAL_SERVER_ERROR, 0)
            + sum(status == http.client.INTERNAL_SERVER_ERROR for each in visitors for status, *_rest in each.told),
        }
        return Evening(
            judged=judged,
            tried=len(done),
            acknowledged=sum(done),
            phones=[wait for at in failed for wait in reopened_in(phones.phones, at)],
            without_stream=lost,
            forms=[wait for at in failed for hand in hands for wait in answered_in(hand.done_at, at)],
            jobs=stage.ask("job-seconds"),
            refused=phones.refused,
            visitors=Counter(status for visitor in visitors for status, *_rest in visitor.told),
        )


def reopened_in(phones: Sequence[Phone], failed: float) -> Iterator[float]:
    """Return the seconds until each phone whose stream ended because of a failure had one again."""
    for phone in phones:
        if ended := next((each for each in phone.ended if failed < each < failed + AWAY + BACK), None):
            yield next((each for each in phone.began if each > ended), float("inf")) - failed


def answered_in(done_at: Sequence[float], failed: float) -> Iterator[float]:
    """The seconds from a failure until a form of this person was stored again."""
    yield next((at for at in done_at if at > failed), float("inf")) - failed


def main() -> None:
    """Play an evening. Exit status 1 if anything was lost, doubled or wrong, or a phone waited too long."""
    parser = argparse.ArgumentParser(prog="python -m lab.two_machines", description=__doc__)
    parser.add_argument("--times", type=int, default=6, help="how often a machine fails (default 6)")
    parser.add_argument("--phones", type=int, default=400, help="pages with a stream (default 400)")
    options = parser.parse_args()
    if missing := [program for program in ("ip", "caddy") if shutil.which(program) is None]:
        raise SystemExit(f"not installed: {' '.join(missing)} (./dev setup installs them)")
    collect_style()
    if not in_a_world_of_its_own("lab.two_machines", *NAMESPACES):
        raise SystemExit("Run this as root.")
    connect_machines()
    evening = play(options.times, options.phones)
    _say(evening, options.times)
    harm = sum(value for value in evening.judged.values() if isinstance(value, int)) + evening.without_stream
    raise SystemExit(int(harm > 0 or max(evening.phones, default=0) > PHONES_WITHIN))


def _say(evening: Evening, times: int) -> None:
    rows = [["machine killed", str(times)], ["actions tried", str(evening.tried)]]
    rows += [["acknowledged", str(evening.acknowledged)]]
    rows += [[name, str(value)] for name, value in evening.judged.items() if isinstance(value, int)]
    for name, waits in (
        ("stream again", evening.phones),
        ("form stored again", evening.forms),
        ("job done", evening.jobs),
    ):
        ordered = sorted(waits) or [0.0]
        p50, p95 = (ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.95))
        rows.append([f"{name} ({len(waits)}): p50, p95, max, s", ", ".join(map(seconds_text, (p50, p95, ordered[-1])))])
    rows += [
        ["phones without the last version", str(evening.without_stream)],
        ["streams refused", str(evening.refused)],
    ]
    sys.stdout.write(f"{table(['', ''], rows)}\n")
    for each in evening.judged["evidence"]:
        sys.stderr.write(f"{each}\n")


if __name__ == "__main__":
    main()
