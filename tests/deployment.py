"""Clubnight as it is deployed: pages, streams and a worker in processes of their own, on PostgreSQL and Redis."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from tests.servers import free_port, running

ROOT = Path(__file__).resolve().parent.parent


class Deployment:
    """An empty database, the address of a queue, and the processes that are started on them."""

    def __init__(self, folder: Path, *, database: str, queue: str) -> None:
        self.database = database
        ports = free_port(), free_port()
        self.pages_at, self.streams_at = (f"http://127.0.0.1:{port}" for port in ports)
        self.environment = os.environ | {
            "CLUBNIGHT_DATABASE": database,
            "CLUBNIGHT_REDIS": queue,
            "CLUBNIGHT_LIVE": self.streams_at,
            "CLUBNIGHT_VAR": str(folder),
        }
        self.manage("migrate", "--verbosity", "0")

    def manage(self, *arguments: str) -> str:
        """What a management command prints."""
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

    def rows(self, query: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
        """What the database holds."""
        with psycopg.connect(self.database) as connection:
            return connection.execute(query, parameters).fetchall()

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
        with self._serving("uvicorn", "config.live:application", "--port", port, *more, answers=answers):
            yield

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        """A worker in a process of its own, killed with the block however it is by then."""
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", "solo", "--without-gossip"]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, cwd=ROOT, env=self.environment, **quiet)  # type: ignore[call-overload]
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
