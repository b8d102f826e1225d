"""The steps of a round, replayed with cards on a table, lead to the paired round.

`CLUBNIGHT_REASON_EVENTS` sets the number of events a system (12 unless told).
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from pairing.engine.paired_round import PairedRound, PairingImpossible, ReasonKind, make_reason
from pairing.engine.pairing_trace import TraceStepKind, is_step_about_player, state_after_steps, trace_pairing_steps
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from tests.pairing.builders import paired
from tests.pairing.engine.literal import notation
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing
from tests.pairing.engine.reason_checks import all_reasons

EVENTS = int(os.environ.get("CLUBNIGHT_REASON_EVENTS", "12"))


def replay(made: PairedRound) -> None:
    """Move the cards as the steps say. Paired players are in that group and were not paired before."""
    at: dict[int, int] = {}
    floated: dict[int, dict[int, int]] = {}
    steps = trace_pairing_steps(made)
    pairs: list[frozenset[int]] = []
    boards = []
    for step in steps:
        match step.kind:
            case TraceStepKind.GROUPS:
                at |= dict.fromkeys(step.players, step.half_points)
            case TraceStepKind.BYE:
                assert made.bye is not None
                assert step.players == (made.bye.player,)
                at.pop(made.bye.player)
            case TraceStepKind.FLOAT:
                (player,) = step.players
                assert at[player] == step.reasons[0].get_fact("from_half_points"), step
                assert step.half_points is not None
                floated.setdefault(at[player], {})[player] = step.half_points
                at[player] = step.half_points
            case TraceStepKind.PAIR:
                here = {tpn for tpn, score in at.items() if score == step.half_points}
                assert set(step.players) <= set(step.waiting) <= here, step
                assert [at.pop(player) for player in step.players] == [step.half_points] * 2, step
                pairs.append(frozenset(step.players))
            case TraceStepKind.BOARD:
                boards.append((step.board, *step.players))
        if at:
            laid = {
                column.half_points: set(column.waiting)
                for column in state_after_steps(steps[: steps.index(step) + 1]).score_groups
            }
            assert {tpn: score for score, players in laid.items() for tpn in players} == at
    rests = {made.bye.player} if made.bye else set()
    score = {player.tpn: player.pairing_score for player in made.scores}
    players = {game.board: (game.white, game.black) for game in made.games}
    group_of: dict[int, object] = {
        game.board: why.get_fact("half_points")
        for game in made.games
        for why in game.reasons
        if why.kind is ReasonKind.SCORE_GROUP
    }
    floats = [why for why in made.bye.reasons if why.kind is ReasonKind.FLOATED] if made.bye else []
    group_of[0] = floats[-1].get_fact("to_half_points") if floats else made.bye and score[made.bye.player]
    for step in steps:
        if step.kind is TraceStepKind.PAIR:
            assert step.half_points is not None
            elsewhere = {tpn: to for tpn, to in step.outgoing_floaters if tpn not in rests}
            assert elsewhere == floated.get(step.half_points, {}), step
        if step.kind in (TraceStepKind.PAIR, TraceStepKind.BYE):
            there = {
                tpn for game in made.games if group_of[game.board] == step.half_points for tpn in players[game.board]
            }
            if step.half_points == group_of[0]:
                there |= rests
            came = {tpn: score[tpn] for tpn in there if score[tpn] != step.half_points}
            assert dict(step.incoming_floaters) == came, step
            assert (step.kind is TraceStepKind.BYE) <= (
                {tpn for pair in step.earlier_pairs for tpn in pair} == there - rests
            )
    assert state_after_steps(steps).boards == tuple((game.board, game.white, game.black) for game in made.games)
    assert not at, "everybody is paired or rests"
    assert boards == [(game.board, game.white, game.black) for game in made.games]
    assert set(pairs) == {frozenset((game.white, game.black)) for game in made.games}
    formed = {frozenset((game.white, game.black)): game.formation_number for game in made.games}
    assert [formed[pair] for pair in pairs] == list(range(1, len(pairs) + 1))


def told_once(made: PairedRound) -> None:
    """Every reason of a board is in some step."""
    told = {why for step in trace_pairing_steps(made) for why in step.reasons}
    assert told == set(all_reasons(made))


@pytest.mark.parametrize("name", [*SWISS_SYSTEMS, "jahr+dutch-1992"])
def test_the_last_step_is_the_round(name: str):
    floats = 0

    def pair(snapshot: TournamentSnapshot) -> Pairing:
        nonlocal floats
        try:
            made = PAIRING_SYSTEMS[snapshot.system](snapshot)
        except PairingImpossible as refusal:
            raise NoLegalRound from refusal
        try:
            replay(made)
            told_once(made)
        except (AssertionError, KeyError) as error:
            error.add_note(notation.written(snapshot))
            raise
        floats += sum(step.kind is TraceStepKind.FLOAT for step in trace_pairing_steps(made))
        return tuple((game.white, game.black) for game in made.games), made.bye.player if made.bye else None

    for seed in range(EVENTS):
        for _ in play(name, seed, pair):
            pass
    assert floats > EVENTS


def test_the_order_in_which_things_happen():
    made = paired("fide-1989\n1 0 3w1\n2 0 4b1\n3 0 1b0\n4 0 2w0\n5 0 U")
    told = [(step.kind.value, step.players) for step in trace_pairing_steps(made)]
    # 4 has the bye; 2 floats down from the upper group before it is paired, 3 up to the median group, where they play
    # last.
    assert told == [
        ("groups", (1, 2, 5)),
        ("groups", (3, 4)),
        ("bye", (4,)),
        ("float", (2,)),
        ("pair", (1, 5)),
        ("float", (3,)),
        ("pair", (2, 3)),
        ("board", (5, 1)),
        ("board", (2, 3)),
    ]


def test_a_round_kept_without_the_order_of_its_pairs_ends_at_the_same_boards():
    """Rounds paired before the reasons stated the order: groups are ordered by side, pairs by board."""
    made = paired("fide-1989\n1 0 3w1\n2 0 4b1\n3 0 1b0\n4 0 2w0\n5 0 U")
    old = replace(made, games=tuple(replace(game, formation_number=0) for game in made.games))
    assert trace_pairing_steps(old) == trace_pairing_steps(made)


def test_boards_that_the_arbiter_set_stand_apart():
    made = paired("fide-1989\n1 0 3w1\n2 0 4b1\n3 0 1b0\n4 0 2w0\n5 0 U")
    by_hand = make_reason("", ReasonKind.MANUAL, 2, 3)
    games = tuple(
        game if game.board == 1 else replace(game, reasons=(by_hand,), formation_number=0) for game in made.games
    )
    steps = trace_pairing_steps(replace(made, games=games))
    (apart,) = (step for step in steps if step.kind is TraceStepKind.PAIR and step.half_points is None)
    assert apart.players == (2, 3)
    assert apart.reasons == (by_hand,)
    assert state_after_steps(steps).ungrouped_pairs == ((2, 3),)
    assert state_after_steps(steps).boards == ((1, 5, 1), (2, 2, 3))


def test_a_player_is_followed_alone():
    made = paired("fide-1989\n1 0 3w1\n2 0 4b1\n3 0 1b0\n4 0 2w0\n5 0 U")
    told = [(step.kind.value, step.players) for step in trace_pairing_steps(made) if is_step_about_player(step, 2)]
    assert told == [("groups", (1, 2, 5)), ("float", (2,)), ("pair", (2, 3)), ("board", (2, 3))]
