"""What a file says of an event's regulations: type (092, 192), tie-breaks (202, 212), time control (122, 222)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from pairing.engine.trf.errors import TrfWarning, TrfWarningKind
from pairing.engine.trf.model import TrfFile

_TYPE = re.compile(r"FIDE_(DUTCH_20(?:25|26)|DUTCH|ROUNDROBIN)(_BAKU)?")
_SYSTEMS = {"ROUNDROBIN": "round-robin"}
_TYPES = {"dutch-2026": "FIDE_DUTCH_2026", "round-robin": "FIDE_ROUNDROBIN"}
_PERIOD = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,6})(?:\+([0-9]{1,4}))?")
_PERIOD_IN_WORDS = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,3})(?:'|′)(?:\+([0-9]{1,3})(?:\"|″))?")
_EVERYBODY_MEETS = re.compile(r"round[- ]?robin", re.IGNORECASE)
_RATE = re.compile(r"\b(rapid|blitz)", re.IGNORECASE)
_MOVES_THOUGHT_OF = 60
_BLITZ_UP_TO, _RAPID_BELOW = 600, 3600
"""Seconds for 60 moves: FIDE Laws of Chess, appendices A.1 and B.1."""
_WORDS = re.compile(
    r"(?:g/)?([0-9]{1,3}) ?(?:'|′|min\.?|minutes?|m)?(?: ?\+ ?([0-9]{1,3}) ?(?:\"|″|''|s|sec\.?|seconds?)?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventType:
    """Line 192. `system` is one of SYSTEMS, None where it is no system that is known here."""

    text: str
    system: str | None
    is_accelerated: bool = False


def event_type(trf: TrfFile) -> EventType | None:
    """What line 192 says pairs the event; None without one."""
    text = trf.value("192")
    if not text:
        return None
    match = _TYPE.fullmatch(text.upper())
    if match is None:
        return EventType(text=text, system=None)
    return EventType(text=text, system=_SYSTEMS.get(match[1], "dutch-2026"), is_accelerated=match[2] is not None)


def says_round_robin(trf: TrfFile) -> bool:
    """Line 092, which is text, calls the event one in which everybody meets everybody."""
    return _EVERYBODY_MEETS.search(trf.value("092")) is not None


def kind_in_words(*, is_round_robin: bool, is_double: bool = False) -> str:
    """Line 092 for an event of single players."""
    if not is_round_robin:
        return "Individual: Swiss-System"
    return f"Individual: {'Double ' if is_double else ''}Round-Robin"


def type_line(system: str, *, is_accelerated: bool) -> str:
    """Line 192 for a system that FIDE has a code for; empty for all others."""
    return f"192 {_TYPES[system]}{'_BAKU' if is_accelerated else ''}" if system in _TYPES else ""


def tie_breaks_said(trf: TrfFile) -> tuple[str, ...]:
    """The codes of tie-breaks in their order, as written: of line 212, which says the whole order, or else of 202."""
    text = trf.value("212") or trf.value("202")
    codes = [code for code in re.split(r"[,; ]+", text) if code]
    return tuple(code for number, code in enumerate(codes) if number or code.upper() not in ("PTS", "POINTS"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A part of a time control: for so many moves (None: the rest) so many seconds, and some more a move."""

    moves: int | None
    seconds: int
    increment: int


def time_control_said(trf: TrfFile) -> tuple[Period, ...]:
    """The periods of line 222 (`40/6000+30:900+30`); none where it is missing or says something else."""
    matches = [_PERIOD.fullmatch(part) for part in trf.value("222").split(":")]
    return (
        tuple(
            Period(moves=int(match[1]) if match[1] else None, seconds=int(match[2]), increment=int(match[3] or 0))
            for match in matches
            if match
        )
        if all(matches)
        else ()
    )


def rate_of_play(trf: TrfFile) -> str:
    """`standard`, `rapid` or `blitz`, as the Laws have it for the file's time control; empty where it has none.

    Where neither 222 nor 122 can be counted, a file that calls itself rapid or blitz (192, 092, 122) is believed.
    """
    periods = time_control_said(trf) or _periods_in_words(trf.value("122"))
    if periods:
        seconds = thinking_time(periods)
        return "blitz" if seconds <= _BLITZ_UP_TO else "rapid" if seconds < _RAPID_BELOW else "standard"
    said = _RATE.search(" ".join(trf.value(code) for code in ("192", "092", "122")).replace("_", " "))
    return said[1].lower() if said else ""


def thinking_time(periods: tuple[Period, ...]) -> int:
    """Seconds that a player has for 60 moves, increments included."""
    left, seconds = _MOVES_THOUGHT_OF, 0
    for each in periods:
        moves = min(each.moves or left, left)
        seconds += each.seconds + moves * each.increment
        left -= moves
        if not left:
            break
    return seconds


def _periods_in_words(words: str) -> tuple[Period, ...]:
    """The periods of line 122, where it has them as `15 min + 10 s`, `90+30` or `time_control_in_words` writes them."""
    match = _WORDS.fullmatch(words.strip())
    if match:
        one = Period(moves=None, seconds=int(match[1]) * 60, increment=int(match[2] or 0))
        return (one,) if one.seconds or one.increment else ()
    matches = [_PERIOD_IN_WORDS.fullmatch(part.strip()) for part in words.split(" + ")]
    return (
        tuple(
            Period(moves=int(match[1]) if match[1] else None, seconds=int(match[2]) * 60, increment=int(match[3] or 0))
            for match in matches
            if match
        )
        if all(matches)
        else ()
    )


def time_control_in_words(periods: tuple[Period, ...]) -> str:
    """As line 122 has it: `40/100'+30" + 15'+30"`."""
    return " + ".join(
        (f"{each.moves}/" if each.moves else "")
        + f"{_minutes(each.seconds)}'"
        + (f'+{each.increment}"' if each.increment else "")
        for each in periods
    )


def time_control_line(words: str) -> str:
    """Line 222 for a time control of one period such as `90+30`, `90 min + 30 s` or `G/60`; empty for any other."""
    match = _WORDS.fullmatch(words.strip())
    if not match or not int(match[1]):
        return ""
    return f"222 {int(match[1]) * 60}" + (f"+{int(match[2])}" if match[2] and int(match[2]) else "")


def warnings_of_regulations(trf: TrfFile) -> list[TrfWarning]:
    """What of these lines is not understood, and so is kept and nothing else."""
    found = []
    places = {record.code: (line, record) for line, record in reversed(list(trf.numbered_records()))}
    said = event_type(trf)
    if said and said.system is None:
        found.append((TrfWarningKind.TYPE_UNKNOWN, "192", said.text))
    unknown = _unknown_tie_breaks(tie_breaks_said(trf))
    if unknown:
        found.append((TrfWarningKind.TIE_BREAKS_UNKNOWN, "212" if trf.value("212") else "202", ", ".join(unknown)))
    if trf.value("222") and not time_control_said(trf):
        found.append((TrfWarningKind.TIME_CONTROL_UNKNOWN, "222", trf.value("222")))
    return [
        TrfWarning(kind=kind, line=places[code][0], column=5, stated=text, computed="") for kind, code, text in found
    ]


def _unknown_tie_breaks(codes: tuple[str, ...]) -> list[str]:
    if not codes:
        return []
    from pairing.engine.standings import is_tie_break  # a command that pairs has no other use for it

    return [code for code in codes if not is_tie_break(code)]


def _minutes(seconds: int) -> str:
    minutes = Fraction(seconds, 60)
    return str(minutes) if minutes.denominator == 1 else f"{seconds // 60}:{seconds % 60:02}"
