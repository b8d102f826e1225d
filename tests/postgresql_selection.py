"""Which tests need not run again on PostgreSQL: those that send no statement that others don't send.

    python -m tests.postgresql_selection

runs all tests of the database there, one after another, and writes `tests/data/skipped_on_postgresql.txt`: the tests
that a usual run leaves out (docs/project/decisions/0023-tests-on-postgresql.md). Tests that it does not name are run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.db.backends.utils import CursorWrapper

from tests.servers import QUICK, new_database, postgresql

ROOT = Path(__file__).resolve().parent.parent
SKIPPED_TESTS = ROOT / "tests" / "data" / "skipped_on_postgresql.txt"
WRITE_TO = "CLUBNIGHT_STATEMENTS"
NOT_THERE = "browser or redis or postgresql or slow or one_database"
"""Marks of tests that are not run on PostgreSQL again, whatever they send."""


@dataclass(slots=True)
class Sent:
    """The statements and cost of a test, with all its parameters; `always` if it runs there in any case."""

    seconds: float = 0.0
    statements: set[str] = field(default_factory=set)
    always: bool = False


def find_skippable(tests: Mapping[str, Sent]) -> list[str]:
    """The tests that can be left out, so that another test still sends each statement, at low cost."""
    missing = set().union(*(test.statements for test in tests.values()))
    chosen = {name for name, test in tests.items() if test.always}
    for name in chosen:
        missing -= tests[name].statements
    while missing:
        best = max(tests, key=lambda name: (len(tests[name].statements & missing) / (tests[name].seconds + 0.02), name))
        chosen.add(best)
        missing -= tests[best].statements
    # Later choices may send all the statements for which an earlier test was chosen.
    senders = Counter(kind for name in chosen for kind in tests[name].statements)
    for name in sorted(chosen, key=lambda name: (-tests[name].seconds, name)):
        if not tests[name].always and all(senders[kind] > 1 for kind in tests[name].statements):
            chosen.remove(name)
            senders.subtract(tests[name].statements)
    return sorted(set(tests) - chosen)


@cache
def skipped_tests() -> frozenset[str]:
    """The tests that the file names."""
    return frozenset(SKIPPED_TESTS.read_text(encoding="utf-8").split())


def name_of(item: pytest.Item) -> str:
    """A test without its parameters."""
    return item.nodeid.partition("[")[0]


def commits(item: pytest.Item) -> bool:
    """Whether other connections can see the test's rows, as tests of races and locks need."""
    marker = item.get_closest_marker("django_db")
    committed = {"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
    return bool(committed or (marker and marker.kwargs.get("transaction")))


@cache
def kinds_of(statement: str) -> frozenset[str]:
    """A statement without its variable parts: values, their number, names of savepoints.

    An UPDATE is of several kinds, one for each of its columns and one for its condition: which of them one save names
    together with which others, and which it sets to nothing, hangs on values too.
    """
    for found, put in (
        (r"'[^']*'", "''"),
        (r"(\(?%s\)?(, (?!\"))?)+", "%s"),
        (r"\b\d+\b", "0"),
        (r"SAVEPOINT \S+", ""),
    ):
        statement = re.sub(found, put, statement)
    update = re.fullmatch(r'(UPDATE "\w+" SET )((?:"\w+" = (?:%s|NULL)(?:, |(?= )|$))+)(.*)', statement, re.DOTALL)
    if not update:
        return frozenset([statement])
    table, columns, condition = update.groups()
    return frozenset([table + condition, *(table + column for column in re.findall(r'"\w+"', columns))])


PLAIN = re.compile(
    r"(\b(SELECT|FROM|INNER JOIN|ON|WHERE|AND|AS|IN|IS|NOT|NULL|ORDER BY|ASC|DESC|LIMIT|INSERT INTO|VALUES|UPDATE|SET|"
    r"""DELETE|RETURNING|T?\d+)\b|COUNT\(\*\)|"\w+"|%s|''|[.,=<>()\s])*"""
)
"""Rows found by comparing columns, counted, put in order, made, changed and deleted: no more than that."""


@cache
def says_nothing_of_us(statement: str, sender: str) -> bool:
    """Whether this plain statement only creates or reads a test's rows, or starts and ends it.

    Nobody else ever sends it. One that is less plain may have been put together by us, and only sent by the test,
    because Django waits until somebody looks.
    """
    return not sender or (sender.startswith("tests/") and PLAIN.fullmatch(statement) is not None)


def sent_by() -> str:
    """The nearest module of ours that waits for the statement; None if a library's plugin does."""
    frame: FrameType | None = sys._getframe(1)
    while frame := frame and frame.f_back:
        path = frame.f_code.co_filename
        if path.startswith(f"{ROOT}/") and not path.startswith((sys.prefix, __file__)):
            return path.removeprefix(f"{ROOT}/")
    return ""


class Recorder:
    """A pytest plugin: records the kinds of statements that a test sends, and those that fail."""

    def __init__(self, path: Path) -> None:
        self.path, self.tests, self.now = path, defaultdict[str, Sent](Sent), set[str]()
        for name in ("execute", "executemany"):
            setattr(CursorWrapper, name, self._noting(getattr(CursorWrapper, name)))

    def _noting(self, send: Any) -> Any:
        def sent(cursor: CursorWrapper, statement: Any, *values: Any) -> Any:
            kinds = kinds_of(str(statement))
            sender = sent_by()
            self.now |= {kind for kind in kinds if not says_nothing_of_us(kind, sender)}
            try:
                return send(cursor, statement, *values)
            except Exception:
                self.now |= {f"failed: {kind}" for kind in kinds}
                raise

        return sent

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.now.clear()
        before = time.process_time()
        result = yield
        test = self.tests[name_of(item)]
        test.seconds += time.process_time() - before
        test.statements |= self.now
        test.always = test.always or commits(item) or item.get_closest_marker("every_database") is not None
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A failed or interrupted test may not have sent everything: it stays."""
        if report.failed:
            self.tests[report.nodeid.partition("[")[0]].always = True

    def pytest_sessionfinish(self) -> None:
        told = {name: [test.seconds, sorted(test.statements), test.always] for name, test in self.tests.items()}
        self.path.write_text(json.dumps(told), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(Path(os.environ[WRITE_TO])))


def recorded(folder: Path) -> dict[str, Sent]:
    """The statements of each test, from a run of all tests on a server of its own."""
    with postgresql(*QUICK) as address:
        database = new_database(address, "migrated", migrate=True)
        new_database(database, "test_migrated")
        told = folder / "told.json"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tests.postgresql_selection",
            "-p",
            "no:xdist",
            "-p",
            "no:cacheprovider",
        ]
        command += ["--reuse-db", "-m", f"database and not ({NOT_THERE})"]
        environment = {"CLUBNIGHT_DATABASE": database, "CLUBNIGHT_POSTGRESQL": "all", WRITE_TO: str(told)}
        done = subprocess.run(command, cwd=ROOT, env=os.environ | environment)
        # Status 1 means that tests failed, which must not waste an hour's work.
        assert done.returncode in (0, 1), done.returncode
    of_tests = json.loads(told.read_text(encoding="utf-8"))
    return {name: Sent(seconds, set(kinds), always) for name, (seconds, kinds, always) in of_tests.items()}


def main() -> None:
    # A call for help, or with a typo, does not have to wait for an hour's work.
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tests = recorded(Path(folder))
    out = find_skippable(tests)
    SKIPPED_TESTS.write_text("\n".join([*out, ""]), encoding="utf-8")
    print(f"{len(out)} of {len(tests)} tests send nothing that others do not send.")


if __name__ == "__main__":
    main()
