"""Regulations of the event in a file: type (092, 192), tie-breaks (202, 212), time control (122, 222)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pairing.engine.trf.model import TrfFile, TrfWarning, TrfWarningKind
from pairing.engine.trf.team_events import find_team_event

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
class TrfEventType:
    """The event type in line 192. `system` is our name for the pairing system, or None if it is not supported."""

    text: str
    system: str | None
    is_accelerated: bool = False


def read_event_type(trf: TrfFile) -> TrfEventType | None:
    """Return the event type in line 192, or None if there is none."""
    text = trf.first_value_for_code("192")
    if not text:
        return None
    match = _TYPE.fullmatch(text.upper())
    if match is None:
        return TrfEventType(text=text, system=None)
    return TrfEventType(text=text, system=_SYSTEMS.get(match[1], "dutch-2026"), is_accelerated=match[2] is not None)


def stated_pairing_system(trf: TrfFile) -> str:
    """Return our system for line 192, or round-robin if the free text in line 092 says so.

    Empty if unknown, and for a team event.
    """
    if find_team_event(trf.records_with_line_numbers()):
        return ""
    if (said := read_event_type(trf)) is not None:
        return said.system or ""
    return "round-robin" if _EVERYBODY_MEETS.search(trf.first_value_for_code("092")) else ""


def describe_event_kind(*, is_round_robin: bool, is_double: bool = False) -> str:
    """Return line 092 for an individual event."""
    if not is_round_robin:
        return "Individual: Swiss-System"
    return f"Individual: {'Double ' if is_double else ''}Round-Robin"


def encode_event_type(system: str, *, is_accelerated: bool) -> str:
    """Return FIDE's code for a pairing system, for line 192. Empty for systems without one."""
    return f"{_TYPES[system]}{'_BAKU' if is_accelerated else ''}" if system in _TYPES else ""


def read_tie_break_codes(trf: TrfFile) -> tuple[str, ...]:
    """Return the tie-break codes in order, as written in line 212 (the whole order), or else in line 202.

    In a team event these are the teams', and none is returned.
    """
    if find_team_event(trf.records_with_line_numbers()):
        return ()
    text = trf.first_value_for_code("212") or trf.first_value_for_code("202")
    codes = [code for code in re.split(r"[,; ]+", text) if code]
    return tuple(code for number, code in enumerate(codes) if number or code.upper() not in ("PTS", "POINTS"))


def format_regulation_lines(event_type: str, tie_breaks: Sequence[str], time_control: str) -> Iterator[str]:
    """Yield lines 192, 202, 212 (the whole order, with points) and 222, leaving out any without official codes.

    Tie-breaks of historic documents are left out, because other programs don't know them.
    """
    if event_type:
        yield f"192 {event_type}"
    if tie_breaks and all(_is_in_handbook(code) for code in tie_breaks):
        yield f"202 {','.join(tie_breaks)}"
        yield f"212 PTS,{','.join(tie_breaks)}"
    if line := format_time_control_line(time_control):
        yield line


def _is_in_handbook(code: str) -> bool:
    from pairing.engine.standings import TIE_BREAKS, is_known_tie_break, parse_tie_break

    return (
        is_known_tie_break(code)
        and re.match(r"C\.07 [0-9]", TIE_BREAKS[parse_tie_break(code).name].article) is not None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControlPeriod:
    """A period of a time control: `seconds` for `moves` (None: the rest), and an increment in seconds per move."""

    moves: int | None
    seconds: int
    increment: int


def read_time_control(trf: TrfFile) -> tuple[TimeControlPeriod, ...]:
    """Return the periods of line 222 (`40/6000+30:900+30`). Empty if it is missing or has a different form."""
    matches = [_PERIOD.fullmatch(part) for part in trf.first_value_for_code("222").split(":")]
    return (
        tuple(
            TimeControlPeriod(
                moves=int(match[1]) if match[1] else None, seconds=int(match[2]), increment=int(match[3] or 0)
            )
            for match in matches
            if match
        )
        if all(matches)
        else ()
    )


def detect_rate_of_play(trf: TrfFile) -> str:
    """Return `standard`, `rapid` or `blitz`, based on the file's time control (Laws of Chess). Empty if it has none.

    If neither 222 nor 122 can be parsed, the words rapid or blitz in 192, 092 or 122 decide.
    """
    periods = read_time_control(trf) or _periods_in_words(trf.first_value_for_code("122"))
    if periods:
        seconds = thinking_seconds_for_60_moves(periods)
        return "blitz" if seconds <= _BLITZ_UP_TO else "rapid" if seconds < _RAPID_BELOW else "standard"
    said = _RATE.search(" ".join(trf.first_value_for_code(code) for code in ("192", "092", "122")).replace("_", " "))
    return said[1].lower() if said else ""


def thinking_seconds_for_60_moves(periods: tuple[TimeControlPeriod, ...]) -> int:
    """Return the seconds that a player has for 60 moves, including increments."""
    left, seconds = _MOVES_THOUGHT_OF, 0
    for each in periods:
        moves = min(each.moves or left, left)
        seconds += each.seconds + moves * each.increment
        left -= moves
        if not left:
            break
    return seconds


def _periods_in_words(words: str) -> tuple[TimeControlPeriod, ...]:
    """Return the periods of line 122 in the forms `15 min + 10 s`, `90+30` or that of `format_time_control`."""
    match = _WORDS.fullmatch(words.strip())
    if match:
        one = TimeControlPeriod(moves=None, seconds=int(match[1]) * 60, increment=int(match[2] or 0))
        return (one,) if one.seconds or one.increment else ()
    matches = [_PERIOD_IN_WORDS.fullmatch(part.strip()) for part in words.split(" + ")]
    return (
        tuple(
            TimeControlPeriod(
                moves=int(match[1]) if match[1] else None, seconds=int(match[2]) * 60, increment=int(match[3] or 0)
            )
            for match in matches
            if match
        )
        if all(matches)
        else ()
    )


def format_time_control(periods: tuple[TimeControlPeriod, ...]) -> str:
    """Return a time control in the form of line 122: `40/100'+30" + 15'+30"`."""
    return " + ".join(
        (f"{each.moves}/" if each.moves else "")
        + f"{_minutes(each.seconds)}'"
        + (f'+{each.increment}"' if each.increment else "")
        for each in periods
    )


def format_time_control_line(words: str) -> str:
    """Return line 222 for one period such as `90+30`, `90 min + 30 s` or `G/60`. Empty for anything else."""
    match = _WORDS.fullmatch(words.strip())
    if not match or not int(match[1]):
        return ""
    return f"222 {int(match[1]) * 60}" + (f"+{int(match[2])}" if match[2] and int(match[2]) else "")


def find_regulation_warnings(trf: TrfFile) -> list[TrfWarning]:
    """Return warnings about regulation lines that are kept but cannot be used."""
    found = []
    places = {record.line_code: (line, record) for line, record in reversed(list(trf.records_with_line_numbers()))}
    said = read_event_type(trf)
    if said and said.system is None:
        found.append((TrfWarningKind.TYPE_UNKNOWN, "192", said.text))
    unknown = _unknown_tie_breaks(read_tie_break_codes(trf))
    if unknown:
        found.append(
            (TrfWarningKind.TIE_BREAKS_UNKNOWN, "212" if trf.first_value_for_code("212") else "202", ", ".join(unknown))
        )
    if trf.first_value_for_code("222") and not read_time_control(trf):
        found.append((TrfWarningKind.TIME_CONTROL_UNKNOWN, "222", trf.first_value_for_code("222")))
    return [
        TrfWarning(kind=kind, line=places[code][0], column=5, stated=text, computed="") for kind, code, text in found
    ]


def _unknown_tie_breaks(codes: tuple[str, ...]) -> list[str]:
    if not codes:
        return []
    from pairing.engine.standings import is_known_tie_break  # commands that only pair never need it

    return [code for code in codes if not is_known_tie_break(code)]


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}" if seconds % 60 else str(seconds // 60)
