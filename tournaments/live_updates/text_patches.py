"""Changes between two states of a part of a page, so that a phone does not download the whole part again."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_PIECES = re.compile(r"(?=<tr |<li |\n)")
"""The cutting points: rows and lines. `static/js/live_updates.js` cuts at the same places."""


def make_text_patch(before: str, after: str) -> str | None:
    """Return the later state as JSON: pieces of the earlier state as [start, end], and new text as strings.

    None if that is not shorter than half of the text itself.
    """
    old, new = _cut(before), _cut(after)
    steps: list[str | list[int]] = []
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            steps.append([first, last])
        elif start < end:
            steps.append("".join(new[start:end]))
    told = json.dumps(steps, ensure_ascii=False, separators=(",", ":"))
    return told if len(told) < len(after) / 2 else None


def _cut(text: str) -> Sequence[str]:
    return [piece for piece in _PIECES.split(text) if piece]
