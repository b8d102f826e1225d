"""Doing without Python's garbage collector for a while."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nothing_thrown_away() -> Iterator[None]:
    """Without garbage collection: a table of ten thousand is made of a million records that all stay to the end."""
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_collecting:
            gc.enable()
