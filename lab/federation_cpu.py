"""CPU time of each user action on a federation's Tuesday: `python -m lab.federation_cpu`.

Whatever else the machine does. Processor seconds of one process that answers, pairs and asks, on SQLite: without a web
server, a queue or streams. From them and the presses of an evening follows how many cores the pages of fifty evenings
take.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import threading
import time
from typing import Any

from lab import federation_evening as evening
from lab.figures import seconds_text, table
from tests.servers import free_port, sqlite_with_tables

TIMES = 40
KINDS = {"check-in": "checking in", "pairing": "pairing", "entry": "entering"}
"""A press, and the point at which an evening stands where it is made."""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="clubnight-federation-") as folder:
        os.environ |= {"CLUBNIGHT_DATABASE": f"{folder}/db.sqlite3", "CLUBNIGHT_VAR": folder, "CLUBNIGHT_DEBUG": "0"}
        os.environ |= {"CLUBNIGHT_HOSTS": "127.0.0.1", "CLUBNIGHT_REDIS": "", "CLUBNIGHT_LIVE": "http://127.0.0.1:1"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        shutil.copy(sqlite_with_tables(), f"{folder}/db.sqlite3")
        _print(asyncio.run(_measured(*_served())))


def _served() -> tuple[dict[str, Any], str]:
    """The data, and the pages' address in a thread of this process."""
    import logging

    import django
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    django.setup()
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    import config.celery  # noqa: F401 - jobs are found by it
    from lab.federation_data import made

    logging.disable(logging.CRITICAL)
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    told = made(clubs=10, evenings=3)
    server = ThreadedWSGIServer(("127.0.0.1", free_port()), WSGIRequestHandler)
    server.set_app(get_wsgi_application())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return told, f"127.0.0.1:{server.server_address[1]}"


async def _measured(told: dict[str, Any], host: str) -> dict[str, float]:
    """CPU seconds of each kind of action; the first three of each are for warming up."""
    costs = {}
    for kind, point in (*KINDS.items(), ("page", "entering")):
        desk = next(evening.Desk(0, each, host) for each in told["evenings"] if each["point"] == point)
        await evening.open_desk(desk)
        press = evening.opened if kind == "page" else evening.PRESSES[point]
        found = evening.Told()
        times = TIMES // 4 if kind == "pairing" else TIMES
        for _warming in range(3):
            await press(desk, found)
        before = time.process_time()
        for _each in range(times):
            await press(desk, found)
        costs[kind] = (time.process_time() - before) / times
    return costs


def _print(costs: dict[str, float]) -> None:
    rates = evening.IN_AN_EVENING | {"page": evening.OPENED}
    rows = [
        [kind, seconds_text(cost), f"{rates[kind]:.2f}", f"{cost * rates[kind]:.3f}"] for kind, cost in costs.items()
    ]
    rows.append(["all", "", "", f"{sum(cost * rates[kind] for kind, cost in costs.items()):.3f}"])
    head = ["press", "processor seconds", "a second, in fifty evenings", "cores"]
    sys.stdout.write(table(head, rows) + "\n")


if __name__ == "__main__":
    main()
