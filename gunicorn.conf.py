"""Configuration of gunicorn, which reads this file automatically in the folder where it starts."""

import os
import shutil
import tempfile
from typing import Any

# By default gunicorn trusts this header for the URL prefix of the application from any client behind a local web
# server, and not all web servers remove it from requests.
forwarder_headers = ""

# Nobody controls the server through a socket, whose folder would not be writable.
control_socket_disable = True


def on_starting(server: Any) -> None:
    """Check the addresses, and prepare the metrics. Runs once in the main process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings

    from config.startup_checks import check_listen_address

    # Each process counts in its own files, so that any of them can report all.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="clubnight-figures-")

    for address in server.cfg.address:
        check_listen_address(address[0] if isinstance(address, tuple) else "unix", debugging=settings.DEBUG)


def child_exit(_server: Any, worker: Any) -> None:
    """Record that a process has ended. Its counts are kept."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)


def on_exit(_server: Any) -> None:
    """Delete the metrics files. Runs last in the main process."""
    shutil.rmtree(os.environ.get("PROMETHEUS_MULTIPROC_DIR", ""), ignore_errors=True)
