"""Round robin: the tables of the Handbook, copied by hand, and exceptions to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from pairing.engine.paired_round import PairingImpossible, ReasonKind
from pairing.engine.pairing_checker import check_event_pairings
from pairing.engine.pairing_trace import TraceStepKind, trace_pairing_steps
from pairing.engine.snapshot import ABSENT_RECORD, InvalidSnapshot, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.standings import rank_players
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.systems.round_robin import round_robin_schedule
from pairing.engine.systems.round_robin.system import withdrawn_players
from tests.pairing.engine.literal import notation
from tests.pairing.engine.literal.round_robin import TABLES, games_of


def event(players: int, rounds: int | None = None) -> TournamentSnapshot:
    return TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn, rating=2000 - tpn) for tpn in range(1, players + 1)),
        rounds_paired=0,
        rounds_announced=rounds,
        system="round-robin",
    )


def pair(snapshot: TournamentSnapshot):
    return PAIRING_SYSTEMS["round-robin"](snapshot)


@pytest.mark.parametrize("players", TABLES)
def test_the_tables_are_those_of_the_handbook(players: int):
    assert [row.games for row in round_robin_schedule(players, players - 1)] == games_of(TABLES[players])


@pytest.mark.parametrize("players", range(2, 31))
def test_everybody_meets_everybody_once_or_twice_with_colours_as_even_as_can_be(players: int):
    size = players + players % 2
    for cycles in (1, 2):
        rows = round_robin_schedule(players, cycles * (size - 1))
        games = [game for row in rows for game in row.games if max(game) <= players]
        met = Counter(frozenset(game) for game in games)
        assert set(met.values()) == {cycles}
        assert len(met) == players * (players - 1) // 2
        whites = Counter(white for white, _ in games)
        spread = {whites[tpn] * 2 - cycles * (players - 1) for tpn in range(1, players + 1)}
        assert spread == {0} if cycles == 2 else spread <= {-1, 0, 1}


@pytest.mark.parametrize("players", [4, 6, 8, 10])
def test_nobody_has_a_colour_three_times_running_in_a_double_one(players: int):
    colours: dict[int, list[str]] = {tpn: [] for tpn in range(1, players + 1)}
    for row in round_robin_schedule(players, 2 * (players - 1)):
        for white, black in row.games:
            colours[white].append("w")
            colours[black].append("b")
    for had in colours.values():
        assert not any(had[place] == had[place + 1] == had[place + 2] for place in range(len(had) - 2))


def test_more_rounds_than_twice_are_refused():
    with pytest.raises(InvalidSnapshot, match="twice in 10 rounds, not 11"):
        round_robin_schedule(6, 11)
    with pytest.raises(InvalidSnapshot):
        round_robin_schedule(1, 1)


def test_the_last_number_of_an_odd_table_rests_and_has_no_points():
    paired = pair(event(5, 5))
    assert [(game.white, game.black) for game in paired.games] == [(2, 5), (3, 4)]
    assert paired.bye is not None
    assert paired.bye.player == 1
    assert [why.kind for why in paired.bye.reasons] == [ReasonKind.TABLE]


def test_the_reason_is_the_row_of_the_table():
    why = pair(event(6, 5)).games[0].reasons[0]
    assert (why.get_fact("table"), why.get_fact("row"), why.get_fact("cycle"), why.get_fact("rests")) == (
        6,
        1,
        1,
        False,
    )
    last_but_one = replace(event(4, 6), rounds_paired=1, cards=_played(event(4, 6), 1).cards)
    # A double round robin swaps the last two rounds of its first cycle: row 3 comes second.
    assert pair(last_but_one).games[0].reasons[0].get_fact("row") == 3


def _played(snapshot: TournamentSnapshot, rounds: int) -> TournamentSnapshot:
    """All games drawn."""
    for _ in range(rounds):
        paired = pair(snapshot)
        records: dict[int, RoundRecord] = {}
        for game in paired.games:
            made = notation.read("round-robin\n1 1 2w=\n2 1 1b=\n").cards
            records[game.white] = replace(made[0].records[0], opponent=game.black)
            records[game.black] = replace(made[1].records[0], opponent=game.white)
        if paired.bye:
            records[paired.bye.player] = RoundRecord(result=Result.PAIRING_ALLOCATED_BYE)
        cards = tuple(replace(card, records=(*card.records, records[card.tpn])) for card in snapshot.cards)
        snapshot = replace(snapshot, cards=cards, rounds_paired=snapshot.rounds_paired + 1)
    return snapshot


def test_a_whole_event_agrees_with_its_own_rebuilding():
    whole = _played(event(7, 7), 7)
    whole.check_consistency()
    assert all(check.is_identical for check in check_event_pairings(whole, pair))
    assert [step.kind for step in trace_pairing_steps(pair(event(7, 7)))] == [
        TraceStepKind.BYE,
        *[TraceStepKind.BOARD] * 3,
    ]


def test_withdrawn_players_keep_their_games():
    played = _played(event(6, 5), 3)
    cards = tuple(replace(card, unavailable=ABSENT_RECORD) if card.tpn == 6 else card for card in played.cards)
    games = pair(replace(played, cards=cards)).games
    assert (games[0].white, games[0].black) == (6, 5)
    assert [why.kind for why in games[0].reasons] == [ReasonKind.TABLE, ReasonKind.WITHDRAWN]
    assert all(len(game.reasons) == 1 for game in games[1:])


@pytest.mark.parametrize(
    ("players", "leaver", "rounds", "counts"), [(6, 6, 2, False), (6, 6, 3, True), (5, 5, 1, False), (5, 5, 2, True)]
)
def test_results_count_from_half_of_the_games_on(players: int, leaver: int, rounds: int, counts: bool):
    """With five games each, results do not count after two and count after three; with four they count after two."""
    played = _played(event(players, 5), rounds)
    cards = tuple(replace(card, unavailable=ABSENT_RECORD) if card.tpn == leaver else card for card in played.cards)
    points = {row.tpn: row.points for row in rank_players(replace(played, cards=cards), ())}
    met = {record.opponent for record in played.cards[leaver - 1].records}
    assert points[leaver] == (rounds if counts else 0)
    assert {points[tpn] for tpn in met} == {rounds if counts else rounds - 1}


def test_a_half_point_bye_is_no_part_of_a_round_robin():
    cards = (
        *event(4, 3).cards[:3],
        replace(event(4, 3).cards[3], unavailable=RoundRecord(result=Result.HALF_POINT_BYE)),
    )
    with pytest.raises(PairingImpossible, match="nobody rests but by the table") as refused:
        pair(replace(event(4, 3), cards=cards))
    assert refused.value.players == (4,)


def test_a_late_entrant_takes_the_place_that_rests():
    played = _played(event(5, 5), 1)
    late = PairingCard(tpn=6, records=(ABSENT_RECORD,))
    games = pair(replace(played, cards=(*played.cards, late))).games
    assert [(game.white, game.black) for game in games] == [*games_of(TABLES[6])[1]]


def test_an_even_table_has_no_place_for_a_late_entrant():
    played = _played(event(6, 5), 1)
    late = PairingCard(tpn=7, records=(ABSENT_RECORD,))
    with pytest.raises(PairingImpossible, match="no place for late entrants"):
        pair(replace(played, cards=(*played.cards, late)))


def test_numbers_with_a_gap_are_refused():
    cards = tuple(card for card in event(5, 4).cards if card.tpn != 2)
    with pytest.raises(PairingImpossible, match="without a gap"):
        pair(replace(event(5, 4), cards=cards))


def test_who_stayed_away_from_a_round_has_withdrawn_only_when_all_are_over():
    played = _played(event(6, 5), 3)
    away = replace(played.cards[5].records[-1], result=Result.FORFEIT_LOSS)
    cards = tuple(replace(card, records=(*card.records[:-1], away)) if card.tpn == 6 else card for card in played.cards)
    assert withdrawn_players(replace(played, cards=cards)) == frozenset()
    assert withdrawn_players(replace(played, cards=cards, rounds_announced=3)) == {6}
