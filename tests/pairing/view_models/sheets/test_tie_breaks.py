"""Tie-breaks in words."""

from __future__ import annotations

from pairing.engine.standings import TIE_BREAKS
from pairing.view_models.sheets.tie_breaks import HEADINGS, MEANINGS


def test_every_tie_break_says_what_it_is():
    assert set(MEANINGS) == set(TIE_BREAKS)
    assert all(str(words) for words in MEANINGS.values())
    assert set(HEADINGS) <= set(TIE_BREAKS)
