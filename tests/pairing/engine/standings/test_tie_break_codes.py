"""Tie-break codes and their modifiers."""

from __future__ import annotations

import pytest

from pairing.engine.standings import (
    DEFAULT_TIE_BREAKS_BY_SYSTEM,
    TIE_BREAKS,
    TieBreakEdition,
    UnknownTieBreak,
    is_known_tie_break,
    parse_tie_break,
    parse_tie_breaks,
)


@pytest.mark.parametrize(
    "text",
    ["", "B H", "BH/", "BH//C1", "BH/C", "BH/C1/C2", "BH/C1/M1", "BH/X", "BH/V3", "KS/L1", "KS/L", "XYZ", "OTHER_LOT"],
)
def test_no_code(text):
    assert not is_known_tie_break(text)
    with pytest.raises(UnknownTieBreak, match="known are PTS, DE"):
        parse_tie_break(text)


@pytest.mark.parametrize("text", ["WIN/C1", "DE/C1", "PS/M1", "TPR/C1", "TPN/P", "T/C1", "KS/P", "SB/F"])
def test_a_modifier_that_the_tie_break_does_not_take(text):
    with pytest.raises(UnknownTieBreak, match="it takes"):
        parse_tie_break(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("bh", "BH"),
        (" bh-c1 ", "BH/C1"),
        ("BH/P/C1", "BH/C1/P"),
        ("FB/M2", "FB/M2"),
        ("KS/L-1", "KS/L-1"),
        ("ks-l+2", "KS/L+2"),
        ("ARO/U1400/C1", "ARO/C1/U1400"),
        ("GE", "REP"),
        ("JT", "T"),
        ("BH/V2024", "BH/V1"),
        ("RTNG/R", "RTNG/R"),
    ],
)
def test_one_way_of_writing(text, written):
    assert str(parse_tie_break(text)) == written
    assert parse_tie_break(written) == parse_tie_break(text)


def test_what_the_modifiers_say():
    code = parse_tie_break("BH/M2/P")
    assert (code.cut_low, code.cut_high, code.forfeits_as_played) == (2, 2, True)
    assert parse_tie_break("BH/C2").cut_high == 0
    assert parse_tie_break("KS/L-3").limit == -3
    assert parse_tie_break("BH/V1").edition is TieBreakEdition.AUGUST_2024


@pytest.mark.parametrize(
    ("day", "edition"),
    [
        ("2026-02-28", TieBreakEdition.AUGUST_2024),
        ("2026/02/28", TieBreakEdition.AUGUST_2024),
        ("2026-03-01", TieBreakEdition.MARCH_2026),
        ("", TieBreakEdition.MARCH_2026),
    ],
)
def test_the_edition_of_a_day(day, edition):
    assert TieBreakEdition.edition_for_date(day) is edition


def test_every_system_breaks_ties_by_known_codes():
    for codes in DEFAULT_TIE_BREAKS_BY_SYSTEM.values():
        assert parse_tie_breaks(codes)


def test_every_tie_break_names_its_article():
    assert all(rule.article for rule in TIE_BREAKS.values())
