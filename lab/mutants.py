"""Mutation tests: make small errors in the code, one at a time, and run the tests that reach them.

    python -m lab.mutants FOLDER... [--count 25] [--seed 1] [--seconds 20] [--package-depth 2] [--quick]
                          [--again [TESTS...]]

From every module of a folder `count` mutants are drawn by the seed; each is run against the tests that call its
function. Printed are those that no test notices, as diffs, and the rate of survivors by package. Which test calls what
is found by running the suite once (ten minutes of one processor; kept in `var/mutants` by the functions' names, so that
it lasts while lines move; made anew with `--again`, which may name the tests that are new or have changed).
Tests that need a browser, another server or a long time are left out: a mutant that only those notice is a survivor.

Nothing is written into the checkout, so that several runs do not disturb each other, nor the one who works in it: the
tests are loaded once, and every mutant has a process of its own, forked from there, in which the function's code is
another. What a module does when it is imported is not tried.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lab.mutations import Mutation, make_mutation, possible_mutations

ROOT = Path(__file__).resolve().parents[1]
CALLED = ROOT / "var" / "mutants" / "called.json"
LEFT_OUT = ROOT / "tests" / "data" / "left_out_of_quick_runs.txt"
QUICK = "not (browser or redis or postgresql or slow)"
SMALL = ("tests/clubs/test_registries.py", "tests/config/test_log_redaction.py")
"""Loaded in any case: with tests of one file alone, that file would stand half set up while mutants are tried."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    of_tests = "of tests a mutant, as they were measured for the map: of the module's own name, and the quickest first"
    parser.add_argument("--seconds", type=float, default=20.0, help=of_tests)
    parser.add_argument("--package-depth", type=int, default=2, help="folders in the name of a package")
    again = "find out anew which test calls what, of all tests or of these alone"
    parser.add_argument("--again", nargs="*", metavar="TESTS", help=again)
    parser.add_argument("--quick", action="store_true", help="only the tests of ./dev test --quick")
    said = parser.parse_args()
    if said.again is not None or not CALLED.exists():
        _find_what_is_called(said.again or [])
    tests_of, seconds = tests_and_seconds()
    if said.quick:
        left_out = set(LEFT_OUT.read_text(encoding="utf-8").split())
        tests_of = {
            function: [test for test in tests if test.partition("[")[0] not in left_out]
            for function, tests in tests_of.items()
        }

    drawn = [each for folder in said.folders for each in _draw(folder, said.count, said.seed)]
    plan = [
        {
            "path": str(each.path),
            "source": ast.dump(each.tree, include_attributes=True),
            "function": each.function,
            "first_line": each.first_line,
            "tests": _chosen(each, tests_of, seconds, said.seconds),
        }
        for each in drawn
    ]
    survived = _try(plan)
    for each, alive in zip(drawn, survived, strict=True):
        if alive:
            nobody = "" if tests_of.get(_key(each)) else "   # no quick test calls it"
            print(f"{each}{nobody}\n", flush=True)
    _print_rates(drawn, survived, said.package_depth)
    return 0


def _draw(folder: Path, count: int, seed: int) -> list[Mutation]:
    """Mutants of the functions in a folder's modules (or one module), the same for the same seed."""
    folder = folder.resolve()
    paths = [folder] if folder.is_file() else sorted(folder.rglob("*.py"))
    texts = {
        path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in paths if "migrations" not in path.parts
    }
    found = [each for path, text in texts.items() for each in possible_mutations(path, text)]
    drawn = sorted(random.Random(seed).sample(found, min(count, len(found))))
    return [make_mutation(each, texts[each.path]) for each in drawn]


def _key(mutation: Mutation) -> str:
    return f"{mutation.path}:{mutation.function}"


def _chosen(mutation: Mutation, tests_of: dict[str, list[str]], seconds: dict[str, float], left: float) -> list[str]:
    def order(test: str) -> tuple[bool, float]:
        return mutation.path.stem not in test.partition("::")[0], seconds[test]

    chosen = []
    for test in sorted(tests_of.get(_key(mutation), []), key=order):
        left -= seconds[test]
        if left < 0:
            break
        chosen.append(test)
    return chosen


def tests_and_seconds() -> tuple[dict[str, list[str]], dict[str, float]]:
    """The tests by the function they call (`clubs/membership/members.py:Person.name`), and the duration of each."""
    kept = json.loads(CALLED.read_text(encoding="utf-8"))
    tests_of: dict[str, list[str]] = {}
    for test, functions in kept["calls"].items():
        for function in functions:
            tests_of.setdefault(kept["functions"][function], []).append(test)
    return tests_of, kept["seconds"]


def _find_what_is_called(tests: Sequence[str]) -> None:
    CALLED.parent.mkdir(parents=True, exist_ok=True)
    print("Finding out which test calls what ...", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="clubnight-calls-") as folder:
        found = Path(folder, "called.json")
        _pytest("-p", "lab.mutant_calls", "-m", QUICK, *tests, environment={"CLUBNIGHT_CALLS": str(found)})
        new = json.loads(found.read_text(encoding="utf-8"))
    if tests and CALLED.exists():
        new = renewed(json.loads(CALLED.read_text(encoding="utf-8")), new)
    CALLED.write_text(json.dumps(new), encoding="utf-8")


def renewed(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Results for tests in other files stay."""
    files = {test.partition("::")[0] for test in new["seconds"]}
    numbers = {name: number for number, name in enumerate(old["functions"])}
    calls = {test: called for test, called in old["calls"].items() if test.partition("::")[0] not in files}
    for test, called in new["calls"].items():
        calls[test] = sorted(numbers.setdefault(new["functions"][each], len(numbers)) for each in called)
    return {"functions": list(numbers), "calls": calls, "seconds": old["seconds"] | new["seconds"]}


def _try(plan: list[dict]) -> list[bool]:
    """Which of the mutants survive their tests, including mutants that no test calls."""
    with tempfile.TemporaryDirectory(prefix="clubnight-mutants-") as folder:
        given, told = Path(folder, "plan.json"), Path(folder, "told.json")
        given.write_text(json.dumps(plan), encoding="utf-8")
        tests = sorted({test.partition("::")[0] for each in plan for test in each["tests"]})
        if not tests:
            return [True] * len(plan)
        environment = {"CLUBNIGHT_MUTANTS": str(given), "CLUBNIGHT_MUTANTS_TOLD": str(told)}
        _pytest("-p", "lab.mutant_trials", "-m", QUICK, *tests, *SMALL, environment=environment)
        return list(json.loads(told.read_text(encoding="utf-8")))


def _pytest(*arguments: str, environment: dict[str, str]) -> None:
    quiet = ("-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:randomly")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *quiet, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    # Status 1 means that tests failed, which is no reason to stop the run that makes the map.
    if done.returncode not in (0, 1):
        sys.exit(f"{done.stdout[-3000:]}\n{done.stderr[-6000:]}")


def _print_rates(drawn: Iterable[Mutation], survived: Iterable[bool], depth: int) -> None:
    tried, alive = Counter[str](), Counter[str]()
    for each, lives in zip(drawn, survived, strict=True):
        package = "/".join(each.path.parts[:-1][:depth])
        tried[package] += 1
        alive[package] += lives
    print("| package | mutants | alive | |\n| --- | ---: | ---: | ---: |")
    for package in [*sorted(tried), *_total(tried)]:
        count = tried[package] or sum(tried.values())
        living = alive[package] if package in tried else sum(alive.values())
        print(f"| {package} | {count} | {living} | {100 * living / count:.0f}% |")


def _total(tried: Counter[str]) -> Iterator[str]:
    if len(tried) > 1:
        yield "all"


if __name__ == "__main__":
    sys.exit(main())
