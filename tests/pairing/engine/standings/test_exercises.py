"""The Technical Commission's tie-break exercises, value by value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.standings import DEFAULT_TIE_BREAKS_BY_SYSTEM, TieBreakEdition, rank_players
from tests.pairing.engine.standings.exercises import (
    CHANGED_IN_2026,
    IN_2024,
    IN_BOTH_EDITIONS,
    OF_THE_ROUND_ROBIN,
    RANKS_AFTER_DIRECT_ENCOUNTER,
    ROUND_ROBIN,
    SWISS_OF_FIVE_ROUNDS,
    SWISS_OF_NINE_ROUNDS,
)
from tests.pairing.engine.standings.rows import column


def numbered(values: str) -> dict[int, str]:
    return dict(enumerate(values.split(), start=1))


@pytest.mark.parametrize("edition", TieBreakEdition)
@pytest.mark.parametrize("code", IN_BOTH_EDITIONS)
def test_values_that_no_edition_changes(code: str, edition: TieBreakEdition):
    assert column(SWISS_OF_FIVE_ROUNDS, code, edition) == numbered(IN_BOTH_EDITIONS[code])


@pytest.mark.parametrize("code", IN_2024)
def test_values_of_2024(code: str):
    assert column(SWISS_OF_FIVE_ROUNDS, code, TieBreakEdition.AUGUST_2024) == numbered(IN_2024[code])


@pytest.mark.parametrize("code", IN_2024)
def test_values_of_2026(code: str):
    assert column(SWISS_OF_FIVE_ROUNDS, code) == numbered(IN_2024[code]) | CHANGED_IN_2026[code]


@pytest.mark.parametrize("code", OF_THE_ROUND_ROBIN)
def test_values_of_the_round_robin(code: str):
    assert column(ROUND_ROBIN, code) == numbered(OF_THE_ROUND_ROBIN[code])


def test_direct_encounter_in_a_swiss_where_not_all_have_met():
    table = rank_players(SWISS_OF_NINE_ROUNDS, ("DE",))
    assert {row.tpn: row.rank for row in table} == RANKS_AFTER_DIRECT_ENCOUNTER


def test_direct_encounter_where_it_decides_nothing():
    """1, 3, 4 and 16 share second place, 5, 8 and 11 seventh: too few of them have met."""
    ranks = {row.tpn: row.rank for row in rank_players(SWISS_OF_FIVE_ROUNDS, ("DE",))}
    assert {ranks[tpn] for tpn in (1, 3, 4, 16)} == {2}
    assert {ranks[tpn] for tpn in (5, 8, 11)} == {7}


def test_direct_encounter_where_all_have_met_and_a_forfeit_counts():
    """1 beat 2 and 3, who drew; below, 5 beat 4, 6 won the forfeit against 5 and drew with 4."""
    table = rank_players(ROUND_ROBIN, ("DE/P",))
    assert {row.tpn: row.rank for row in table} == {1: 1, 2: 2, 3: 2, 4: 6, 5: 5, 6: 4}


AS_ROUND_ROBIN = replace(ROUND_ROBIN, system="round-robin")


@pytest.mark.parametrize("codes", [("DE",), DEFAULT_TIE_BREAKS_BY_SYSTEM["round-robin"]])
def test_exercise_26_ends_with_6_before_5_before_4(codes: tuple[str, ...]):
    """15.2: the forfeit of 5 against 6 is a regular game, without any modifier. Helene, Franck, David."""
    table = rank_players(AS_ROUND_ROBIN, codes)
    assert [row.tpn for row in table[3:]] == [6, 5, 4]
    assert [row.rank for row in table[3:]] == [4, 5, 6]


@pytest.mark.parametrize("code", OF_THE_ROUND_ROBIN)
def test_a_round_robin_has_the_values_of_its_exercises_without_a_modifier(code: str):
    assert column(AS_ROUND_ROBIN, code.removesuffix("/P")) == numbered(OF_THE_ROUND_ROBIN[code])
