"""A process that has loaded the application and forks those that tests start: loading takes two seconds each time.

For tests of what such a process does. That it starts as a server starts it is shown where nothing is forked
(tests/browser/test_deployed_evening.py, tests/clubs/rating/lists/test_interrupted_import.py).
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import django

ROOT = Path(__file__).resolve().parents[1]


class ForkServer:
    """The process, with this environment and these modules loaded, and the requests to it."""

    def __init__(self, environment: Mapping[str, str], *modules: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server", *modules],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, module: str, *arguments: str, log: Path, more: Mapping[str, str] | None = None) -> ForkedProcess:
        """As `python -m MODULE ARGUMENTS`, with `more` in the environment, which the settings no longer read."""
        asked = {"module": module, "arguments": arguments, "log": str(log), "more": dict(more or {})}
        return ForkedProcess(self, [module, *arguments], self.ask(asked))

    def ask(self, asked: Mapping[str, Any]) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"the process that forks ended with {self._process.wait()}"
        return json.loads(answer)

    def end(self) -> None:
        self._process.communicate()


class ForkedProcess:
    """A process with the parts of `subprocess.Popen` that tests use."""

    def __init__(self, forks: ForkServer, arguments: Sequence[str], pid: int) -> None:
        self._forks, self.args, self.pid = forks, arguments, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._forks.ask({"poll": self.pid})
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        until = time.monotonic() + (timeout or 0)
        while (ended := self.poll()) is None:
            if timeout is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired(self.args, timeout)
            time.sleep(0.02)
        return ended

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(9)


def main(modules: Sequence[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    for name in modules:
        import_module(name)
    answers = sys.stdout
    for line in sys.stdin:
        asked = json.loads(line)
        if "poll" in asked:
            ended, status = os.waitpid(asked["poll"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if ended else None
        else:
            answer = os.fork()
            if not answer:
                become(asked)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def become(asked: Mapping[str, Any]) -> None:
    """The requested process. It never returns."""
    status = 1
    with suppress(BaseException), open(asked["log"], "ab") as log, open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
        for stream in (1, 2):
            os.dup2(log.fileno(), stream)
        os.environ.update(asked["more"])
        sys.argv = [asked["module"], *asked["arguments"]]
        try:
            runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(bool(end.code))
        except BaseException:
            sys.excepthook(*sys.exc_info())
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
