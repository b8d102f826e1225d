"""Removing a person's name from the lines of an event's log."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from clubs.privacy import ERASED_MEMBER_NAME
from tournaments.models import Entry, Game, LogEntry

_CODES = {"kind", "result", "state", "system", "until"}
"""Details that hold the program's own words or numbers, which might also be somebody's name."""
_BEFORE_AND_AFTER = ("before", "after")
"""Codes too, except for an entry's earlier values, which are details by column."""
_FREE_TEXT = "remark"
_IN_FIGURES = ("birth", "fide_id")


class NameEraser:
    """Finds a player's names in an event's log, and returns the log's details without them.

    The names are those in the member list and in the event, and earlier names in log lines about the player. A longer
    name that contains one of them is somebody else's and stays. So does a namesake's name in the lines about them. A
    text of digits alone is no name but a board, a year or a rating. Results aren't names either.
    """

    def __init__(self, entry: Entry, name_in_the_book: str, lines: Iterable[LogEntry]) -> None:
        others = dict(Entry.objects.filter(tournament=entry.tournament_id).values_list("pk", "name"))
        del others[entry.pk]
        self._entry, self._others = entry.pk, others.keys()
        called = (name for line in lines if line.details.get("entry") == entry.pk for name in _names_in(line.details))
        his = {entry.name, name_in_the_book, *called} - {ERASED_MEMBER_NAME, *Game.Result.values}
        self._names = {name for name in his if _has_letters(name)}
        longer = {other for other in others.values() if any(name in other for name in self._names)}
        # The longest first: a name that begins with this player's may be another's.
        known = sorted({*self._names, *longer}, key=len, reverse=True)
        self._words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, known)) or '(?!)'})(?!\w)")

    def details_without_name(self, line: LogEntry) -> dict[str, Any]:
        """Return the line's details with the player's name replaced."""
        about = line.details.get("entry")
        kept = _CODES | {"name", *_BEFORE_AND_AFTER} if about in self._others else _CODES
        is_his = about == self._entry or line.details.get("name") in self._names
        texts = {_FREE_TEXT, *_IN_FIGURES} if is_his else {_FREE_TEXT}
        return {key: value if key in kept else self._told(key, value, texts) for key, value in line.details.items()}

    def _told(self, key: str, value: Any, texts: Collection[str]) -> Any:
        """Return a detail without the name. Earlier values in the columns `texts` are erased completely."""
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
