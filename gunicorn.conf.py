"""What gunicorn does before it takes requests; it reads this file by itself where it is started."""

import os
import shutil
import tempfile
from typing import Any

# By default a header of this name is the front part of the address that the program is found at, believed of whoever
# comes through a web server of this machine; not all of them keep browsers from sending it.
forwarder_headers = ""


def on_starting(server: Any) -> None:
    """Once, in the process that starts the others."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings

    from config.startup_checks import check_listen_address

    # Each process counts in files of its own, so that whichever answers knows of all.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="clubnight-figures-")

    for address in server.cfg.address:
        check_listen_address(address[0] if isinstance(address, tuple) else "unix", debugging=settings.DEBUG)


def child_exit(_server: Any, worker: Any) -> None:
    """What a process counted stays; that it is there no more is noted."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)


def on_exit(_server: Any) -> None:
    """The last thing, in the process that started the others."""
    shutil.rmtree(os.environ.get("PROMETHEUS_MULTIPROC_DIR", ""), ignore_errors=True)
