"""Every value has a working."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pairing.engine.standings import (
    TIE_BREAKS,
    CutReason,
    Ranking,
    TieBreakBasis,
    TieBreakEdition,
    explain_tie_break_value,
)
from tests.pairing.engine.standings.exercises import SWISS_OF_FIVE_ROUNDS
from tests.pairing.engine.standings.rows import around_one

NO_SUMS = {"PTS", "TPN", "RTNG", "LOT", "DE", "DE1", "KV", "KP", "KG"} | {
    "AOB",
    "ARO",
    "AR",
    "APRO",
    "APPO",
    "TPR",
    "PTP",
}
"""What stands on the list or comes of who is tied; averages, and what is looked up with them."""
SUMS = (*(code for code in TIE_BREAKS if code not in NO_SUMS), "BH/C1", "BH/M1", "SB/C1", "PS/C1")


@pytest.mark.parametrize("code", SUMS)
def test_the_rows_that_are_not_cut_add_up_to_the_value(code):
    ranking = Ranking(SWISS_OF_FIVE_ROUNDS, (code,))
    for row in ranking.standings:
        working = ranking.explain_value(0, row.tpn)
        assert sum(each.value for each in working.rows if each.cut is None) == working.value.number


@pytest.mark.parametrize("code", TIE_BREAKS)
def test_every_tie_break_has_a_working(code):
    working = Ranking(SWISS_OF_FIVE_ROUNDS, (code,)).explain_value(0, 4)
    assert (str(working.code), working.tpn, working.article) == (code, 4, TIE_BREAKS[code].article)
    assert all(each.round is None or 1 <= each.round <= 5 for each in working.rows)


def test_what_buchholz_counts_round_by_round():
    """A win, an absence, a forfeit against somebody who left without a point, a loss, the allocated bye: 3 points."""
    rounds = around_one("1:2.5", "Z", "+:0~1", "0:3", "U")
    rows = explain_tie_break_value(rounds, ("BH/C1",), code="BH/C1", tpn=1).rows
    assert [(row.round, row.opponent, row.basis, row.counted, row.cut) for row in rows] == [
        (1, 2, TieBreakBasis.OPPONENT, Decimal("2.5"), None),
        (2, None, TieBreakBasis.DUMMY_AS_DRAWS, Decimal("2.5"), CutReason.LOW),
        (3, 4, TieBreakBasis.DUMMY_AS_OPPONENT, Decimal("0.5"), None),
        (4, 5, TieBreakBasis.OPPONENT, Decimal(3), None),
        (5, None, TieBreakBasis.DUMMY_AS_DRAWS, Decimal("2.5"), None),
    ]


def test_an_opponent_whose_score_was_adjusted_is_shown_as_such():
    rows = explain_tie_break_value(around_one("0:1~1", "1:1"), ("BH",), code="BH", tpn=1).rows
    assert [(row.basis, row.counted) for row in rows] == [
        (TieBreakBasis.ADJUSTED_OPPONENT, Decimal("1.5")),
        (TieBreakBasis.OPPONENT, Decimal(1)),
    ]


def test_the_dummy_of_2024_is_the_player():
    rounds = around_one("1:1", "1:1", "F")
    assert (
        explain_tie_break_value(rounds, ("BH",), code="BH", tpn=1, edition=TieBreakEdition.AUGUST_2024).rows[2].basis
        is TieBreakBasis.DUMMY
    )
    assert explain_tie_break_value(rounds, ("BH",), code="BH", tpn=1).rows[2].basis is TieBreakBasis.DUMMY_AS_DRAWS


def test_a_code_may_be_written_another_way():
    assert explain_tie_break_value(SWISS_OF_FIVE_ROUNDS, ("bh-c1",), code="BH/C1", tpn=1).value.display_text == "11.0"


def test_direct_encounter_names_the_tied_players_not_met():
    rows = explain_tie_break_value(SWISS_OF_FIVE_ROUNDS, ("DE",), code="DE", tpn=1).rows
    assert [(row.round, row.opponent, row.basis) for row in rows] == [
        (5, 4, TieBreakBasis.OPPONENT),
        (None, 3, TieBreakBasis.NOT_MET),
        (None, 16, TieBreakBasis.NOT_MET),
    ]
