"""Events as Vega writes them for a website: the games, and the standings the organiser published."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from html import unescape
from pathlib import Path

from pairing.engine.snapshot import Colour, Result
from pairing.engine.trf import TrfRound

CODES = {"BH-C1": "BH/C1", "BUC1": "BH/C1", "BUCT": "BH", "DIRE": "DE"}
"""Vega's own names of tie-breaks."""
_RESULTS = {"1": Result.WIN, "½": Result.DRAW, "0": Result.LOSS, "+": Result.FORFEIT_WIN, "-": Result.FORFEIT_LOSS}
BY_COLOUR = ("BPG", "BWG")
"""Tie-breaks by colour, which a table of everyone against everyone doesn't tell."""


@dataclass(slots=True)
class Row:
    """One line of published standings."""

    place: int
    tpn: int
    points: Decimal
    values: tuple[Decimal | None, ...]


@dataclass(slots=True)
class Published:
    """A finished event: its games, and the standings its organiser published."""

    name: str
    source: str
    system: str
    rounds: int
    begins: date | None
    tie_breaks: tuple[str, ...]
    rows: list[Row]
    games: dict[int, list[TrfRound]]
    ratings: Mapping[int, int] = field(default_factory=dict)
    is_ambiguous: bool = False


class NotComparable(Exception):
    """Raised if an event isn't finished, or its pages contradict each other."""


def read_vega_event(folder: Path, *, source: str) -> Published:
    """Read a folder of Vega's pages. Raises NotComparable if the event isn't finished."""
    facts = _facts(folder / "tourstat.html")
    rounds = int(facts.get("Rounds") or facts["Раунды"])
    standings = next((folder / name for name in ("standings.html", "standing.html") if (folder / name).exists()), None)
    crosstable = next(
        (folder / name for name in ("crosstable.html", "sortedcrosstable.html") if (folder / name).exists()), None
    )
    if standings is None or crosstable is None:
        raise NotComparable("a page is missing")
    head, rows, title = _table(standings)
    after = re.search(r"(\d+)", title)
    if after and int(after[1]) != rounds:
        raise NotComparable(f"standings of round {after[1]} of {rounds}")
    codes = tuple(CODES.get(code.upper(), code) for code in head[head.index("Pts") + 1 :])
    found = [_row(cells, head) for cells in rows]
    if any("Round Robin" in value for value in facts.values()):
        system, games, ratings = "round-robin", _round_robin(crosstable, rounds), _ratings(crosstable)
        is_ambiguous = False
    else:
        system, ratings = "dutch-2026", _ratings(standings)
        games, is_ambiguous = _swiss(crosstable)
    if set(games) != {row.tpn for row in found}:
        raise NotComparable("crosstable and standings have different players")
    if system == "round-robin":
        for row in found:
            row.values = tuple(
                None if code in BY_COLOUR else value for code, value in zip(codes, row.values, strict=True)
            )
    for row in found:
        halves = sum(points_in_halves(each) for each in games[row.tpn])
        if Decimal(halves) / 2 != row.points:
            raise NotComparable(
                f"player {row.tpn} has {row.points} points, but {Decimal(halves) / 2} by the crosstable"
            )
    return Published(
        name=next(iter(facts.values())),
        source=source,
        system=system,
        rounds=rounds,
        begins=_day(facts.get("Date Begin", "")),
        tie_breaks=codes,
        rows=found,
        games=games,
        ratings=ratings,
        is_ambiguous=is_ambiguous,
    )


def points_in_halves(block: TrfRound) -> int:
    """Return the half points of a round, with the usual points."""
    worth = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1}
    return worth.get(block.result.value, 0) if block.result else 0


def _day(text: str) -> date | None:
    match = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", text.strip())
    return date(int(match[3]), int(match[2]), int(match[1])) if match else None


def _facts(path: Path) -> dict[str, str]:
    """The event's data from Vega's statistics: name and value in two cells of each row."""
    rows = (_cells(row) for row in re.findall(r"<tr.*?</tr>", path.read_text(errors="replace"), re.DOTALL))
    return {_text(cells[0]): _text(cells[1]) for cells in rows if len(cells) == 2}


def _table(path: Path) -> tuple[list[str], list[list[str]], str]:
    """The column headings, the rows as HTML cells, and the page's title."""
    page = path.read_text(errors="replace")
    match = re.search(r"<h[34][^>]*>(.*?)</h[34]>|<caption>(.*?)</caption>", page, re.DOTALL)
    tables = re.findall(r"<table.*?</table>", page, re.DOTALL)
    body = next((each for each in tables if "<th" in each), "")
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    if not rows:
        raise NotComparable(f"{path.name} has no table")
    head = [_text(cell) for cell in re.findall(r"<t[hd](?: [^>]*)?>(.*?)</t[hd]>", rows[0], re.DOTALL)]
    cells = [_cells(row) for row in rows[1:] if "<td" in row and "colspan" not in row]
    return head, cells, _text(match[1] or match[2]) if match else ""


def _cells(row: str) -> list[str]:
    return re.findall(r"<td[^>]*>(.*?)(?=</td>|<td|</tr>)", row, re.DOTALL)


def _text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def _number(html: str) -> int:
    match = re.search(r"playercard\.html#(\d+)", html)
    if match is None:
        raise NotComparable("a row without a player")
    return int(match[1])


def _row(cells: Sequence[str], head: Sequence[str]) -> Row:
    points = head.index("Pts")
    tpn = _number(" ".join(cells))
    values = tuple(_decimal(_text(cell)) for cell in cells[points + 1 : len(head)])
    return Row(place=int(_text(cells[0])), tpn=tpn, points=Decimal(_text(cells[points])), values=values)


def _decimal(text: str) -> Decimal | None:
    return Decimal(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None


def _ratings(path: Path) -> dict[int, int]:
    """The ratings by number, from a column Rtg or from the box beside the name."""
    head, rows, _title = _table(path)
    found = {}
    for cells in rows:
        match = re.search(r'class="rating">\s*(\d+)', " ".join(cells))
        text = match[1] if match else _text(cells[head.index("Rtg")]) if "Rtg" in head else "0"
        found[_number(" ".join(cells))] = int(text or 0)
    return found


def _swiss(path: Path) -> tuple[dict[int, list[TrfRound]], bool]:
    """The rounds of everyone, and whether a round has several byes worth a point, of which one may be by pairing."""
    head, rows, _title = _table(path)
    first = head.index("Pts") + 1
    cells = {_number(" ".join(row)): row[first:] for row in rows}
    if any(len(row) < len(head) - first for row in cells.values()):
        raise NotComparable("a row of the crosstable is too short")
    games: dict[int, list[TrfRound]] = {tpn: [] for tpn in cells}
    is_ambiguous = False
    for number in range(len(head) - first):
        parts = {tpn: _block(row[number]) for tpn, row in cells.items()}
        full = [tpn for tpn, (result, kind, other) in parts.items() if result == "1" and kind == "cf" and not other]
        is_ambiguous = is_ambiguous or len(full) > 1
        for tpn, (result, kind, other) in parts.items():
            games[tpn].append(_round(result, kind, other))
    return games, is_ambiguous


def _block(html: str) -> tuple[str, str, int]:
    """Result, class (cw, cb: the colour; cf: not played) and opponent of a cell. Empty if there is nothing in it."""
    match = re.search(r'class="res">(.*?)</div>\s*<div class="(\w+)">(.*?)</div>', html, re.DOTALL)
    if not match:
        if _text(html):
            raise NotComparable(f"an unknown cell: {_text(html)}")
        return "", "", 0
    other = _text(match[3])
    return _text(match[1]), match[2], int(other) if other.isdigit() else 0


def _round(result: str, kind: str, other: int) -> TrfRound:
    if kind == "cf" and other:
        return TrfRound(opponent=other, result=Result.FORFEIT_WIN if result == "1" else Result.FORFEIT_LOSS)
    if kind in ("cw", "cb"):
        return TrfRound(opponent=other, colour=Colour.WHITE if kind == "cw" else Colour.BLACK, result=_RESULTS[result])
    byes = {"1": Result.PAIRING_ALLOCATED_BYE, "½": Result.HALF_POINT_BYE, "0": Result.ZERO_POINT_BYE}
    return TrfRound(result=byes.get(result, Result.ABSENT))


def _round_robin(path: Path, rounds: int) -> dict[int, list[TrfRound]]:
    """Everyone's games from a table of everyone against everyone. The rounds are those of a schedule of our own.

    Colours are alternated: the table doesn't tell them.
    """
    head, rows, _title = _table(path)
    first = head.index("Pts") + 1
    order = [_number(" ".join(row)) for row in rows]
    size = len(order) + len(order) % 2
    games = {tpn: [TrfRound(result=Result.ABSENT)] * rounds for tpn in order}
    for place, row in enumerate(rows):
        for against, cell in enumerate(row[first : first + len(order)]):
            for cycle, mark in enumerate(re.findall(r"[1½0+-]", _text(cell))):
                number = cycle * (size - 1) + round_of(place, against, size)
                if place == against or number >= rounds:
                    continue
                is_white = (place < against) is ((place + against + cycle) % 2 == 1)
                colour = None if mark in "+-" else Colour.WHITE if is_white else Colour.BLACK
                games[order[place]][number] = TrfRound(opponent=order[against], colour=colour, result=_RESULTS[mark])
    return games


def round_of(one: int, other: int, size: int) -> int:
    """The round (from 0) in which two places meet when all but the last go round in a circle."""
    last = size - 1
    if last in (one, other):
        return 2 * min(one, other) % last
    return (one + other) % last
