"""A pytest plugin for `lab.mutants`: loads the tests once and tries each mutant in a fork of the process.

In the fork the code of the mutated function takes the place of the right one in every function object that has it,
whatever decorators are around it, and the database is a copy of the file.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
import shutil
import signal
import sys
import time
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from django.db import connection, connections

ROOT = Path(__file__).resolve().parents[1]
SECONDS, SECONDS_BY_THE_CLOCK = 90, 900
"""Of the processor, in which a mutant must have been noticed or not; one that goes on, or waits, for ever has been."""
ALIVE, NOTICED, NOT_TRIED = 0, 1, 3
"""How the fork ends."""


def pytest_runtestloop(session: pytest.Session) -> bool:
    gc.unfreeze()  # functions are found among the garbage collector's objects, which conftest.py froze
    plan = json.loads(Path(os.environ["CLUBNIGHT_MUTANTS"]).read_text(encoding="utf-8"))
    items = {item.nodeid: item for item in session.items}
    for path in {mutant["path"] for mutant in plan}:
        # A module that nothing has imported yet, such as a command's, cannot be mutated.
        import_module(".".join(Path(path).with_suffix("").parts).removesuffix(".__init__"))
    _make_the_database(session)
    _check_that_the_right_code_passes(plan, items)
    told = []
    for number, mutant in enumerate(plan, start=1):
        tests = [items[test] for test in mutant["tests"] if test in items]
        told.append(not tests or _lives(mutant, tests))
        print(f"{number} of {len(plan)}", file=sys.__stderr__, flush=True)
    Path(os.environ["CLUBNIGHT_MUTANTS_TOLD"]).write_text(json.dumps(told), encoding="utf-8")
    return True


def _check_that_the_right_code_passes(plan: list[dict[str, Any]], items: dict[str, pytest.Item]) -> None:
    """Otherwise every mutant would seem to be noticed."""
    tests = list({test: items[test] for mutant in plan for test in mutant["tests"][:2] if test in items}.values())[:60]
    if tests and not _lives({}, tests):
        pytest.exit("the tests fail without any mutant", returncode=4)


def _make_the_database(session: pytest.Session) -> None:
    """Run one test with rows, leave the session's fixtures, and close the database file."""
    with_rows = [item for item in session.items if item.get_closest_marker("database")]
    if with_rows:
        elsewhere = next(item for item in session.items if item.path != with_rows[0].path)
        runtestprotocol(with_rows[0], nextitem=elsewhere, log=False)
    connections.close_all()


def _lives(mutant: dict[str, Any], tests: list[pytest.Item]) -> bool:
    child = os.fork()
    if not child:
        try:
            status = _tried(mutant, tests)
        except BaseException:
            status = NOTICED
        os._exit(status)
    deadline = time.monotonic() + SECONDS_BY_THE_CLOCK
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            if os.waitstatus_to_exitcode(status) == NOT_TRIED:
                raise RuntimeError(f"not put in: {mutant['path']}:{mutant['first_line']} {mutant['function']}")
            return os.waitstatus_to_exitcode(status) == ALIVE
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _tried(mutant: dict[str, Any], tests: list[pytest.Item]) -> int:
    os.setpgrp()  # a signal to its group reaches only the mutant; the session, and so its priority, stays the same
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    if mutant and not _put_in(mutant):
        return NOT_TRIED
    if connection.vendor == "sqlite" and Path(connection.settings_dict["NAME"]).is_file():
        own = f"{connection.settings_dict['NAME']}-{os.getpid()}"
        shutil.copy(connection.settings_dict["NAME"], own)
        connection.settings_dict["NAME"] = own
    # Fixtures of folders and modules are set up, but not all of them belong to the first of these tests.
    tests[0].session._setupstate.teardown_exact(tests[0])
    for test, following in zip(tests, [*tests[1:], tests[-1]], strict=True):
        for report in runtestprotocol(test, nextitem=following, log=False):
            if report.failed:
                if not mutant:
                    print(test.nodeid, report.longreprtext, sep="\n", file=sys.__stderr__, flush=True)
                return NOTICED
    return ALIVE


def _put_in(mutant: dict[str, Any]) -> bool:
    """Whether any function has the mutant's code now; `mutant` is as in `lab.mutants`."""
    path = str(ROOT / mutant["path"])
    tree = eval(mutant["source"], vars(ast))  # noqa: S307 - what lab.mutants has written a moment ago
    wrong = _codes(compile(tree, path, "exec"))[mutant["first_line"], mutant["function"].rpartition(".")[2]]
    places = [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType)
        and each.__code__.co_filename == path
        and (each.__code__.co_firstlineno, each.__code__.co_name) == (mutant["first_line"], wrong.co_name)
    ]
    for place in places:
        place.__code__ = wrong
    return bool(places)


def _codes(code: CodeType) -> dict[tuple[int, str], CodeType]:
    """All code objects of a module, by the line and name of the function."""
    found = {(code.co_firstlineno, code.co_name): code}
    for each in code.co_consts:
        if isinstance(each, CodeType):
            found = _codes(each) | found
    return found
