"""CPU time of the tests, by cause.

    python -m lab.costs [PYTEST ARGUMENTS]

runs the tests and prints, in seconds of the processor, what each part, module and test took: of the test's own
process, and of those that it started (browsers, servers, commands, the run on PostgreSQL, whose tests are listed too).
They say more than seconds by the clock on a machine that does other things; on a busy one they are longer.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

FOLDER = "CLUBNIGHT_COSTS"
WITHIN = "CLUBNIGHT_COSTS_WITHIN"
"""The test whose process runs other tests: what they cost is part of what it does."""
LONGEST = 40
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Cost:
    """CPU seconds: those of the tests' own process in each phase, and those of others."""

    setup: float = 0.0
    call: float = 0.0
    teardown: float = 0.0
    others: float = 0.0
    tests: int = 0

    @property
    def all(self) -> float:
        return self.setup + self.call + self.teardown + self.others

    def add(self, more: Cost) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(more, name))


class Clerk:
    """A pytest plugin: measures each phase of each test."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.within = folder, os.environ.get(WITHIN, "")
        self.costs = defaultdict[str, Cost](Cost)
        self.before_tests = 0.0

    def pytest_collection_finish(self) -> None:
        self.before_tests = time.process_time()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        os.environ[WITHIN] = item.nodeid
        before = seconds_of_others()
        result = yield
        cost = self.costs[item.nodeid]
        # The seconds of a grandchild are lost if its parent was never waited for.
        cost.others += max(0.0, seconds_of_others() - before)
        cost.tests += 1
        return result

    def _phase(self, item: pytest.Item, name: str) -> Iterator[None]:
        before = time.process_time()
        try:
            return (yield)
        finally:
            cost = self.costs[item.nodeid]
            setattr(cost, name, getattr(cost, name) + time.process_time() - before)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        return (yield from self._phase(item, "setup"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        return (yield from self._phase(item, "call"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        return (yield from self._phase(item, "teardown"))

    def pytest_unconfigure(self) -> None:
        told = {
            "within": self.within,
            "before_tests": self.before_tests,
            "tests": {
                name: [cost.setup, cost.call, cost.teardown, cost.others, cost.tests]
                for name, cost in self.costs.items()
            },
        }
        (self.folder / f"{os.getpid()}.json").write_text(json.dumps(told), encoding="utf-8")


def seconds_of_others() -> float:
    """CPU seconds of all processes started by this one, ended or running."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime + sum(map(_seconds_of, _children("self")))


def _seconds_of(process: str) -> float:
    """CPU seconds of a running process and its children; 0 if it has just ended."""
    try:
        times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]
        return sum(map(int, times)) / TICKS + sum(map(_seconds_of, _children(process)))
    except OSError:
        return 0.0


def _children(process: str) -> list[str]:
    children: list[str] = []
    for thread in os.listdir(f"/proc/{process}/task"):
        try:
            children += Path(f"/proc/{process}/task/{thread}/children").read_text().split()
        except OSError:
            continue
    return children


def pytest_configure(config: pytest.Config) -> None:
    # If tests are distributed to workers, only the workers count.
    if not getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput"):
        config.pluginmanager.register(Clerk(Path(os.environ[FOLDER])))


# -- What is printed -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Table:
    """Costs by part, module and test."""

    title: str
    parts: defaultdict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    modules: defaultdict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    tests: defaultdict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    all: Cost = field(default_factory=Cost)
    before_tests: float = 0.0

    def add(self, test: str, cost: Cost) -> None:
        module = test.partition("::")[0]
        for costs in (self.parts[part_of(module)], self.modules[module], self.tests[test], self.all):
            costs.add(cost)

    def lines(self, longest: int) -> Iterator[str]:
        yield f"\n{self.title}: {self.all.all:.1f} s in tests, {self.before_tests:.1f} s before the first"
        for name, costs in (("part", self.parts), ("module", self.modules), ("test", self.tests)):
            yield f"\n    all  setup   call   down others  tests  {name}"
            for each in sorted(costs, key=lambda each: -costs[each].all)[: longest if name != "part" else None]:
                cost = costs[each]
                seconds = (cost.all, cost.setup, cost.call, cost.teardown, cost.others)
                yield " ".join(f"{one:6.1f}" for one in seconds) + f" {cost.tests:6d}  {each}"


def part_of(module: str) -> str:
    """The package that a test module tests, or the module itself."""
    return "/".join(Path(module).parts[1:3]).removesuffix(".py")


def tables(folder: Path) -> list[Table]:
    """The costs of the tests, and separately of tests that another test runs in other processes."""
    usual, within = Table("Tests"), Table("Of these, tests that tests run in other processes")
    for path in sorted(folder.glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        table = within if told["within"] else usual
        table.before_tests += told["before_tests"]
        for test, figures in told["tests"].items():
            table.add(test, Cost(*figures))
    return [usual, *([within] if within.tests else [])]


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        plugin = f"{os.environ.get('PYTEST_ADDOPTS', '')} -p lab.costs"
        environment = os.environ | {FOLDER: folder, "PYTEST_ADDOPTS": plugin}
        done = subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        for table in tables(Path(folder)):
            print(*table.lines(LONGEST), sep="\n")
        print(f"\nAll processes, from start to end: {spent.ru_utime + spent.ru_stime:.1f} s")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
