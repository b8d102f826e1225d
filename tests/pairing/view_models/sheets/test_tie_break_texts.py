"""Tie-breaks in words."""

from __future__ import annotations

from pairing.engine.standings import TIE_BREAKS
from pairing.view_models.sheets.tie_break_texts import TIE_BREAK_HEADINGS, TIE_BREAK_MEANINGS


def test_every_tie_break_says_what_it_is():
    assert set(TIE_BREAK_MEANINGS) == set(TIE_BREAKS), "add it to pairing/view_models/sheets/tie_break_texts.py"
    assert all(str(words) for words in TIE_BREAK_MEANINGS.values())
    assert set(TIE_BREAK_HEADINGS) <= set(TIE_BREAKS)
