"""The request or job in progress, added to every line of the server's log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
job_id: ContextVar[int] = ContextVar("job_id", default=0)
"""Empty and 0 mean none."""


@contextmanager
def job_log_context(pk: int) -> Iterator[None]:
    """Add this job to all log lines in the block."""
    before = job_id.set(pk)
    try:
        yield
    finally:
        job_id.reset(before)
