"""Many open pages in one process: `python -m lab.live_phones STREAM PAGE HOW_MANY`, and the same for further pages.

Every page listens to the stream; when the event has another version it waits as it is told and asks for the part of
the page, as `static/js/live_updates.js` does. Prints a line "listening" when all are connected, then for every version
a page has taken in "PAGE VERSION SECONDS BYTES WAY" on a clock that all processes of the machine share, until its
input is closed; WAY is "carried" by the stream or "asked" for. A page that fails prints "failed" and why.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import resource
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

_PIECES = re.compile(r"(?=<tr |<li |\n)")

AT_ONCE = 50
"""How many connect at the same time."""


def main() -> None:
    streams, pages, how_many = sys.argv[1::3], sys.argv[2::3], map(int, sys.argv[3::3])
    told = [
        each for stream, page, times in zip(streams, pages, how_many, strict=True) for each in [(stream, page)] * times
    ]
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(_listen(told))


async def _listen(told: Sequence[tuple[str, str]]) -> None:
    ready: asyncio.Queue[None] = asyncio.Queue()
    gate = asyncio.Semaphore(AT_ONCE)
    pages = [asyncio.create_task(_page(number, *each, gate, ready)) for number, each in enumerate(told)]
    for _ in pages:
        await ready.get()
    _say("listening")
    await asyncio.to_thread(sys.stdin.read)
    for each in pages:
        each.cancel()
    await asyncio.gather(*pages, return_exceptions=True)


async def _page(number: int, stream: str, page: str, gate: asyncio.Semaphore, ready: asyncio.Queue[None]) -> None:
    mark, text, version = "", "", 0
    async with gate:
        reader, writer = await _asked(stream, "")
    wanted = asyncio.Event()
    told: list[Any] = [0, 0.0]
    received = [0]
    carried: deque[list[Any]] = deque(maxlen=20)
    listening = asyncio.create_task(_news(reader, told, wanted, received, carried))
    ready.put_nowait(None)
    try:
        while True:
            await wanted.wait()
            wanted.clear()
            way = "carried"
            text, mark, found = _followed(text, mark, version, carried)
            if told[0] != found:
                await asyncio.sleep(random.random() * told[1])
                text, mark, found = _followed(text, mark, found, carried)
            if told[0] != found:
                way = "asked"
                asked, mark, text, length = await _part(page, mark, text)
                received[0] += length
                text, mark, found = _followed(text, mark, found if asked is None else asked, carried)
            if found != version:
                version = found
                _say(f"{number} {version} {time.monotonic():.4f} {received[0]} {way}")
                received[0] = 0
    except (OSError, ValueError, KeyError, IndexError) as error:
        _say(f"failed {number}: {error!r}")
    finally:
        listening.cancel()
        writer.close()


async def _news(
    reader: asyncio.StreamReader,
    told: list[Any],
    wanted: asyncio.Event,
    received: list[int],
    carried: deque[list[Any]],
) -> None:
    while line := await reader.readline():
        received[0] += len(line)
        if line.startswith(b"data: "):
            version, within, *changes = json.loads(line.removeprefix(b"data: "))
            told[:] = [version, within]
            if changes:
                carried.append(changes)
            wanted.set()


def _followed(text: str, mark: str, version: int, carried: Iterable[list[Any]]) -> tuple[str, str, int]:
    """Text, mark and version of a page after all patches since its state."""
    for since, to, steps in carried:
        if since == mark.removeprefix("W/"):
            text, mark = _put_together(text, steps), to
            version = _version(text)
    return text, mark, version


def _put_together(text: str, steps: list[Any]) -> str:
    pieces = [piece for piece in _PIECES.split(text) if piece]
    return "".join(step if isinstance(step, str) else "".join(pieces[slice(*step)]) for step in steps)


def _version(text: str) -> int:
    return int(text.partition('data-version="')[2].partition('"')[0])


async def _part(page: str, mark: str, text: str) -> tuple[int | None, str, str, int]:
    """Return the version, mark and text of the present part, and the number of bytes.

    The version is None if the part is unchanged. Patches are applied as in browsers.
    """
    headers = "HX-Request: true\r\nHX-Target: live\r\nConnection: close\r\n"
    headers += "Accept-Encoding: gzip\r\n"
    if mark:
        headers += f"If-None-Match: {mark}\r\nLive-Changes: 1\r\n"
    reader, writer = await _asked(page, headers)
    answer = await reader.read()
    writer.close()
    head, _gap, body = answer.partition(b"\r\n\r\n")
    if b" 200 " not in head.split(b"\r\n")[0] and b" 304 " not in head.split(b"\r\n")[0]:
        raise OSError(head[:100])
    if b" 304 " in head.split(b"\r\n")[0]:
        return None, mark, text, len(answer)
    fields = dict(line.lower().partition(b": ")[::2] for line in head.split(b"\r\n")[1:])
    content = (gzip.decompress(body) if fields.get(b"content-encoding") == b"gzip" else body).decode()
    if fields[b"content-type"].startswith(b"application/json"):
        content = _put_together(text, json.loads(content))
    marks = [line.partition(b": ")[2] for line in head.split(b"\r\n") if line.lower().startswith(b"etag: ")]
    return _version(content), marks[0].decode(), content, len(answer)


async def _asked(address: str, headers: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2**20)
    writer.write(f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n{headers}\r\n".encode())
    await writer.drain()
    return reader, writer


def first_sent(lines: Sequence[str]) -> int:
    """The bytes of every page's first part, which it requests when it opens."""
    first: dict[str, int] = {}
    for line in lines:
        page, _version, _at, length, _way = line.split()
        first.setdefault(page, int(length))
    return sum(first.values())


def reached_in(lines: Sequence[str], pressed: dict[int, float]) -> list[float]:
    """For every page and result, the seconds until the page had that version or, if it missed it, the next."""
    taken_in: dict[int, list[tuple[int, float]]] = {}
    for line in lines:
        page, version, at, _bytes, _way = line.split()
        taken_in.setdefault(int(page), []).append((int(version), float(at)))
    return [
        min(at for version, at in versions if version >= wanted) - began
        for versions in taken_in.values()
        for wanted, began in pressed.items()
        if any(version >= wanted for version, _at in versions)
    ]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
