"""Being watched at work: how far the pairing of a round is, and the chance to stop it.

The engine has no clock and knows of no jobs. Whoever wants to know puts a watcher round the call; without one, telling
costs next to nothing. What the watcher raises ends the work, which has changed nothing by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

ProgressCallback: TypeAlias = Callable[[int, int], None]
"""Called with the number of score groups paired and of all there are: often, and mostly without news."""


class _Watched:
    """What is known of the round in hand."""

    def __init__(self, watcher: ProgressCallback) -> None:
        self.watcher = watcher
        self.done = 0
        self.total = 0

    def report_progress(self) -> None:
        self.watcher(self.done, self.total)


_watched: ContextVar[_Watched | None] = ContextVar("watched", default=None)


@contextmanager
def report_progress_to(watcher: ProgressCallback) -> Iterator[None]:
    """Have all pairing inside the `with` block watched."""
    before = _watched.set(_Watched(watcher))
    try:
        yield
    finally:
        _watched.reset(before)


def start_group_progress(total: int) -> None:
    """A round begins that has so many score groups."""
    watched = _watched.get()
    if watched is not None:
        watched.done, watched.total = 0, total
        watched.report_progress()


def advance_group_progress() -> None:
    """One more score group is paired."""
    watched = _watched.get()
    if watched is not None:
        watched.done += 1
        watched.report_progress()


def check_cancelled() -> None:
    """Let the watcher stop the work: called in the inner loops, many times a second."""
    watched = _watched.get()
    if watched is not None:
        watched.report_progress()
