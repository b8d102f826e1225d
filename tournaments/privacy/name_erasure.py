"""The lines of an event's log without somebody's name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from clubs.privacy import ERASED_MEMBER_NAME
from tournaments.audit_log.seal_chain import can_erase_figures
from tournaments.models import Entry, Game, LogEntry

_CODES = {"kind", "result", "state", "system", "until"}
"""Details that hold a word or figures of the program's, which somebody may be called by, too."""
_BEFORE_AND_AFTER = ("before", "after")
"""Codes as well, but for what an entry was: then they are particulars by their column."""
_FREE_TEXT = "remark"
_IN_FIGURES = ("birth", "fide_id")


class NameEraser:
    """What somebody is called by in an event's log, and the details of its lines without that.

    His names are that of the book, that of the event, and those in the lines about him, which know what he was called
    when they were written. A longer name in which his stands is somebody else's and stays; so does that of a namesake
    in the lines about him. Figures alone are no name but a board, a year, a rating, and results are results: the log's
    seals hold what has no letters (`tournaments.audit_log.seal_chain`), but for birth and FIDE ID where they were
    corrected.
    """

    def __init__(self, entry: Entry, name_in_the_book: str, lines: Iterable[LogEntry]) -> None:
        others = dict(Entry.objects.filter(tournament=entry.tournament_id).values_list("pk", "name"))
        del others[entry.pk]
        self._entry, self._others = entry.pk, others.keys()
        called = (name for line in lines if line.details.get("entry") == entry.pk for name in _names_in(line.details))
        his = {entry.name, name_in_the_book, *called} - {ERASED_MEMBER_NAME, *Game.Result.values}
        self._names = {name for name in his if _has_letters(name)}
        longer = {other for other in others.values() if any(name in other for name in self._names)}
        # The longest first: what begins with his name may be another's.
        known = sorted({*self._names, *longer}, key=len, reverse=True)
        self._words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, known)) or '(?!)'})(?!\w)")

    def details_without_name(self, line: LogEntry) -> dict[str, Any]:
        """The line's details with another name in the place of his."""
        about = line.details.get("entry")
        kept = _CODES | {"name", *_BEFORE_AND_AFTER} if about in self._others else _CODES
        is_his = about == self._entry or line.details.get("name") in self._names
        texts = {_FREE_TEXT, *_IN_FIGURES} if is_his and can_erase_figures(line) else {_FREE_TEXT}
        return {key: value if key in kept else self._told(key, value, texts) for key, value in line.details.items()}

    def _told(self, key: str, value: Any, texts: Collection[str]) -> Any:
        """A detail without his name; of what he was entered as, nothing stays in these columns."""
        if key not in _BEFORE_AND_AFTER or not isinstance(value, dict):
            return value if key in _BEFORE_AND_AFTER else self._within(value)
        return {
            column: ERASED_MEMBER_NAME if column in texts and _tells(column, was) else self._within(was)
            for column, was in value.items()
        }

    def _within(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._words.sub(self._another, value)
        if isinstance(value, list):
            return [self._within(part) for part in value]
        if isinstance(value, dict):
            return {key: self._within(part) for key, part in value.items()}
        return value

    def _another(self, found: re.Match[str]) -> str:
        return ERASED_MEMBER_NAME if found.group() in self._names else found.group()


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _tells(column: str, was: Any) -> bool:
    return bool(was) and (column in _IN_FIGURES or _has_letters(was))


def _names_in(details: dict[str, Any]) -> list[str]:
    told = [details, *(details.get(key) for key in _BEFORE_AND_AFTER)]
    return [each["name"] for each in told if isinstance(each, dict) and isinstance(each.get("name"), str)]
