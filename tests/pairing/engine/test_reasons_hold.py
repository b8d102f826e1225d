"""Every reason any system states is true of the snapshot it speaks of, on random small events.

`CLUBNIGHT_REASON_EVENTS` sets the number of events a system (100 unless told).
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from pairing.engine.paired_round import Cause, PairedRound, PairingImpossible, Reason, ReasonKind
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import ORDERED_PROCEDURES, SYSTEMS
from pairing.reasons.explanations import sentence
from tests.pairing.builders import event, paired
from tests.pairing.engine.literal import notation
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing
from tests.pairing.engine.reason_checks import RoundChecker, all_reasons
from tests.pairing.engine.reason_turns import turns_of

EVENTS = int(os.environ.get("CLUBNIGHT_REASON_EVENTS", "100"))
CHUNK = 25
NAMES = [*SYSTEMS, *(f"jahr+{procedure}" for procedure in ORDERED_PROCEDURES if procedure != "fide-1989")]

ALWAYS = {"score_group", "opponent", "passed_over", "colour", "bye", "bye_passed_over", "floated", "stayed"}
KINDS = {"dutch-1992": ALWAYS | {"moved_to_half"}, "jahr+dutch-1992": ALWAYS | {"moved_to_half"}}
KINDS["dubov-1997"] = ALWAYS | {"column"}


def check(snapshot: TournamentSnapshot, made: PairedRound) -> None:
    """Every reason of the round; what fails is told with the snapshot in its notation."""
    try:
        checker = RoundChecker(snapshot, made)
        checker.check()
        if checker.world.procedure != "dutch-1992":
            for group in turns_of(checker):
                group.check()
    except AssertionError as error:
        error.add_note(notation.written(snapshot))
        raise


def told_in(name: str, seeds: range) -> set[tuple[str, object]]:
    """What the reasons of these events say: kinds and causes."""
    seen: set[tuple[str, object]] = set()

    def pair_and_check(snapshot: TournamentSnapshot) -> Pairing:
        try:
            made = SYSTEMS[snapshot.system](snapshot)
        except PairingImpossible as refusal:
            raise NoLegalRound from refusal
        check(snapshot, made)
        names = {card.tpn: f"Player {card.tpn}" for card in snapshot.cards}
        for why in all_reasons(made):
            seen.add((why.kind.value, why.fact("because")))
            assert sentence(why, names).endswith(".")
        return tuple((game.white, game.black) for game in made.games), made.bye.player if made.bye else None

    for seed in seeds:
        for _ in play(name, seed, pair_and_check):
            pass
    return seen


@pytest.mark.parametrize("first_seed", range(0, EVENTS, CHUNK))
@pytest.mark.parametrize("name", NAMES)
def test_every_stated_reason_is_true(name: str, first_seed: int):
    seen = told_in(name, range(first_seed, min(first_seed + CHUNK, EVENTS)))
    assert {kind for kind, _ in seen} <= KINDS.get(name, ALWAYS)
    causes = {cause for kind, cause in seen if kind == "passed_over"}
    assert causes >= {Cause.MET, Cause.SAME_ABSOLUTE_COLOUR}, "too little was told to have been checked"


ROUND = """{system} rounds=5
1 2000 4w1 3b1
2 1900 5b1 6w1
3 1800 6w1 1w0
4 1700 1b0 5w1
5 1600 2w0 4b0
6 1500 3b0 2b0
7 1400 U U"""


def one_of(made: PairedRound, kind: ReasonKind) -> Reason:
    return next(why for why in all_reasons(made) if why.kind is kind)


def with_reason(made: PairedRound, old: Reason, new: Reason) -> PairedRound:
    """The same round with one reason told otherwise."""
    games = tuple(
        replace(game, reasons=tuple(new if why is old else why for why in game.reasons)) for game in made.games
    )
    bye = made.bye and replace(made.bye, reasons=tuple(new if why is old else why for why in made.bye.reasons))
    return replace(made, games=games, bye=bye)


def with_fact(why: Reason, name: str, value: object) -> Reason:
    return replace(why, facts=tuple(sorted({**dict(why.facts), name: value}.items())))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("kind", [ReasonKind.SCORE_GROUP, ReasonKind.FLOATED, ReasonKind.BYE])
def test_the_checker_refuses_a_wrong_group(system: str, kind: ReasonKind):
    snapshot = event(ROUND.format(system=system))
    made = paired(snapshot)
    check(snapshot, made)
    old = one_of(made, kind)
    name = "to_half_points" if kind is ReasonKind.FLOATED else "half_points"
    with pytest.raises(AssertionError):
        check(snapshot, with_reason(made, old, with_fact(old, name, 9)))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_checker_refuses_a_reason_left_out(system: str):
    snapshot = event(ROUND.format(system=system))
    made = paired(snapshot)
    for old in all_reasons(made):
        if old.kind not in (ReasonKind.SCORE_GROUP, ReasonKind.OPPONENT, ReasonKind.COLOUR, ReasonKind.BYE):
            continue
        games = tuple(
            replace(game, reasons=tuple(why for why in game.reasons if why is not old)) for game in made.games
        )
        bye = made.bye and replace(made.bye, reasons=tuple(why for why in made.bye.reasons if why is not old))
        with pytest.raises((AssertionError, ValueError)):
            RoundChecker(snapshot, replace(made, games=games, bye=bye)).check()


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("cause", [Cause.MET, Cause.FORBIDDEN, Cause.SAME_ABSOLUTE_COLOUR])
def test_the_checker_refuses_an_obstacle_that_is_none(system: str, cause: Cause):
    snapshot = event(ROUND.format(system=system))
    made = paired(snapshot)
    opponent = one_of(made, ReasonKind.OPPONENT)
    lie = replace(opponent, kind=ReasonKind.PASSED_OVER, facts=(("because", cause), ("round", 1)))
    with pytest.raises(AssertionError):
        RoundChecker(snapshot, made).check_one(lie)
