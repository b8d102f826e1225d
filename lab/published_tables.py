"""Events as programs other than Vega publish them: the games, and the standings the organiser published.

- chess-results (Swiss-Manager): a crosstable as HTML or XLSX. The page names the tie-breaks. The file doesn't.
- Swiss-Chess, on a website: a page with the standings and one with the pairings of each round (Markdown with tables).
- Groups of four on the same website: standings and pairings of each group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from html import unescape
from itertools import takewhile
from pathlib import Path

import openpyxl

from lab.vega_pages import NotComparable, Published, Row, points_in_halves, round_of
from pairing.engine.snapshot import Colour, Result
from pairing.engine.trf import TrfRound

Cells = list[str]
NAMED = (
    (r"points \(game-points\)", "PTS"),
    (r"Direct Encounter", "DE"),
    (r"Buchholz", "BH"),
    (r"Sonneborn", "SB"),
    (r"\(WIN\)", "WIN"),
    (r"\(PS\)", "PS"),
    (r"\(KS\)", "KS"),
    (r"\(ARO\)", "ARO"),
    (r"\(APRO\)", "APRO"),
)
"""How chess-results names tie-breaks, and their codes."""
_DETAILS = ((r"Cut1", "C1"), (r"Median1", "M1"), (r"\(2023\)", "V1"), (r"\(2026\)", "V2"), (r"\b1400\b", "U1400"))
GERMAN = {"Buchh": "BH", "SoBerg": "SB", "BuSumm": "SOB"}
_PLAYED = {"1": Result.WIN, "½": Result.DRAW, "0": Result.LOSS, "+": Result.FORFEIT_WIN, "-": Result.FORFEIT_LOSS}
_UNPLAYED = {"1": Result.PAIRING_ALLOCATED_BYE, "½": Result.HALF_POINT_BYE, "0": Result.ZERO_POINT_BYE}
_RESULTS = {"1 – 0": "10", "0 – 1": "01", "½ – ½": "½½", "+ – –": "+-", "– – +": "-+", "– – –": "--"}
HALF = Decimal("0.5")
CUT = 15
"""Names are compared by this many letters, because Swiss-Chess cuts longer ones in its tables."""
_COLOURS = {"w": Colour.WHITE, "b": Colour.BLACK}


def read_published_events(folder: Path, *, source: str) -> Iterator[Published | str]:
    """Yield the finished events in a folder, and for each file with another table the reason why it isn't one."""
    for path in sorted(folder.rglob("*")):
        readers = {".xlsx": _read_xlsx, ".html": _read_html, ".md": _read_markdown}
        if path.suffix in readers:
            try:
                yield from (replace(event, source=source) for event in readers[path.suffix](path))
            except NotComparable as reason:
                yield f"{path.relative_to(folder)}: {reason}"


# -- chess-results -----------------------------------------------------------------------------------------------------


def _read_xlsx(path: Path) -> Iterator[Published]:
    rows = [
        ["" if cell is None else str(cell).strip() for cell in row]
        for sheet in openpyxl.load_workbook(path)
        for row in sheet.iter_rows(values_only=True)
    ]
    if any("TB1" in row for row in rows):
        yield _crosstable(rows, [])


def _read_html(path: Path) -> Iterator[Published]:
    page = path.read_text(errors="replace")
    rows = _html_rows(page)
    if any("TB1" in row for row in rows):
        titles = [[_text(each)] for each in re.findall(r"<h2>(.*?)</h2>", page, re.DOTALL)]
        event = _crosstable([[""], *titles[:1], *rows], re.findall(r"Tie ?Break ?\d+: ?([^<]*)", page))
        others = path.with_name(path.name.replace("crosstable", "startingrank"))
        yield event if event.ratings or not others.exists() else replace(event, ratings=_ratings(others))


def _html_rows(page: str) -> list[Cells]:
    return [
        [_text(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)]
        for row in re.findall(r"<tr[^>]*>(?:(?!<tr).)*?</tr>", page, re.DOTALL)
    ]


def _ratings(path: Path) -> dict[int, int]:
    """Return the ratings of a starting list."""
    rows = _html_rows(path.read_text(errors="replace"))
    head = next(row for row in rows if "Name" in row and "RtgI" in row)
    return {
        int(row[0]): int(row[head.index("RtgI")] or 0) for row in rows if len(row) == len(head) and row[0].isdecimal()
    }


def _crosstable(rows: Sequence[Cells], named: Sequence[str]) -> Published:
    """Return the event of a crosstable, whose columns are rounds or opponents."""
    start = next(place for place, row in enumerate(rows) if "TB1" in row)
    head = [cell.strip() for cell in rows[start]]
    if not {"Name", "Rk."} <= set(head):
        raise NotComparable("no crosstable")
    name, rating = head.index("Name"), head.index("Rtg") if "Rtg" in head else 0
    body = [row for row in rows[start + 1 :] if len(row) == len(head) and row[name] and re.fullmatch(r"\d*", row[0])]
    rounds = [place for place, name in enumerate(head) if re.fullmatch(r"\d+\.Rd", name)]
    opponents = [place for place, name in enumerate(head) if re.fullmatch(r"\d+", name)]
    ties = [place for place, name in enumerate(head) if re.fullmatch(r"TB\d", name)]
    codes = [_code(text) for text in named[: len(ties)]] or ["DE", *[""] * (len(ties) - 1)]
    if rounds:
        games = {tpn: [_block(row[place]) for place in rounds] for tpn, row in enumerate(body, start=1)}
    else:
        games = _everyone([[row[place] for place in opponents] for row in body])
    _find_requested_byes(games)
    found, place = [], 0
    for tpn, row in enumerate(body, start=1):
        place = int(row[head.index("Rk.")] or place)
        values = [_decimal(row[each]) for each in ties]
        points = _decimal(row[head.index("Pts.")]) if "Pts." in head else values[codes.index("PTS")]
        # Of the direct encounter, the page has the points, and we have the place.
        kept = tuple(
            None if code == "DE" else value for value, code in zip(values, codes, strict=True) if code != "PTS"
        )
        found.append(Row(place=place, tpn=tpn, points=points, values=kept))
    return _checked(
        Published(
            name=rows[1][0],
            source="",
            system="dutch-2026" if rounds else "round-robin",
            rounds=len(next(iter(games.values()))),
            begins=_day(rows),
            tie_breaks=tuple(code for code in codes if code != "PTS"),
            rows=found,
            games=games,
            ratings={tpn: int(row[rating] or 0) for tpn, row in enumerate(body, start=1)} if rating else {},
        )
    )


def _find_requested_byes(games: dict[int, list[TrfRound]]) -> None:
    """Of several byes worth a point in a round, only the last player's was given by the pairing."""
    for number in range(len(next(iter(games.values())))):
        full = [tpn for tpn, rounds in games.items() if rounds[number].result is Result.PAIRING_ALLOCATED_BYE]
        for tpn in sorted(full)[:-1]:
            games[tpn][number] = TrfRound(result=Result.FULL_POINT_BYE)


def _code(text: str) -> str:
    name = next((code for pattern, code in NAMED if re.search(pattern, text)), "")
    if not name:
        raise NotComparable(f"tie-break {text}")
    return "/".join(
        [name, *(detail for pattern, detail in _DETAILS if name not in ("DE", "PS", "KS") and re.search(pattern, text))]
    )


def _block(cell: str) -> TrfRound:
    """Return a round from a cell such as `19w1`, `12b+` or `-½`, which is a bye."""
    text = cell.replace(" ", "").lstrip("-") if re.fullmatch(r" *-?[01½] *", cell) else cell.replace(" ", "")
    if text in _UNPLAYED:
        return TrfRound(result=_UNPLAYED[text])
    match = re.fullmatch(r"(\d+)([wb])([1½0+-])", text)
    if match is None:
        raise NotComparable(f"a cell with {cell!r}: not finished")
    colour = None if match[3] in "+-" else _COLOURS[match[2]]
    return TrfRound(opponent=int(match[1]), colour=colour, result=_PLAYED[match[3]])


def _everyone(matrix: Sequence[Cells]) -> dict[int, list[TrfRound]]:
    """Return the games of a table of everyone against everyone, in rounds of a schedule of our own."""
    size = len(matrix) + len(matrix) % 2
    games = {tpn: [TrfRound(result=Result.ABSENT)] * (size - 1) for tpn in range(1, len(matrix) + 1)}
    for place, row in enumerate(matrix):
        for against, mark in enumerate(row):
            if place == against:
                continue
            if mark not in _PLAYED:
                raise NotComparable(f"a cell with {mark!r}: not finished")
            is_white = (place < against) is ((place + against) % 2 == 1)
            colour = None if mark in "+-" else Colour.WHITE if is_white else Colour.BLACK
            block = TrfRound(opponent=against + 1, colour=colour, result=_PLAYED[mark])
            games[place + 1][round_of(place, against, size)] = block
    return games


def _day(rows: Sequence[Cells]) -> date | None:
    text = " ".join(cell for row in rows for cell in row)
    match = re.search(r"Date\s*:?\s+(\d{4})/(\d\d)/(\d\d)", text)
    if match:
        return date(int(match[1]), int(match[2]), int(match[3]))
    match = re.search(r"Last update (\d\d)\.(\d\d)\.(\d{4})", text)
    return date(int(match[3]), int(match[2]), int(match[1])) if match else None


# -- Swiss-Chess and groups on a website -------------------------------------------------------------------------------


def _read_markdown(path: Path) -> Iterator[Published]:
    tables = _tables(path)
    if any("Stand nach" in rows[0][0] for rows in tables):
        pairings = path.with_name(path.name.replace("ranglisten", "ergebnisse"))
        if pairings != path and pairings.exists():
            yield _checked(_swiss_chess(path.stem, tables, _tables(pairings)))
    starts = [place for place, rows in enumerate(tables) if rows[0][:2] == ["Platz", "Name"] and "SoBerg" in rows[0]]
    for number, start in enumerate(starts, start=1):
        rounds = takewhile(lambda each: each[0][:2] == ["Brett", "Weiß"], tables[start + 1 :])
        yield _checked(_group(f"{path.stem}, group {number}", tables[start], list(rounds)))


def _tables(path: Path) -> list[list[Cells]]:
    """Return the rows of each table with more than a heading."""
    found = [
        [
            [_text(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)]
            for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)
        ]
        for body in re.findall(r"<table.*?</table>", path.read_text(), re.DOTALL)
    ]
    return [rows for rows in found if len(rows) > 1 and rows[0]]


def _swiss_chess(name: str, standings: Sequence[list[Cells]], pairings: Sequence[list[Cells]]) -> Published:
    """Return an event from its standings and the pairings of its rounds.

    The points before a round tell what a round without an opponent was worth.
    """
    title, head, *body = next(rows for rows in standings if "Stand nach" in rows[0][0])
    rounds, points = _round_number(title), head.index("Punkte")
    totals = {row[head.index("Teilnehmer")][:CUT]: _decimal(row[points]) for row in body}
    games: dict[str, dict[int, TrfRound]] = {one: {} for one in totals}
    before = {one: {rounds + 1: total} for one, total in totals.items()}
    tpns: dict[str, int] = {}
    number = 0
    for row in (row for rows in pairings for row in rows):
        number = _round_number(row) or number
        if len(row) != 12 or not row[1].rstrip(".").isdecimal():
            continue
        sides = [(row[at + 1][:CUT], row[at].rstrip("."), row[at + 3].strip("()")) for at in (1, 6)]
        tpns |= {one: int(tpn) for one, tpn, _points in sides if one != "spielfrei"}
        for (one, _tpn, told), (_other, against, _told), mark, letter in zip(
            sides, reversed(sides), _RESULTS[row[10]], "wb", strict=True
        ):
            if one == "spielfrei":
                continue
            before[one][number] = _decimal(told)
            opponent = 0 if "spielfrei" in (sides[0][0], sides[1][0]) else int(against)
            games[one][number] = _played(opponent, letter, mark)
    unpaired = [one for one in totals if one not in tpns]
    tpns |= {one: max(tpns.values()) + place for place, one in enumerate(unpaired, start=1)}
    for one, found in games.items():
        _add_unpaired(found, before[one], rounds)
    return Published(
        name=name,
        source="",
        system="dutch-2026",
        rounds=rounds,
        begins=_year(name),
        tie_breaks=tuple(GERMAN[each] for each in head[points + 1 :]),
        rows=[
            Row(
                place=int(row[0].rstrip(".")),
                tpn=tpns[row[head.index("Teilnehmer")][:CUT]],
                points=_decimal(row[points]),
                values=tuple(map(_decimal, row[points + 1 :])),
            )
            for row in body
        ],
        games={tpns[one]: [found[each] for each in range(1, rounds + 1)] for one, found in games.items()},
    )


def _add_unpaired(games: dict[int, TrfRound], before: dict[int, Decimal], rounds: int) -> None:
    """Add the rounds without an opponent: byes as long as they make up the points, and then absences."""
    total = Decimal(0)
    for number in range(1, rounds + 1):
        if number in games:
            total += Decimal(points_in_halves(games[number])) / 2
            continue
        later = min(each for each in before if each > number)
        known = sum(points_in_halves(games[each]) for each in range(number, later) if each in games)
        missing = before[later] - total - Decimal(known) / 2
        worth = "½" if missing >= HALF else "0"
        games[number] = TrfRound(result=_UNPLAYED[worth])
        total += HALF if worth == "½" else 0


def _group(name: str, standings: list[Cells], rounds: Sequence[list[Cells]]) -> Published:
    """Return a group that played everyone against everyone."""
    _head, *body = standings
    names = {row[1]: tpn for tpn, row in enumerate(body, start=1)}
    games: dict[int, list[TrfRound]] = {tpn: [] for tpn in names.values()}
    for pairings in rounds:
        for _board, white, _dash, black, result in pairings[1:]:
            marks = result.split(":")
            if len(marks) != 2:
                raise NotComparable(f"{name}: a result {result!r}")
            games[names[white]].append(_played(names[black], "w", marks[0]))
            games[names[black]].append(_played(names[white], "b", marks[1]))
    rows = [
        Row(place=int(row[0]), tpn=names[row[1]], points=_decimal(row[-2]), values=(_decimal(row[-1]),)) for row in body
    ]
    return Published(
        name=name,
        source="",
        system="round-robin",
        rounds=len(rounds),
        begins=_year(name),
        tie_breaks=("SB",),
        rows=rows,
        games=games,
    )


def _played(opponent: int, letter: str, mark: str) -> TrfRound:
    if not opponent:
        return TrfRound(result=Result.PAIRING_ALLOCATED_BYE)
    return TrfRound(opponent=opponent, colour=None if mark in "+-" else _COLOURS[letter], result=_PLAYED[mark])


def _round_number(row: Cells) -> int:
    match = re.search(r"(\d+)\. Runde", row[0]) if row else None
    return int(match[1]) if match else 0


def _year(name: str) -> date | None:
    match = re.search(r"20\d\d", name)
    return date(int(match[0]), 10, 1) if match else None


def _text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).replace("\u200b", "").split())


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", ".").replace("½", ".5") or 0)


def _checked(event: Published) -> Published:
    """Return the event if it has tie-breaks, and its points are those of its games."""
    if not event.tie_breaks:
        raise NotComparable("no tie-breaks")
    for row in event.rows:
        halves = sum(points_in_halves(each) for each in event.games[row.tpn])
        if Decimal(halves) / 2 != row.points:
            raise NotComparable(f"player {row.tpn} has {row.points} points, but {Decimal(halves) / 2} by the games")
    return event
