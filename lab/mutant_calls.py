"""A pytest plugin for `lab.mutants`: which functions of the application a test calls, and how long it takes."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = tuple(f"{ROOT / app}{os.sep}" for app in ("clubs", "common", "config", "operations", "pairing", "tournaments"))

calls: dict[str, set[CodeType]] = {}
seconds: dict[str, float] = {}
seen: set[CodeType] = set()
made_once: dict[str, set[CodeType]] = {}
"""What was called to make the rows that all tests of a module share: each of them may notice that it is wrong."""
failed: set[str] = set()


def _note(frame: FrameType, _event: str, _argument: object) -> None:
    """Called for every function call; lines are not traced."""
    seen.add(frame.f_code)


class _Tracing:
    """Watches every call, which makes tests about three times as slow."""

    def start(self) -> None:
        threading.settrace(_note)
        sys.settrace(_note)

    def stop(self) -> None:
        sys.settrace(None)
        threading.settrace(None)


class _Monitoring:
    """Watches the first call of each function in each test, which costs next to nothing. Python 3.12 or later."""

    def __init__(self, monitoring: Any) -> None:
        self._monitoring, self._tool, self._start = monitoring, monitoring.COVERAGE_ID, monitoring.events.PY_START
        monitoring.use_tool_id(self._tool, "calls")
        monitoring.register_callback(self._tool, self._start, self._noted)

    def _noted(self, code: CodeType, _offset: int) -> object:
        seen.add(code)
        return self._monitoring.DISABLE

    def start(self) -> None:
        self._monitoring.restart_events()
        self._monitoring.set_events(self._tool, self._start)

    def stop(self) -> None:
        self._monitoring.set_events(self._tool, 0)


_watch: _Monitoring | _Tracing
if sys.version_info >= (3, 12):
    _watch = _Monitoring(sys.monitoring)
else:
    _watch = _Tracing()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    seen.clear()
    begun = time.process_time()
    _watch.start()
    try:
        return (yield)
    finally:
        _watch.stop()
        called = seen | made_once.get(item.nodeid.partition("::")[0], set())
        calls[item.nodeid] = {code for code in called if code.co_filename.startswith(OURS)}
        seconds[item.nodeid] = round(time.process_time() - begun, 3)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    made = yield
    if fixturedef.scope == "module":
        made_once.setdefault(request.node.nodeid, set()).update(seen)
    return made


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    numbers: dict[str, int] = {}

    def number(code: CodeType) -> int:
        name = f"{Path(code.co_filename).relative_to(ROOT)}:{code.co_qualname}"
        return numbers.setdefault(name, len(numbers))

    by_test = {test: sorted(number(code) for code in codes) for test, codes in calls.items() if test not in failed}
    kept = {"functions": list(numbers), "calls": by_test, "seconds": seconds}
    Path(os.environ["CLUBNIGHT_CALLS"]).write_text(json.dumps(kept), encoding="utf-8")
