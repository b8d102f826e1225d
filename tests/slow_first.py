"""The order of the tests: slow ones start first, on every worker.

`--dist worksteal` gives each worker one block of the tests as they stand, the first n/k to the first; a worker that has
nothing left takes from the end of another's block. So long tests stand at the beginning of each block, the longest
first: at the beginning of the whole list all of them would fall to the first worker, one after another, while the
others wait for its last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def slow_first(tests: Sequence[T], seconds: Sequence[float], workers: int) -> list[T]:
    """The tests in one block per worker, each starting with its share of the slow ones.

    `seconds` are what each long test takes, about, and 0 for a quick one. Quick tests stay in their order, as
    neighbours share what is set up for them. Nothing else is asked: every worker must find the same order.
    """
    shares: list[list[int]] = [[] for _ in range(workers)]
    sizes = block_sizes(len(tests), workers)
    for index in sorted(
        (index for index, each in enumerate(seconds) if each), key=lambda index: (-seconds[index], index)
    ):
        free = [worker for worker in range(workers) if len(shares[worker]) < sizes[worker]]
        least = min(free, key=lambda worker: (sum(seconds[own] for own in shares[worker]), worker))
        shares[least].append(index)
    quick = iter([index for index, each in enumerate(seconds) if not each])
    order = [index for worker in range(workers) for index in _filled(shares[worker], quick, sizes[worker])]
    return [tests[index] for index in order]


def _filled(share: list[int], quick: Iterator[int], size: int) -> list[int]:
    return share + [next(quick) for _ in range(size - len(share))]


def block_sizes(tests: int, workers: int) -> list[int]:
    """How many tests each worker gets at first, as pytest-xdist counts them."""
    sizes = []
    for left in range(workers, 0, -1):
        sizes.append(tests // left)
        tests -= sizes[-1]
    return sizes
