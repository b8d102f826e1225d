"""Progress of a pairing, and the chance to cancel it.

The engine has no clock and knows nothing of jobs. A caller who wants progress wraps the call in `report_progress_to`;
without it, reporting costs next to nothing. An exception raised by the callback ends the work, which has changed
nothing by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

ProgressCallback: TypeAlias = Callable[[int, int], None]
"""Called with the number of score groups paired and their total: often, and mostly without news."""


class _Watched:
    """The progress of the current round."""

    def __init__(self, watcher: ProgressCallback) -> None:
        self.watcher = watcher
        self.done = 0
        self.total = 0

    def report_progress(self) -> None:
        self.watcher(self.done, self.total)


_watched: ContextVar[_Watched | None] = ContextVar("watched", default=None)


@contextmanager
def report_progress_to(watcher: ProgressCallback) -> Iterator[None]:
    """Report the progress of all pairing inside the `with` block to `watcher`."""
    before = _watched.set(_Watched(watcher))
    try:
        yield
    finally:
        _watched.reset(before)


def start_group_progress(total: int) -> None:
    """Reset the progress for a round with `total` score groups."""
    watched = _watched.get()
    if watched is not None:
        watched.done, watched.total = 0, total
        watched.report_progress()


def advance_group_progress() -> None:
    """Record that one more score group is paired."""
    watched = _watched.get()
    if watched is not None:
        watched.done += 1
        watched.report_progress()


def check_cancelled() -> None:
    """Let the callback cancel the work. Inner loops call this function many times a second."""
    watched = _watched.get()
    if watched is not None:
        watched.report_progress()
