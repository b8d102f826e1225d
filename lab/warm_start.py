"""A process that has loaded the whole program and forks others, so that a killed one is back at once.

`python -m lab.warm_start` reads commands from standard input, a JSON list a line (a module and its arguments), and
answers each with the key of the process that runs it, in a group of its own. `["open", cookie, address, ...]` has pages
asked for before that, so that templates, addresses and words are in memory as well.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import time
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import NoReturn

CLOCK = "CLUBNIGHT_FAULTS_CLOCK"
"""The variable that names the file of a clock that is moved."""

READ_BEFORE = (
    "config.urls",
    "config.celery",
    "gunicorn.app.wsgiapp",
    "celery.bin.celery",
    "celery.worker.worker",
    "celery.concurrency.solo",
)


def main() -> None:
    """Fork until no more commands come."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if clock := os.environ.get(CLOCK):
        _follow(Path(clock))
    django.setup()
    for name in READ_BEFORE:
        import_module(name)
    # Forked children are not waited for: the system removes them.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        command = json.loads(line)
        if command[0] == "open":
            _open(*command[1:])
            continue
        key = os.fork()
        if not key:
            _become(command)
        sys.stdout.write(f"{key}\n")
        sys.stdout.flush()


def _follow(clock: Path) -> None:
    """Move Python's clock, here and in all forks, ahead of the machine's by the seconds in a file."""
    from django.utils import timezone

    true_time, true_now = time.time, timezone.now

    def ahead() -> int:
        return int(clock.read_text())

    time.time = lambda: true_time() + ahead()
    # Set before any model is imported, because models may use it as a default.
    timezone.now = lambda: true_now() + timedelta(seconds=ahead())


def _open(session: str, *addresses: str) -> None:
    """Request pages here as the signed-in user, and send each an empty form; no connection stays open."""
    from django.db import connections
    from django.test import Client

    browser = Client(SERVER_NAME="127.0.0.1", raise_request_exception=False)
    browser.cookies["sessionid"] = session
    for address in addresses:
        browser.get(address)
        browser.post(address)
    connections.close_all()


def _become(command: list[str]) -> NoReturn:
    """Turn this process into the command: `python -m` with the same words."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    module, *sys.argv[1:] = command
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
