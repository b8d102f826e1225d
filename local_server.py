"""Runs Clubnight on one computer, for `python -m launch` and `./dev demo`: the pages, and the streams beside them.

`python -m local_server PORT STREAMS_PORT [MESSAGE]`. The message is printed once the pages can be opened. The program
is loaded once, and the process of the streams is forked from it. Where processes can't be forked (Windows), the streams
start on their own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import django

from config.garbage_collection import collect_garbage_rarely


def main() -> None:
    """Serve pages and streams until the user stops the server or the stream process ends."""
    collect_garbage_rarely()
    port, streams_port = map(int, sys.argv[1:3])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # The graph of migrations is loaded once for both.
    from operations.schema_guard import check_database_at_startup

    check_database_at_startup()
    streams = _fork_streams(streams_port) if hasattr(os, "fork") else _start_streams(streams_port)
    try:
        _serve_pages(port, streams, message="".join(sys.argv[3:]))
    except KeyboardInterrupt:
        pass
    finally:
        streams.end()


def _serve_pages(port: int, streams: _Forked | _Started, *, message: str = "") -> None:
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    from config.wsgi import application

    server = ThreadedWSGIServer(("127.0.0.1", port), WSGIRequestHandler)
    server.daemon_threads = True
    server.set_app(application)

    def end_with_streams() -> None:
        streams.wait()
        server.shutdown()

    threading.Thread(target=end_with_streams, daemon=True).start()
    print(message, flush=True)
    server.serve_forever()


def _serve_streams(port: int) -> None:
    import uvicorn

    uvicorn.run(
        "config.asgi:application", host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=1
    )


class _Forked:
    """The forked process of the streams."""

    def __init__(self, pid: int) -> None:
        self._pid, self._over = pid, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        os.waitpid(self._pid, 0)
        self._over.set()

    def wait(self) -> None:
        self._over.wait()

    def end(self) -> None:
        if not self._over.is_set():
            os.kill(self._pid, signal.SIGTERM)
        self._over.wait()


class _Started:
    """The process of the streams where there is no forking."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def wait(self) -> None:
        self._process.wait()

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


def _fork_streams(port: int) -> _Forked:
    pid = os.fork()
    if pid:
        return _Forked(pid)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        _serve_streams(port)
    finally:
        os._exit(0)


def _start_streams(port: int) -> _Started:
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)]
    return _Started(subprocess.Popen([*command, "--log-level", "warning"]))  # noqa: S603


if __name__ == "__main__":
    main()
