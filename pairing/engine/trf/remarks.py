"""Comment lines of our own, which other programs pass over: `### Clubnight reading fide-1989:8.2=next-round`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairing.engine.readings import InvalidReading, Readings, chosen_readings, parse_reading
from pairing.engine.trf.errors import TrfError
from pairing.engine.trf.model import TrfFile

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
