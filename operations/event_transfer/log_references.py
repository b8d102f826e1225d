"""Translates keys of players in log details, for use on another server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Places = Mapping[int, int]
"""From keys of rows to positions in the file, or back."""

NOBODY = 0
"""Replaces a player who has since been removed."""

_ONE, _SEVERAL, _BY_KEY = {"entry"}, {"entries"}, {"lots", "lots_before"}


def translate_player_keys(details: Mapping[str, Any], places: Places) -> dict[str, Any]:
    """Return a log line's details with its player keys translated."""
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
