"""A deployed Clubnight: pages, streams and a worker, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.fork_server import ForkedProcess
from tests.servers import free_port, running

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 180
"""How long anything may take before a test gives up; nothing is asserted about time."""

LOOK = """
import json
import config.celery
from common.jobs.status import job_summary
from common.jobs.queue import requeue_lost
from common.models import Job
from tournaments.models import Game, LogEntry

job = Job.objects.get(pk={job})
if {again}:
    requeue_lost()
print(json.dumps({{
    "state": job.state, "standing": job_summary(job).status, "attempt": job.attempt, "error": job.error,
    "games": Game.objects.count(), "paired": LogEntry.objects.filter(action="round paired").count(),
}}))
"""


class Deployment:
    """An empty database, a queue's URL, and the processes that are started on them.

    `environment` is theirs, and may be changed before the next is started.
    """

    worker_module: tuple[str, ...] = ("celery", "-A", "config", "worker", "--pool", "solo", "--without-gossip")

    def __init__(self, folder: Path, *, database: str, queue: str, is_migrated: bool = False) -> None:
        self._script_servers: dict[frozenset[tuple[str, str]], subprocess.Popen[str]] = {}
        self.database, self.worker_log = database, folder / "worker.log"
        ports = free_port(), free_port()
        self.pages_at, self.streams_at = (f"http://127.0.0.1:{port}" for port in ports)
        self.environment = os.environ | {
            "CLUBNIGHT_DATABASE": database,
            "CLUBNIGHT_REDIS": queue,
            "CLUBNIGHT_LIVE": self.streams_at,
            "CLUBNIGHT_VAR": str(folder),
        }
        if not is_migrated:
            self.manage("migrate", "--verbosity", "0")

    def manage(self, *arguments: str) -> str:
        """The output of a management command."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.strip()

    def shell(self, script: str) -> str:
        """The output of a script in another process; the next script with the same environment runs in it too."""
        teller = self._script_server()
        assert teller.stdin
        assert teller.stdout
        teller.stdin.write(json.dumps(script) + "\n")
        teller.stdin.flush()
        answer = teller.stdout.readline()
        assert answer, f"the process of scripts ended with {teller.wait()}"
        told = json.loads(answer)
        assert not told["failure"], told["failure"]
        return str(told["printed"]).strip()

    def _script_server(self) -> subprocess.Popen[str]:
        """The script process for the present environment, an existing one if there is one."""
        now = frozenset(self.environment.items())
        if now not in self._script_servers:
            self._script_servers[now] = subprocess.Popen(
                [sys.executable, "-m", "tests.script_server"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._script_servers[now]

    def end(self) -> None:
        """End the script processes. The next script starts another one."""
        for teller in self._script_servers.values():
            teller.communicate()
        self._script_servers.clear()

    def look(self, job: str, *, again: bool = True) -> dict[str, Any]:
        """The status of the job as its page shows it. Looking restarts a lost job."""
        return json.loads(self.shell(LOOK.format(job=job, again=again)))

    def wait_for(self, job: str, **wanted: Any) -> dict[str, Any]:
        """Poll until the job has this status."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            seen = self.look(job)
            if all(seen[name] == value for name, value in wanted.items()):
                return seen
            time.sleep(0.1)
        pytest.fail(f"never {wanted}, but {seen}; {self.worker_log.read_text()[-3000:]}")

    @contextmanager
    def pages(self) -> Iterator[None]:
        address = self.pages_at.removeprefix("http://")
        with self._serving("gunicorn", "config.wsgi", "--bind", address, "--workers", "2", answers=self.pages_at):
            yield

    @contextmanager
    def streams(self) -> Iterator[None]:
        port = self.streams_at.rpartition(":")[2]
        more = ("--timeout-graceful-shutdown", "1", "--log-level", "warning")
        answers = f"{self.streams_at}/live/"
        with self._serving("uvicorn", "config.asgi:application", "--port", port, *more, answers=answers):
            yield

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes] | ForkedProcess]:
        """A worker in a process of its own, killed at the end of the block in any case."""
        command = [sys.executable, "-m", *self.worker_module]
        with self.worker_log.open("ab") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    @contextmanager
    def _serving(self, module: str, *arguments: str, answers: str) -> Iterator[None]:
        def asked() -> None:
            try:
                urllib.request.urlopen(answers, timeout=5).close()  # noqa: S310
            except urllib.error.HTTPError:
                return

        command = [sys.executable, "-m", module, *arguments]
        with running(command, answers=asked, folder=str(ROOT), environment=self.environment):
            yield
