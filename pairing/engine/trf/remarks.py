"""Comment lines of our own, which other programs pass over.

`### Clubnight reading fide-1989:8.2=next-round` and `### Clubnight system rounds=1-3 jahr` are read again;
`### Clubnight decision round=4 ...` is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pairing.engine.readings import InvalidReading, Readings, chosen_readings, parse_reading
from pairing.engine.trf.errors import TrfError
from pairing.engine.trf.model import TrfFile

_SYSTEM = re.compile(
    r"###\s*Clubnight\s+system\s+rounds=[0-9]+-([0-9]{1,3})\s+([a-z0-9-]+)(?:\+([a-z0-9-]+))?\s*", re.IGNORECASE
)
_REMARK = re.compile(r"###\s*Clubnight\s", re.IGNORECASE)
_READING = re.compile(r"###\s*Clubnight\s+reading\s+(\S.*?)\s*", re.IGNORECASE)


def readings_of(trf: TrfFile) -> Readings:
    """The readings a file names. Raises TrfError where one is unknown."""
    return chosen_readings(_stated(trf))


def states_reading(line: str) -> bool:
    """Whether a line is one of these."""
    return _READING.fullmatch(line) is not None


def reading_lines(readings: Readings) -> list[str]:
    """The lines that name them."""
    return [f"### Clubnight reading {name}={value}" for name, value in readings]


def is_remark(line: str) -> bool:
    """Whether a line is a comment of ours, of whatever kind."""
    return _REMARK.match(line) is not None


def decision_line(round_number: int, decided: str, who: Iterable[str], articles: str, reason: str) -> str:
    """The line that says what an arbiter decided where a round had no legal pairing.

    `who` are pairs such as `3-7`, or single numbers, of those seated against the `articles`.
    """
    parts = [f"### Clubnight decision round={round_number} {decided}", *who, f"({articles})" if articles else ""]
    return " ".join(" ".join((*parts, "because", reason)).split())


class EarlierSystem(NamedTuple):
    """A system that paired the rounds up to `last`, before another took over."""

    last: int
    system: str
    procedure: str | None


def system_lines(earlier: Iterable[EarlierSystem]) -> list[str]:
    """The lines that name the systems of earlier rounds: `### Clubnight system rounds=1-3 jahr+dutch-1992`."""
    lines, first = [], 1
    for each in earlier:
        name = f"{each.system}+{each.procedure}" if each.procedure else each.system
        lines.append(f"### Clubnight system rounds={first}-{each.last} {name}")
        first = each.last + 1
    return lines


def earlier_systems_of(trf: TrfFile) -> tuple[EarlierSystem, ...]:
    """The systems of earlier rounds that a file names, in the order of the rounds; unreadable lines are comments."""
    found = (_SYSTEM.fullmatch(record.text) for _line, record in trf.numbered_records())
    return tuple(
        sorted(EarlierSystem(last=int(each[1]), system=each[2].lower(), procedure=each[3]) for each in found if each)
    )


def states_system(line: str) -> bool:
    """Whether a line names the system of earlier rounds."""
    return _SYSTEM.fullmatch(line) is not None


def _stated(trf: TrfFile) -> Iterator[tuple[str, str]]:
    for line, record in trf.numbered_records():
        found = _READING.fullmatch(record.text)
        if not found:
            continue
        try:
            yield parse_reading(found[1])
        except InvalidReading as error:
            expected = f"a known reading ({error})"
            raise TrfError(expected, name=trf.name, line=line, column=found.start(1) + 1, found=found[1]) from error
