"""The seals that chain the lines of an event's log, and the check that finds breaks.

A seal is the SHA-256 of the previous seal and of the line's own digests: `digest` of everything in it, and `kept` of
what stays when a name is erased, with its key. Lines sealed before `kept` existed have only the first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from clubs.privacy import ERASED_MEMBER_NAME
from tournaments.audit_log.actions import EventAction
from tournaments.models import Game

SEALING_DELAY = timedelta(minutes=5)
"""By then every transaction that wrote an earlier line has ended. Lines are out of order by this much at most."""

EVENT_IMPORTED_ACTION = "event brought in"
"""Lines up to this action (`pairing.log_actions`) were written on another server, by another clock."""

_COLUMNS = ("pk", "at", "action", "details", "actor_id", "round_id", "erasure_id", "sealed")
_END = ("tournament__sealed_log__lines", "tournament__sealed_log__seal")
_A_WORD = "a"
"""Replaces every text with a letter in it: such a text may contain a name, and no other text equals this one."""
_TELLING = frozenset({"birth", "fide_id"})
"""Details in digits that identify a person. They are replaced too, except in lines sealed earlier."""

LogLine = Mapping[str, Any]
"""One line, with the names of `select_chain_columns`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainBreak:
    """A break in a log: the line's key (None if the line is missing), the problem and its `code`."""

    line: int | None
    problem: str
    code: str = "log-broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainContext:
    """Known facts besides the lines: existing users and rounds, and the last night in which logs were sealed.

    `end` is the number of sealed lines and the last seal. It is used if the log has no lines left.
    """

    actors: Container[int] = ()
    rounds: Container[int] = ()
    sealing_due_at: datetime | None = None
    end: tuple[int, str] = field(default=(0, ""))


def select_chain_columns(lines: Any) -> Any:
    """Select the columns that `find_chain_breaks` needs, with the stored end read at the same instant."""
    return lines.values(*_COLUMNS, *_END)


def compute_seal(line: Any, number: int, before: str) -> dict[str, Any]:
    """Return the seal of a `LogEntry` that is line `number` of the chain, after one with the seal `before`."""
    digest, kept = _digests(line.pk, line.at, line.action, line.details, line.actor_id, line.round_id)
    return {
        "number": number,
        "actor": line.actor_id,
        "round": line.round_id,
        "digest": digest,
        "kept": kept,
        "seal": _next(before, digest, kept),
    }


def can_erase_figures(line: Any) -> bool:
    """Return True if a line's seal allows an erasure to remove identifying digits from it, too."""
    told = line.sealed
    if not told or "kept" not in told:
        return True
    return bool(told["kept"] == _digests(line.pk, line.at, line.action, line.details, told["actor"], told["round"])[1])


def find_chain_breaks(lines: Iterable[LogLine], beside: ChainContext) -> Iterator[ChainBreak]:
    """Find the breaks in one event's log; `lines` are all of it, as `select_chain_columns` reads them."""
    lines = sorted(lines, key=lambda line: line["pk"])
    sealed = sorted((line for line in lines if line["sealed"]), key=lambda line: line["sealed"]["number"])
    yield from _broken_chain(sealed, {line["pk"]: line for line in lines}, beside)
    yield from _cut_off(sealed, lines, beside)
    yield from _not_sealed(lines, sealed, beside)
    yield from _out_of_time([*sealed, *(line for line in lines if not line["sealed"])])


def _broken_chain(sealed: list[LogLine], lines: Mapping[int, LogLine], beside: ChainContext) -> Iterator[ChainBreak]:
    seal, key = "", 0
    for place, line in enumerate(sealed, start=1):
        told = line["sealed"]
        if told["number"] != place:
            yield ChainBreak(line=None, problem=f"sealed line {place} is not there")
            return
        seal = _next(seal, told["digest"], told.get("kept", ""))
        if told["seal"] != seal:
            yield ChainBreak(line=line["pk"], problem=f"the seal of line {place} is not that of the lines before it")
            return
        if line["pk"] < key:
            yield ChainBreak(line=line["pk"], problem=f"line {place} has a lower key than the one before it")
        key = max(key, line["pk"])
        if wrong := _changed(line, lines):
            yield ChainBreak(line=line["pk"], problem=f"line {place} {wrong}")
        for name, there in (("actor", beside.actors), ("round", beside.rounds)):
            now = line[f"{name}_id"]
            if now is None and told[name] in there:
                yield ChainBreak(
                    line=line["pk"], problem=f"line {place} has lost its {name}, who or which is still there"
                )
            elif now not in (None, told[name]):
                yield ChainBreak(line=line["pk"], problem=f"line {place} names another {name} than when it was sealed")


def _changed(line: LogLine, lines: Mapping[int, LogLine]) -> str:
    """Return the problem with a sealed line's content; empty if only a name was erased."""
    told, details = line["sealed"], line["details"]
    what = (line["pk"], line["at"], line["action"], details, told["actor"], told["round"])
    digest, kept = _digests(*what)
    if told.get("kept", kept) not in (kept, _digests(*what, taken_out=frozenset())[1]):
        return "was changed after it was sealed"
    if digest == told["digest"]:
        return ""
    if line["erasure_id"] is None:
        return "was changed after it was sealed"
    erasure = lines.get(line["erasure_id"])
    if erasure is None or erasure["action"] != EventAction.NAME_ERASED.value or erasure["pk"] <= line["pk"]:
        return "was changed after it was sealed, and what it names as its reason erases no name"
    if ERASED_MEMBER_NAME not in json.dumps(details, ensure_ascii=False):
        return "was changed after it was sealed, and no name is erased in it"
    return ""


def _cut_off(sealed: list[LogLine], lines: list[LogLine], beside: ChainContext) -> Iterator[ChainBreak]:
    """Check that the end stored beside the log matches its last sealed line."""
    there = (len(sealed), sealed[-1]["sealed"]["seal"] if sealed else "")
    wanted = (lines[0][_END[0]] or 0, lines[0][_END[1]] or "") if lines else beside.end
    if there != wanted:
        what = f"{there[0]} lines are sealed, and {wanted[0]} were"
        yield ChainBreak(
            line=None, problem=what if there[0] != wanted[0] else "its last seal is another", code="log-cut-off"
        )


def _not_sealed(lines: list[LogLine], sealed: list[LogLine], beside: ChainContext) -> Iterator[ChainBreak]:
    """Find unsealed lines older than a sealed one, or left unsealed after a night of sealing."""
    newest = max((line["pk"] for line in sealed), default=0)
    came = next((line for line in reversed(lines) if line["action"] == EVENT_IMPORTED_ACTION), None)
    for line in lines:
        if line["sealed"]:
            continue
        if line["pk"] < newest:
            what = "is not sealed, and later ones are: it was slipped in, or its seal taken away"
            yield ChainBreak(line=line["pk"], problem=what, code="log-not-sealed")
            continue
        since = max(line["at"], came["at"]) if came and line["pk"] < came["pk"] else line["at"]
        if beside.sealing_due_at and since + timedelta(days=1) < beside.sealing_due_at:
            what = f"is not sealed, and logs were sealed in the night of {beside.sealing_due_at.date()}"
            yield ChainBreak(line=line["pk"], problem=what, code="log-not-sealed")


def _out_of_time(lines: list[LogLine]) -> Iterator[ChainBreak]:
    """Find lines dated before earlier lines: backdated, or written while the clock was wrong."""
    latest: datetime | None = None
    for line in lines:
        if latest and line["at"] < latest - SEALING_DELAY and line["action"] != EVENT_IMPORTED_ACTION:
            yield ChainBreak(line=line["pk"], problem="is dated before the lines before it", code="log-out-of-time")
        latest = max(latest, line["at"]) if latest and line["action"] != EVENT_IMPORTED_ACTION else line["at"]


def _what_erasing_leaves(value: Any, taken_out: Container[str]) -> Any:
    """Return a line's details without identifying details or texts that may contain a name (with a letter, but no
    result)."""
    if isinstance(value, str):
        return _A_WORD if value not in Game.Result.values and any(sign.isalpha() for sign in value) else value
    if isinstance(value, list):
        return [_what_erasing_leaves(part, taken_out) for part in value]
    if isinstance(value, dict):
        return {
            key: _A_WORD if key in taken_out else _what_erasing_leaves(part, taken_out) for key, part in value.items()
        }
    return value


def _digests(
    key: int,
    at: datetime,
    action: str,
    details: Any,
    actor: int | None,
    round: int | None,
    *,
    taken_out: Container[str] = _TELLING,
) -> tuple[str, str]:
    """Return the digests of the whole line, and of what erasing a name leaves, with its key."""
    kept = [key, _what_erasing_leaves(details, taken_out)]
    return _digest(at, action, details, actor, round), _digest(at, action, kept, actor, round)


def _digest(at: datetime, action: str, details: Any, actor: int | None, round: int | None) -> str:
    said = [at.astimezone(UTC).isoformat(timespec="microseconds"), action, details, actor, round]
    return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _next(seal: str, digest: str, kept: str) -> str:
    return hashlib.sha256(f"{seal}{digest}{kept}".encode()).hexdigest()
