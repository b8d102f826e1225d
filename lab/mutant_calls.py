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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    seen.clear()
    begun = time.process_time()
    threading.settrace(_note)
    sys.settrace(_note)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        threading.settrace(None)
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
