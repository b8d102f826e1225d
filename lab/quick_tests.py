"""Choose the tests of `./dev test --quick`.

    python -m lab.quick_tests [--seconds 110]

reads which test calls what (`var/mutants/called.json`, made by `python -m lab.mutants`), chooses tests that together
call as much as possible in that many CPU seconds, and writes the others to a file in `tests/data`.
Tests that this file doesn't name are run, so a new test is part of a quick run until the file is made again.
"""

from __future__ import annotations

import argparse
import heapq
from collections import defaultdict
from collections.abc import Mapping

from lab.mutants import LEFT_OUT, tests_and_seconds

OVERHEAD = 0.02
"""CPU seconds that every test costs besides its own."""

INCIDENTAL, OWN_FOLDER, OWN_MODULE = 0.3, 1.0, 1.5


def choose_tests(calls: Mapping[str, set[str]], seconds: Mapping[str, float], budget: float) -> set[str]:
    """Return tests within the budget (CPU seconds), so that their functions are called, and called by several tests.

    Greedy: the next test is the one with the most gain a second. The first test of a function gains most, each further
    one less. A test of the function's own folder gains more than one that happens to call it: it looks at the answer.
    """
    callers: dict[str, float] = defaultdict(float)
    weights = {test: {function: weight(test, function) for function in functions} for test, functions in calls.items()}
    chosen: set[str] = set()
    left = budget

    def worth(test: str) -> float:
        gain = sum(0.5 ** callers[function] * (1 - 0.5**more) for function, more in weights[test].items())
        return gain / (seconds[test] + OVERHEAD)

    # What a test is worth only falls, so a test whose worth is still the highest after a fresh look is the best.
    queue = [(-worth(test), test) for test in sorted(calls)]
    heapq.heapify(queue)
    while queue:
        _, test = heapq.heappop(queue)
        now = worth(test)
        if queue and now < -queue[0][0]:
            heapq.heappush(queue, (-now, test))
            continue
        if seconds[test] + OVERHEAD <= left:
            chosen.add(test)
            for function, more in weights[test].items():
                callers[function] += more
            left -= seconds[test] + OVERHEAD
    return chosen


def weight(test: str, function: str) -> float:
    """Return how likely a test is to notice an error in a function it calls, on a scale of our own."""
    test_file, _, _ = test.partition("::")
    path, _, _ = function.partition(":")
    folder, _, module = path.removesuffix(".py").rpartition("/")
    if test_file.rpartition("/")[0] != f"tests/{folder}":
        return INCIDENTAL
    return OWN_MODULE if module in test_file else OWN_FOLDER


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=110.0, help="CPU seconds of the chosen tests")
    wanted = parser.parse_args()
    tests_of, seconds_of = tests_and_seconds()
    # A test and all its parameters are run, or left out, together.
    calls: dict[str, set[str]] = {}
    seconds: dict[str, float] = defaultdict(float)
    for test, taken in seconds_of.items():
        name = test.partition("[")[0]
        calls.setdefault(name, set())
        seconds[name] += taken
    for function, tests in tests_of.items():
        for test in tests:
            calls[test.partition("[")[0]].add(function)
    chosen = choose_tests(calls, seconds, wanted.seconds)
    LEFT_OUT.write_text("\n".join([*sorted(set(calls) - chosen), ""]), encoding="utf-8")
    called = set[str]().union(*(calls[test] for test in chosen))
    print(f"{len(chosen)} of {len(calls)} tests, {sum(seconds[test] for test in chosen):.0f} CPU seconds.")
    print(f"They call {len(called)} of {len(tests_of)} functions.")


if __name__ == "__main__":
    main()
