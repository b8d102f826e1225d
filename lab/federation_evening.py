"""The users of fifty evenings: a fixed number of actions a second, however slow the responses are.

A press is due when it is due: one that has to wait for the one before it at the same desk is late, and its time counts
from when it was due.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

EVENINGS = 50
IN_AN_EVENING = {"check-in": 3_000 / (20 * 60), "pairing": EVENINGS / (10 * 60), "entry": 1_500 / (40 * 60)}
"""Presses a second of all evenings together: 3,000 players come within 20 minutes, 50 rounds are paired within ten,
1,500 results come within 40."""
OPENED = 5_000 / (10 * 60)
"""Pages opened on phones a second: everybody's once within ten minutes."""
SECONDS = 60.0
"""Any answer is given up after so many."""
CSRF = "c" * 32
LEADS_TO = "Location: "


class Refused(Exception):
    """An unwanted response; the message says which."""


@dataclass(slots=True)
class Told:
    """The measurements, in seconds by kind of action, and the errors."""

    took: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    pressed: defaultdict[int, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    """By evening and version: when the result was pressed that made this version of the round."""


@dataclass(slots=True)
class Desk:
    """The secretary of an evening: one action after the other."""

    place: int
    told: dict[str, Any]
    host: str
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    turn: int = 0
    version: int = 0
    revisions: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str) -> str:
        return await ask(self.host, "GET", self.told["address"] + path, session=self.told["session"])

    async def post(self, path: str, part: str = "", **form: str) -> str:
        return await ask(
            self.host, "POST", self.told["address"] + path, session=self.told["session"], form=form, part=part
        )


async def play(told: dict[str, Any], host: str, *, pace: float, seconds: float, cards: bool) -> Told:
    """All actions for so many seconds, `pace` times as fast as in an evening."""
    found = Told()
    desks = [Desk(place, each, host) for place, each in enumerate(told["evenings"])]
    by_point = {point: [desk for desk in desks if desk.told["point"] == point] for point in PRESSES}
    for desk in by_point["entering"]:
        await open_desk(desk)
    tasks: list[asyncio.Task[None]] = []
    if cards:
        tasks.append(asyncio.create_task(_measured(found, "1,000 cards", _cards, Desk(-1, told["cards"], host))))
        await asyncio.sleep(3)
    chosen = random.Random(7)
    began = time.monotonic()
    due = sorted(
        (chosen.uniform(0, seconds), kind)
        for kind, rate in (*IN_AN_EVENING.items(), ("page", OPENED))
        for _each in range(max(1, round(rate * pace * seconds)))
    )
    for at, kind in due:
        await asyncio.sleep(max(0.0, began + at - time.monotonic()))
        point = {"check-in": "checking in", "pairing": "pairing", "entry": "entering"}.get(kind)
        desk = chosen.choice(by_point[point] if point else desks)
        press = PRESSES[point] if point else opened
        tasks.append(asyncio.create_task(_measured(found, kind, press, desk)))
    _done, late = await asyncio.wait(tasks, timeout=SECONDS * 3)
    found.errors += ["never answered"] * len(late)
    for each in late:
        each.cancel()
    return found


async def open_desk(desk: Desk) -> None:
    """The secretary opens the page of the round."""
    page = await desk.get("rounds/1/")
    desk.revisions = dict(re.findall(r'name="seen-(\d+)" value="([^"]*)"', page))
    if desk.told["point"] == "entering":
        desk.version = await version_of(desk.host, desk.told["address"])


async def _measured(found: Told, kind: str, press: Callable[[Desk, Told], Awaitable[str]], desk: Desk) -> None:
    began = time.monotonic()
    try:
        kind = await press(desk, found) or kind
    except (Refused, OSError, ValueError, KeyError, TimeoutError, asyncio.IncompleteReadError) as error:
        found.errors.append(f"{kind}: {error!r}"[:300])
    else:
        found.took[kind].append(time.monotonic() - began)


async def _check_in(desk: Desk, _found: Told) -> str:
    """Every other player checks in by phone, the others at the door. Later turns undo it or mark them late."""
    place, again = desk.turn % len(desk.told["players"]), desk.turn // len(desk.told["players"])
    desk.turn += 1
    player = desk.told["players"][place]
    if place % 2:
        form = {"round": "1", "tap": "undo" if again % 2 else "here"}
        await ask(desk.host, "POST", f"{player['personal']}check-in/", form=form, part="mine")
        return "check-in by phone"
    async with desk.busy:
        await desk.post(
            "rounds/1/check-in/", "answer", entry=str(player["entry"]), mark="late" if again % 2 else "here"
        )
    return "check-in at the door"


async def _pair(desk: Desk, found: Told) -> str:
    """From the click until the draft is there. Then it is published, and everything is undone for the next one."""
    async with desk.busy:
        began = time.monotonic()
        await desk.post("rounds/1/pair/")
        while "publish/" not in (page := await desk.get("rounds/1/")):
            if time.monotonic() - began > SECONDS:
                raise Refused("no draft")
            await asyncio.sleep(0.5)
        found.took["pairing, at the desk alone"].append(time.monotonic() - began)
        paired = time.monotonic()
        await desk.post("rounds/1/publish/", version=_version_in(page))
        found.took["publishing"].append(time.monotonic() - paired)
        for address, more in (("unpublish", {"reason": "once more"}), ("discard", {})):
            page = await desk.get("rounds/1/")
            await desk.post(f"rounds/1/{address}/", version=_version_in(page), **more)
    return "pairing, publishing and undoing"


async def _enter(desk: Desk, found: Told) -> str:
    async with desk.busy:
        boards = len(desk.revisions)
        board, again = desk.turn % boards + 1, desk.turn // boards
        desk.turn += 1
        result = ("1-0", "1/2", "0-1")[(again + board) % 3]
        desk.version += 1
        found.pressed[desk.place][desk.version] = time.monotonic()
        sent = {f"result-{board}": result, f"seen-{board}": desk.revisions[str(board)]}
        row = await desk.post(f"rounds/1/boards/{board}/result/", f"board-{board}", **sent)
        seen = re.search(rf'name="seen-{board}" value="([^"]*)"', row)
        if not seen or not seen[1].endswith(result):
            raise Refused(f"not stored: {row[:200]}")
        desk.revisions[str(board)] = seen[1]
    return "entry"


async def opened(desk: Desk, _found: Told) -> str:
    await ask(desk.host, "GET", public_page(desk.told))
    return "page on a phone"


async def _cards(desk: Desk, _found: Told) -> str:
    """From the click until the PDF is there: the paper redirects to its job, the job back to the paper."""
    path = f"{desk.told['address']}print/cards.pdf"
    while not (answer := await ask(desk.host, "GET", path, session=desk.told["session"])).startswith("%PDF"):
        if answer.startswith(LEADS_TO):
            path = answer.removeprefix(LEADS_TO)
        else:
            await asyncio.sleep(1)
    return "1,000 cards"


PRESSES: dict[str, Callable[[Desk, Told], Awaitable[str]]] = {
    "checking in": _check_in,
    "pairing": _pair,
    "entering": _enter,
}


def public_page(told: dict[str, Any]) -> str:
    """The players' page: the round, or the event's start page while there is none."""
    return str(told["address"]) + ("rounds/1/" if told["point"] == "entering" else "")


def _version_in(page: str) -> str:
    found = re.search(r'name="version" value="(\d+)"', page)
    if found is None:
        raise Refused("no version on the page")
    return found[1]


async def version_of(host: str, address: str) -> int:
    part = await ask(host, "GET", f"{address}rounds/1/", part="live")
    return int(part.partition('data-version="')[2].partition('"')[0])


async def ask(
    host: str, method: str, path: str, *, session: str = "", form: dict[str, str] | None = None, part: str = ""
) -> str:
    """One request with a connection of its own; a redirect is a response. Raises Refused for 4xx and 5xx."""
    headers = {"Host": host, "Connection": "close", "Cookie": f"csrftoken={CSRF}"}
    headers["Cookie"] += f"; sessionid={session}" if session else ""
    headers |= {"HX-Request": "true", "HX-Target": part} if part else {}
    body = b""
    if form is not None:
        body = urlencode(form).encode()
        headers |= {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": CSRF}
        headers["Content-Length"] = str(len(body))
    name, _colon, port = host.partition(":")
    async with asyncio.timeout(SECONDS):
        reader, writer = await asyncio.open_connection(name, int(port))
        try:
            head = "".join(f"{each}: {value}\r\n" for each, value in headers.items())
            writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            await writer.drain()
            answer = await reader.read()
        finally:
            writer.close()
    said, _gap, content = answer.partition(b"\r\n\r\n")
    status = int(said.split(b" ", 2)[1])
    if status >= 400:
        raise Refused(f"{method} {path} {status} {content[:200]!r}")
    if 300 <= status < 400:
        found = re.search(rb"^Location: (\S+)", said, re.MULTILINE | re.IGNORECASE)
        return LEADS_TO + (found[1].decode() if found else "")
    return content.decode(errors="replace")
