"""Measure the application's cost of a public page: `python -m lab.visitor [PLAYERS]` (default 60).

The WSGI application is called in this process, as gunicorn does, over a SQLite file; each figure is for 1,000 requests
(30 of a page that is made). CPU seconds, log lines and all; the database is asked each time whether the page holds.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time
from typing import Any

from lab import live
from lab.figures import seconds_text, table

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("", "rounds/1/", "standings/", "hall/")
EVENT = "/lab/wednesday/"
REQUESTS, MADE = 1_000, 30

Ask = Callable[..., tuple[int, dict[str, str], bytes]]


def main() -> None:
    """Create an event, request its pages, print the table."""
    live.PLAYERS = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory(prefix="clubnight-visitor-") as folder, open(os.devnull, "w") as nowhere:
        ask = _application(folder, nowhere)
        rows = [_row(ask, EVENT + page) for page in PAGES]
    head = ["page", "bytes", "1,000 pages, s", "1,000 not changed, s", "one made, s"]
    sys.stdout.write(table(head, rows) + "\n")


def _application(folder: str, nowhere: Any) -> Ask:
    os.environ |= {"CLUBNIGHT_DATABASE": f"{folder}/lab.sqlite3", "CLUBNIGHT_VAR": folder, "CLUBNIGHT_DEBUG": "0"}
    os.environ |= {"CLUBNIGHT_HOSTS": "127.0.0.1", "DJANGO_SETTINGS_MODULE": "config.settings", "CLUBNIGHT_REDIS": ""}
    for command in (["migrate", "-v0"], ["collectstatic", "-v0", "--no-input"]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, check=True)
    live.prepare()
    sys.stderr = nowhere
    from config import wsgi

    application: Any = wsgi.application

    def ask(path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        found: dict[str, Any] = {}

        def start(status: str, sent: Iterable[tuple[str, str]], _error: object = None) -> None:
            found["status"], found["headers"] = int(status[:3]), dict(sent)

        environment = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "REMOTE_ADDR": "127.0.0.1",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "HTTP_HOST": "127.0.0.1",
            "wsgi.url_scheme": "http",
            "HTTP_ACCEPT_LANGUAGE": "pl,en;q=0.7",
            "HTTP_ACCEPT_ENCODING": "gzip, deflate, br",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": nowhere,
            **headers,
        }
        answer = application(environment, start)
        content = b"".join(answer)
        answer.close()
        return found["status"], found["headers"], content

    return ask


def _row(ask: Ask, path: str) -> list[str]:
    ask(path)
    _status, headers, content = ask(path)
    whole = _seconds(lambda: ask(path), REQUESTS)
    same = _seconds(lambda: ask(path, HTTP_IF_NONE_MATCH=headers["ETag"]), REQUESTS)
    # A request with a message cookie never gets a cached page.
    made = _seconds(lambda: ask(path, HTTP_COOKIE="messages=made-up"), MADE) / MADE
    return [path, f"{len(content):,}", seconds_text(whole), seconds_text(same), seconds_text(made)]


def _seconds(act: Callable[[], object], times: int) -> float:
    act()
    began = process_time()
    for _time in range(times):
        act()
    return process_time() - began


if __name__ == "__main__":
    main()
