"""The Keizer engine against the literal transcription, and the document's own example.

`CLUBNIGHT_KEIZER_SEASONS` sets the number of random seasons (12 unless told).
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pairing.engine.paired_round import ColourCause, DecisionCause, PairedRound, PairingImpossible, ReasonKind
from pairing.engine.snapshot import (
    ABSENT_RECORD,
    Colour,
    PairingCard,
    Result,
    RoundRecord,
    TournamentSnapshot,
)
from pairing.engine.systems.keizer import (
    InvalidKeizerOption,
    KeizerOptions,
    KeizerRanking,
    credits_of_player,
    explain_change,
    explain_total,
    pair_next_round,
    parse_keizer_options,
    rankings_by_round,
)
from pairing.engine.systems.keizer.options import OPTION_NAMES
from tests.pairing.engine.literal.keizer import Keizer

SEASONS = int(os.environ.get("CLUBNIGHT_KEIZER_SEASONS", "12"))
RESULTS = [(Result.WIN, Result.LOSS), (Result.LOSS, Result.WIN), (Result.DRAW, Result.DRAW)]
FORFEITS = [(Result.FORFEIT_WIN, Result.FORFEIT_LOSS), (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS)]
AWAY = [Result.HALF_POINT_BYE, Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.FULL_POINT_BYE]


def drawn_options(chance: random.Random) -> dict[str, Any]:
    """Options under the names of the document; most seasons keep the usual ones."""
    if chance.random() < 0.4:
        return {}
    choices: dict[str, list[Any]] = {
        "bottom": [None, 1, 5],
        "step": [1, 2],
        "self": [True, False],
        "loss": [Fraction(0), Fraction(1, 6)],
        "forfeit_win": [Fraction(1), Fraction(1, 2)],
        "bye": [Fraction(2, 3), Fraction(1, 2)],
        "excused": [Fraction(1, 3), Fraction(2, 5)],
        "excused_most": [0, 2, 5],
        "absent": [Fraction(0), Fraction(1, 8)],
        "late": [Fraction(1, 3), Fraction(0)],
        "withdrawn": [Fraction(3, 4), Fraction(1)],
        "gap": [1, 2, 4, 7],
        "meetings": [None, 1, 2],
        "frozen": [False, True],
    }
    return {name: chance.choice(values) for name, values in choices.items()}


def engine_options(told: dict[str, Any]) -> KeizerOptions:
    return KeizerOptions(**{OPTION_NAMES[name]: value for name, value in told.items()})


def played_season(seed: int):
    """Yield the season before each round, and after the last: people come late, stay away, and leave."""
    chance = random.Random(seed)
    count = chance.randrange(4, 15)
    arrivals = {tpn: chance.choice([1] * 8 + [2, 3, 4]) for tpn in range(1, count + 1)}
    leaves = {tpn: chance.choice([99] * 8 + [3, 5, 6]) for tpn in range(1, count + 1)}
    arrivals[1], leaves[1] = 1, 99
    forbidden = frozenset({frozenset((1, count))}) if chance.random() < 0.3 else frozenset()
    told = drawn_options(chance)
    records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in arrivals}
    for number in range(1, chance.randrange(3, 13)):
        unavailable: dict[int, RoundRecord] = {}
        for tpn in records:
            if not arrivals[tpn] <= number < leaves[tpn]:
                unavailable[tpn] = ABSENT_RECORD
            elif chance.random() < 0.2:
                unavailable[tpn] = RoundRecord(result=chance.choice(AWAY))
        snapshot = TournamentSnapshot(
            cards=tuple(
                PairingCard(tpn=tpn, records=tuple(rounds), unavailable=unavailable.get(tpn))
                for tpn, rounds in records.items()
            ),
            rounds_paired=number - 1,
            system="keizer",
            forbidden_pairs=forbidden,
        )
        snapshot.check_consistency()
        yield told, snapshot
        pairing = Keizer(snapshot, told).pairing()
        if pairing is None:
            return
        games, bye = pairing
        for tpn, record in unavailable.items():
            records[tpn].append(record)
        if bye is not None:
            records[bye].append(RoundRecord(result=Result.PAIRING_ALLOCATED_BYE))
        for white, black in games:
            one, other = chance.choice(RESULTS * 5 + FORFEITS)
            records[white].append(RoundRecord(result=one, opponent=black, colour=Colour.WHITE))
            records[black].append(RoundRecord(result=other, opponent=white, colour=Colour.BLACK))


def compare(told: dict[str, Any], snapshot: TournamentSnapshot) -> int:
    """Compare pairs, colours, totals and ranks. Return the number of rankings that ran in a cycle."""
    options, literal = engine_options(told), Keizer(snapshot, told)
    ours, theirs = rankings_by_round(snapshot, options), literal.rankings()
    for mine, (order, totals) in zip(ours[:-1], theirs[:-1], strict=True):
        assert list(mine.order) == order
        assert {tpn: mine.total(tpn) for tpn in mine.order} == totals
    assert list(ours[-1].order) == literal.ranking_to_pair_by()
    wanted = literal.pairing()
    try:
        made = pair_next_round(snapshot, options)
    except PairingImpossible:
        assert wanted is None
    else:
        assert wanted == ([(game.white, game.black) for game in made.games], made.bye and made.bye.player)
        check_reasons(snapshot, options, literal, made)
    for tpn in ours[-1].order:
        lines = explain_total(snapshot, options, tpn)
        assert sum(line.credit for line in lines) == ours[-1].total(tpn)
    check_changes(snapshot, options, ours)
    return sum(each.cycle > 1 for each in ours)


def check_changes(snapshot: TournamentSnapshot, options: KeizerOptions, rankings: list[KeizerRanking]) -> None:
    """The changes of the lines add up to the difference of the totals, and the ranks are those of the players."""
    for tpn in rankings[-1].order:
        change = explain_change(snapshot, options, tpn)
        if len(rankings) == 1 or tpn not in rankings[-2].order:
            assert change is None
            continue
        assert change is not None
        before, now = rankings[-2:]
        assert (change.total_before, change.total_now) == (before.total(tpn), now.total(tpn))
        assert (change.rank_before, change.rank_now) == (before.order.index(tpn) + 1, now.order.index(tpn) + 1)
        assert sum(line.difference for line in change.lines) == now.total(tpn) - before.total(tpn)
        for line in change.lines:
            assert (line.before is None) == (line.now.round == snapshot.rounds_paired)
            if line.before and line.now.is_opponents_value and line.rank_before == line.rank_now:
                alike = len(before.order) == len(now.order) and before.cycle == now.cycle == 1
                assert not alike or line.difference == 0


def check_reasons(snapshot: TournamentSnapshot, options: KeizerOptions, literal: Keizer, made: PairedRound) -> None:
    """Every statement is true of the season: ranks, values, who was between, who could not be taken, and colours."""
    order = literal.ranking_to_pair_by()
    here = {card.tpn for card in snapshot.cards if card.unavailable is None}
    byes = {
        card.tpn: [one.result for one in card.records].count(Result.PAIRING_ALLOCATED_BYE) for card in snapshot.cards
    }
    seated: set[int] = set()
    for game in made.games:
        told = {why.kind: why for why in game.reasons}
        ranks, colour = told[ReasonKind.RANKS], told[ReasonKind.COLOUR]
        higher, lower = ranks.players[:2]
        assert {higher, lower} == {game.white, game.black}
        assert ranks.get_fact("ranks") == tuple(order.index(tpn) + 1 for tpn in ranks.players)
        assert ranks.get_fact("values") == tuple(int(literal.value(order, tpn)) for tpn in ranks.players)
        between = order[order.index(higher) + 1 : order.index(lower)]
        assert list(ranks.players[2:]) == between
        assert ranks.get_fact("more") == 0
        states = {"b": {made.bye.player} if made.bye else set(), "p": seated, "a": set(order) - here}
        states["c"] = here - states["b"] - seated
        assert all(tpn in states[state] for tpn, state in zip(between, str(ranks.get_fact("between")), strict=True))
        passed = {why.players[1]: why for why in game.reasons if why.kind is ReasonKind.PASSED_OVER}
        assert set(passed) == states["c"] & set(between)
        for tpn, why in passed.items():
            met = met_in(snapshot, higher, tpn)
            match why.get_fact("because"):
                case DecisionCause.FORBIDDEN:
                    assert frozenset((higher, tpn)) in snapshot.forbidden_pairs
                case DecisionCause.MET_RECENTLY:
                    assert why.get_fact("round") == met[-1] < snapshot.round_number < why.get_fact("again")
                case DecisionCause.MET_OFTEN:
                    assert why.get_fact("count") == len(met) >= (options.max_meetings or 0) > 0
                case cause:
                    assert cause is DecisionCause.BLOCKS_REST
        met = met_in(snapshot, higher, lower)
        if repeated := told.get(ReasonKind.REPEATED):
            assert repeated.get_fact("round") == met[-1]
            is_soon = met[-1] > snapshot.round_number - options.gap
            assert is_soon or len(met) >= (options.max_meetings or 99)
        else:
            assert not met or met[-1] <= snapshot.round_number - options.gap
        if colour.get_fact("because") is ColourCause.LAST_MEETING:
            assert colour.get_fact("round") == met[-1]
        seated |= {higher, lower}
    if made.bye:
        first, *others = made.bye.reasons
        player = made.bye.player
        assert first.get_fact("byes") == byes[player]
        assert first.get_fact("fewest") == min(byes[tpn] for tpn in here)
        lower_here = {tpn for tpn in order[order.index(player) + 1 :] if tpn in here}
        assert {why.players[0] for why in others} == lower_here
        for why in others:
            had_more = byes[why.players[0]] > byes[player]
            assert (why.get_fact("because") is DecisionCause.MORE_BYES) == had_more


def met_in(snapshot: TournamentSnapshot, one: int, other: int) -> list[int]:
    card = next(card for card in snapshot.cards if card.tpn == one)
    return [number for number, record in enumerate(card.records, 1) if record.is_played and record.opponent == other]


def test_every_round_of_random_seasons_agrees_with_the_literal_transcription():
    rounds = cycles = 0
    for seed in range(SEASONS):
        for told, snapshot in played_season(seed):
            try:
                cycles += compare(told, snapshot)
            except AssertionError as error:
                error.add_note(f"season {seed}, round {snapshot.round_number}, options {told}")
                raise
            rounds += 1
    assert rounds > 4 * SEASONS
    assert cycles or SEASONS < 200


# -- The worked example ------------------------------------------------------------------------------------------------


def example() -> TournamentSnapshot:
    """A draws with B, D beats C; A and D had White."""
    white, black = Colour.WHITE, Colour.BLACK
    first = {
        1: RoundRecord(result=Result.DRAW, opponent=2, colour=white),
        2: RoundRecord(result=Result.DRAW, opponent=1, colour=black),
        3: RoundRecord(result=Result.LOSS, opponent=4, colour=black),
        4: RoundRecord(result=Result.WIN, opponent=3, colour=white),
    }
    cards = tuple(PairingCard(tpn=tpn, records=(record,)) for tpn, record in first.items())
    return TournamentSnapshot(cards=cards, rounds_paired=1, system="keizer")


def test_the_worked_example():
    before, after = rankings_by_round(example(), KeizerOptions())
    assert before.values == {1: 5, 2: 4, 3: 3, 4: 2}
    assert after.order == (1, 2, 4, 3)
    assert after.values == {1: 5, 2: 4, 4: 3, 3: 2}
    assert [after.total(tpn) for tpn in after.order] == [7, Fraction(13, 2), 5, 2]
    games = [(game.white, game.black) for game in pair_next_round(example(), KeizerOptions()).games]
    assert games == [(4, 1), (2, 3)]


def test_the_credits_of_a_player_add_up_to_their_total():
    options = KeizerOptions()
    (credit,) = credits_of_player(example(), options, 4)
    assert (credit.cause, credit.value_of, Fraction(credit.share, options.unit)) == ("game", 3, 1)


def test_what_round_1_changed_in_the_worked_example():
    """D, fourth and worth 2, had a total of 2 and beat C, who fell from third to fourth: 3 + 2."""
    change = explain_change(example(), KeizerOptions(), 4)
    assert change is not None
    assert (change.total_before, change.total_now, change.rank_before, change.rank_now) == (2, 5, 4, 3)
    assert [(line.now.round, line.difference, line.rank_before, line.rank_now) for line in change.lines] == [
        (None, 1, 4, 3),
        (1, 2, 3, 4),
    ]


def test_players_kept_apart_have_no_pairing():
    apart = frozenset(frozenset((1, other)) for other in (2, 3, 4))
    with pytest.raises(PairingImpossible):
        pair_next_round(replace(example(), forbidden_pairs=apart), KeizerOptions())


# -- Options -----------------------------------------------------------------------------------------------------------


def test_options_are_read_as_they_are_written():
    options = parse_keizer_options(["gap=6", "bye=1/2", "excused_most=3", "meetings=2", "frozen=on", "self=off"])
    assert options == KeizerOptions(
        gap=6, bye=Fraction(1, 2), max_excused=3, max_meetings=2, is_frozen=True, counts_self=False
    )


@pytest.mark.parametrize("text", ["gab=6", "gap", "gap=0", "gap=1.5", "bye=x", "bye=-1", "frozen=1", "step=1/0"])
def test_what_is_no_option_is_refused(text):
    with pytest.raises(InvalidKeizerOption):
        parse_keizer_options([text])
