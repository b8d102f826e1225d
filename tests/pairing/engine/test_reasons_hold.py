"""Every reason of every system is true of its snapshot, on random small events.

`CLUBNIGHT_REASON_EVENTS` sets the number of events a system (15 unless told).
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from pairing.engine.paired_round import DecisionCause, PairedRound, PairingImpossible, PairingReason, ReasonKind
from pairing.engine.rule_interpretations import ChosenInterpretations, non_default_interpretations, parse_interpretation
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import CUSTOM_ORDER_PROCEDURES, PAIRING_SYSTEMS, SWISS_SYSTEMS
from pairing.explanations.reason_sentences import reason_sentence
from tests.pairing.builders import event, paired
from tests.pairing.engine.literal import notation
from tests.pairing.engine.literal.compare import OTHER_READINGS
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing
from tests.pairing.engine.reason_articles import check_articles
from tests.pairing.engine.reason_brackets import check_evidence
from tests.pairing.engine.reason_checks import RoundChecker, all_reasons
from tests.pairing.engine.reason_criteria_2026 import check_criteria
from tests.pairing.engine.reason_moves import check_moves
from tests.pairing.engine.reason_turns import turns_of

EVENTS = int(os.environ.get("CLUBNIGHT_REASON_EVENTS", "15"))
CHUNK = 25
NAMES = [*SWISS_SYSTEMS, *(f"jahr+{procedure}" for procedure in CUSTOM_ORDER_PROCEDURES if procedure != "fide-1989")]

ALWAYS = {"score_group", "opponent", "passed_over", "colour", "bye", "bye_passed_over", "floated", "stayed"}
OF_EXCHANGES = {"moved_to_half", "exchange_tried", "exchanges_tried"}
OF_1992 = OF_EXCHANGES | {"in_want"}
OF_JAHR = {"order", "ranked", "worth"}
KINDS = {
    "dutch-1992": ALWAYS | OF_1992,
    "jahr": ALWAYS | OF_JAHR,
    "jahr+dutch-1992": ALWAYS | OF_1992 | OF_JAHR,
    "dubov-1997": ALWAYS | {"column", "columns", "in_want"},
    "dutch-2026": ALWAYS | OF_1992,
}


def check(snapshot: TournamentSnapshot, made: PairedRound) -> None:
    """Check every reason of the round. An error shows the snapshot in its notation."""
    try:
        checker = RoundChecker(snapshot, made)
        checker.check()
        check_articles(checker)
        if checker.world.procedure == "dutch-1992":
            check_evidence(checker)
        elif checker.world.procedure == "dutch-2026":
            check_criteria(checker)
        else:
            for group in turns_of(checker):
                group.check()
        if checker.world.procedure == "dubov-1997":
            check_moves(checker)
    except AssertionError as error:
        error.add_note(notation.written(snapshot))
        raise


def told_in(name: str, seeds: range, readings: ChosenInterpretations = ()) -> set[tuple[str, object]]:
    """The reasons of these events: kinds and causes, and the interpretations that decided."""
    seen: set[tuple[str, object]] = set()

    def pair_and_check(snapshot: TournamentSnapshot) -> Pairing:
        try:
            made = PAIRING_SYSTEMS[snapshot.system](snapshot)
        except PairingImpossible as refusal:
            raise NoLegalRound from refusal
        check(snapshot, made)
        names = {card.tpn: f"Player {card.tpn}" for card in snapshot.cards}
        for why in all_reasons(made):
            seen.add((why.kind.value, why.get_fact("because")))
            if why.get_fact("reading"):
                seen.add(("reading", why.get_fact("reading")))
            assert reason_sentence(why, names).endswith(".")
        return tuple((game.white, game.black) for game in made.games), made.bye.player if made.bye else None

    for seed in seeds:
        for _ in play(name, seed, pair_and_check, readings):
            pass
    return seen


@pytest.mark.parametrize("first_seed", range(0, EVENTS, CHUNK))
@pytest.mark.parametrize("name", NAMES)
def test_every_stated_reason_is_true(name: str, first_seed: int):
    seen = told_in(name, range(first_seed, min(first_seed + CHUNK, EVENTS)))
    assert {kind for kind, _ in seen} - {"reading"} <= KINDS.get(name, ALWAYS)
    causes = {cause for kind, cause in seen if kind == "passed_over"}
    assert causes >= {DecisionCause.MET, DecisionCause.SAME_ABSOLUTE_COLOUR}, "too little was told to have been checked"


@pytest.mark.parametrize(("name", "reading"), OTHER_READINGS)
def test_every_reason_is_true_under_every_reading(name: str, reading: str):
    seen = told_in(name, range(max(12, EVENTS // 5)), non_default_interpretations([parse_interpretation(reading)]))
    assert reading == "jahr:6=unrounded" or ("reading", reading) in seen, "no reason names the reading"


@pytest.mark.parametrize("name", ["fide-1989", "dubov-1997"])
def test_reasons_name_a_default_that_decided(name: str):
    named = {reading for kind, reading in told_in(name, range(max(12, EVENTS // 5))) if kind == "reading"}
    assert named >= {"fide-1989": {"fide-1989:8.2=event"}, "dubov-1997": {"dubov-1997:5=position"}}[name]


ROUND = """{system} rounds=5
1 2000 4w1 3b1
2 1900 5b1 6w1
3 1800 6w1 1w0
4 1700 1b0 5w1
5 1600 2w0 4b0
6 1500 3b0 2b0
7 1400 U U"""


def one_of(made: PairedRound, kind: ReasonKind) -> PairingReason:
    return next(why for why in all_reasons(made) if why.kind is kind)


def with_reason(made: PairedRound, old: PairingReason, new: PairingReason) -> PairedRound:
    """The same round with one changed reason."""
    games = tuple(
        replace(game, reasons=tuple(new if why is old else why for why in game.reasons)) for game in made.games
    )
    bye = made.bye and replace(made.bye, reasons=tuple(new if why is old else why for why in made.bye.reasons))
    return replace(made, games=games, bye=bye)


def with_fact(why: PairingReason, name: str, value: object) -> PairingReason:
    return replace(why, facts=tuple(sorted({**dict(why.facts), name: value}.items())))


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
@pytest.mark.parametrize("kind", [ReasonKind.SCORE_GROUP, ReasonKind.FLOATED, ReasonKind.BYE])
def test_the_checker_refuses_a_wrong_group(system: str, kind: ReasonKind):
    snapshot = event(ROUND.format(system=system))
    made = paired(snapshot)
    check(snapshot, made)
    old = one_of(made, kind)
    name = "to_half_points" if kind is ReasonKind.FLOATED else "half_points"
    with pytest.raises(AssertionError):
        check(snapshot, with_reason(made, old, with_fact(old, name, 9)))


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
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


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
@pytest.mark.parametrize("cause", [DecisionCause.MET, DecisionCause.FORBIDDEN, DecisionCause.SAME_ABSOLUTE_COLOUR])
def test_the_checker_refuses_an_obstacle_that_is_none(system: str, cause: DecisionCause):
    snapshot = event(ROUND.format(system=system))
    made = paired(snapshot)
    opponent = one_of(made, ReasonKind.OPPONENT)
    lie = replace(opponent, kind=ReasonKind.PASSED_OVER, facts=(("because", cause), ("round", 1)))
    with pytest.raises(AssertionError):
        RoundChecker(snapshot, made).check_one(lie)


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_the_checker_refuses_a_wrong_article(system: str):
    snapshot = event(ROUND.format(system=system))
    made = paired(snapshot)
    for old in all_reasons(made):
        with pytest.raises(AssertionError, match="is the article of"):
            check_articles(RoundChecker(snapshot, with_reason(made, old, replace(old, article=f"{old.article}0"))))


@pytest.mark.parametrize(
    ("records", "number"),
    [
        # Two games running with White: there must not be a third.
        ("1 0 3w1 4w1\n2 0 4b1 3w1\n3 0 1b0 2b0\n4 0 2w0 1b0", "12.3"),
        # White in three games of four, Black in the last: only the difference counts.
        ("1 0 3w1 4w1 3w1 4b1\n2 0 4b1 3w1 4b1 3w1\n3 0 1b0 2b0 1b0 2b0\n4 0 2w0 1b0 2w0 1w0", "12.1 b"),
        # Round 3: each gets the due colour.
        ("1 0 3w1 4b1\n2 0 4b1 3w1\n3 0 1b0 2b0\n4 0 2w0 1w0", "12.5"),
        # The same in round 2.
        ("1 0 3w1\n2 0 4b1\n3 0 1b0\n4 0 2w0", "12.6"),
    ],
)
def test_colours_of_1989_cite_the_sentence_that_gives_them(records: str, number: str):
    made = paired(f"fide-1989 rounds=9\n{records}")
    colours = [why for why in made.games[0].reasons if why.kind is ReasonKind.COLOUR]
    assert [(set(why.players), why.article) for why in colours] == [({1, 2}, f"fide-1989 art. {number}")]
