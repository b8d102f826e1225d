"""Run coroutines and callbacks that are waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor


def run(story: Callable[[], Awaitable[None]]) -> None:
    """Run a coroutine to its end in a thread of its own: the browser tests keep a loop running in this one."""

    async def within_a_while() -> None:
        await asyncio.wait_for(story(), 20)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, within_a_while()).result()
