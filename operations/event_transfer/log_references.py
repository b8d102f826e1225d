"""Where keys of players stand in the details of the log's lines, so that another server's keys can take their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Places = Mapping[int, int]
"""From one way of knowing players to another: keys of rows to places in the file, or back."""

BY_NAME = "by_name"
"""The detail of a line from another server that says who did it: there is no log-in of his here."""

NOBODY = 0
"""In place of a player who has been taken off the list since."""

_ONE, _SEVERAL, _BY_KEY = {"entry"}, {"entries"}, {"lots", "lots_before"}


def translate_player_keys(details: Mapping[str, Any], places: Places) -> dict[str, Any]:
    """The details of a line with its players known the other way."""
    return {name: _changed(name, value, places) for name, value in details.items()}


def _changed(name: str, value: Any, places: Places) -> Any:
    if name in _ONE and _is_key(value):
        return places.get(value, NOBODY)
    if name in _SEVERAL and isinstance(value, list):
        return [places.get(each, NOBODY) if _is_key(each) else each for each in value]
    if name in _BY_KEY and isinstance(value, dict):
        return {str(places.get(int(key), NOBODY)) if key.isdecimal() else key: each for key, each in value.items()}
    return value


def _is_key(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
