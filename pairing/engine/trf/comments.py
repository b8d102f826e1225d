"""Clubnight's own comment lines, which other programs ignore.

`### Clubnight reading fide-1989:8.2=next-round` and `### Clubnight system rounds=1-3 jahr` are parsed when a file is
read; `### Clubnight decision round=4 ...` and `override` are for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pairing.engine.rule_interpretations import (
    ChosenInterpretations,
    InvalidInterpretation,
    non_default_interpretations,
    parse_interpretation,
)
from pairing.engine.trf.model import TrfError, TrfFile

_SYSTEM = re.compile(
    r"###\s*Clubnight\s+system\s+rounds=[0-9]+-([0-9]{1,3})\s+([a-z0-9-]+)(?:\+([a-z0-9-]+))?\s*", re.IGNORECASE
)
_REMARK = re.compile(r"###\s*Clubnight\s", re.IGNORECASE)
_READING = re.compile(r"###\s*Clubnight\s+reading\s+(\S.*?)\s*", re.IGNORECASE)


def read_rule_interpretations(trf: TrfFile) -> ChosenInterpretations:
    """Return the interpretations that a file states. Raises TrfError if one is unknown."""
    return non_default_interpretations(_stated(trf))


def is_interpretation_line(line: str) -> bool:
    """Return True if a line states an interpretation."""
    return _READING.fullmatch(line) is not None


def format_interpretation_lines(readings: ChosenInterpretations) -> list[str]:
    """Return the lines that state these interpretations."""
    return [f"### Clubnight reading {name}={value}" for name, value in readings]


def is_clubnight_comment(line: str) -> bool:
    """Return True if a line is any of Clubnight's own comments."""
    return _REMARK.match(line) is not None


def format_arbiter_decision_line(
    round_number: int, decided: str, who: Iterable[str], articles: str, reason: str
) -> str:
    """Return the line with an arbiter's decision on a round that had no legal pairing.

    `who` are the pairs (`3-7`), or single numbers, that are against the `articles`.
    """
    parts = [f"### Clubnight decision round={round_number} {decided}", *who, f"({articles})" if articles else ""]
    return " ".join(" ".join((*parts, "because", reason)).split())


def format_override_line(round_number: int | None, words: str) -> str:
    """Return the line that records an arbiter's override, in a round or in the whole event."""
    place = "" if round_number is None else f"round={round_number} "
    return " ".join(f"### Clubnight override {place}{words}".split())


class EarlierPairingSystem(NamedTuple):
    """A system that paired the rounds up to `last_round`, before the event changed to another."""

    last_round: int
    system: str
    procedure: str | None


def format_earlier_system_lines(earlier: Iterable[EarlierPairingSystem]) -> list[str]:
    """Return the lines with the systems of earlier rounds: `### Clubnight system rounds=1-3 jahr+dutch-1992`."""
    lines, first = [], 1
    for each in earlier:
        name = f"{each.system}+{each.procedure}" if each.procedure else each.system
        lines.append(f"### Clubnight system rounds={first}-{each.last_round} {name}")
        first = each.last_round + 1
    return lines


def read_earlier_systems(trf: TrfFile) -> tuple[EarlierPairingSystem, ...]:
    """Return the systems of earlier rounds that a file states, by round. Unreadable lines are comments."""
    found = (_SYSTEM.fullmatch(record.text) for _line, record in trf.records_with_line_numbers())
    return tuple(
        sorted(
            EarlierPairingSystem(last_round=int(each[1]), system=each[2].lower(), procedure=each[3])
            for each in found
            if each
        )
    )


def is_earlier_system_line(line: str) -> bool:
    """Return True if a line states the system of earlier rounds."""
    return _SYSTEM.fullmatch(line) is not None


def _stated(trf: TrfFile) -> Iterator[tuple[str, str]]:
    for line, record in trf.records_with_line_numbers():
        found = _READING.fullmatch(record.text)
        if not found:
            continue
        try:
            yield parse_interpretation(found[1])
        except InvalidInterpretation as error:
            expected = f"a known reading ({error})"
            raise TrfError(expected, name=trf.name, line=line, column=found.start(1) + 1, found=found[1]) from error
