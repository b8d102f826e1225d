"""Slow tests start first on every worker, and each test runs once."""

from __future__ import annotations

import pytest

from tests.slow_first import block_sizes, slow_first


def deal(seconds: str, workers: int) -> str:
    """The tests in blocks; a slow one is named by its seconds, quick ones by letters in order."""
    letters = iter("abcdefghij")
    tests = [each if each != "." else next(letters) for each in seconds]
    given = "".join(slow_first(tests, [0 if each == "." else float(each) for each in seconds], workers))
    assert sorted(given) == sorted(tests)
    blocks = iter(given)
    return " ".join("".join(next(blocks) for _ in range(size)) for size in block_sizes(len(tests), workers))


@pytest.mark.parametrize(
    ("seconds", "workers", "blocks"),
    [
        ("", 2, " "),
        ("...", 1, "abc"),
        ("..9..1", 1, "91abcd"),
        ("..91", 2, "9a 1b"),
        (".1..9.2..5", 2, "9abcd 521ef"),
        ("..3.3.3", 3, "3a 3b 3cd"),
        ("9111", 2, "91 11"),
        ("91", 4, "  9 1"),
    ],
)
def test_each_worker_begins_with_its_share_of_the_long_ones(seconds, workers, blocks):
    assert deal(seconds, workers) == blocks


def test_the_blocks_are_those_that_the_workers_are_given():
    """As many as pytest-xdist's scheduler sends to each of three workers at first."""
    from xdist.scheduler.worksteal import WorkStealingScheduling

    class Worker:
        shutting_down = False

        def __init__(self) -> None:
            self.sent: list[int] = []
            self.gateway = self

        def send_runtest_some(self, indices) -> None:
            self.sent += indices

    for count in (6, 7, 8):
        scheduler = WorkStealingScheduling.__new__(WorkStealingScheduling)
        workers = [Worker() for _ in range(3)]
        scheduler.node2pending = {worker: [] for worker in workers}
        scheduler.pending = list(range(count))
        scheduler.steal_requested_from_node = None
        scheduler.check_schedule()
        assert [len(worker.sent) for worker in workers] == block_sizes(count, 3)
