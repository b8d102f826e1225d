"""Every reason of the 1992 rules is checked against its snapshot."""

from __future__ import annotations

import pytest

from pairing.engine.paired_round import (
    ColourCause,
    DecisionCause,
    PairedRound,
    PairingImpossible,
    PairingReason,
    ReasonFact,
    ReasonKind,
)
from pairing.engine.snapshot import Result, TournamentSnapshot
from tests.pairing.builders import event, first_round, paired
from tests.pairing.engine.literal.acceleration import fictitious_points
from tests.pairing.engine.literal.dutch_1992 import ABSOLUTE, Procedure
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import Facts, NoLegalRound, Pairing
from tests.pairing.engine.systems.dutch_1992.players import with_colours

EVENTS = 60


class Checker:
    """Check reasons with what the literal twin reads from the records."""

    def __init__(self, snapshot: TournamentSnapshot, made: PairedRound) -> None:
        self.snapshot = snapshot
        self.facts = Facts(snapshot, fictitious_points(snapshot, 2), 2)
        self.rules = Procedure(self.facts, number={tpn: tpn for tpn in self.facts.cards})
        self.scores = {score.tpn: score.pairing_score for score in made.scores}

    def check(self, one: PairingReason) -> None:
        assert one.article.startswith("dutch-1992 ")
        getattr(self, one.kind.value)(one)

    def score_group(self, one: PairingReason) -> None:
        assert one.get_fact("half_points") in self.scores.values()

    def floated(self, one: PairingReason) -> None:
        assert one.get_fact("direction") == "down"
        assert self.scores[one.players[0]] >= one.get_fact("from_half_points") > one.get_fact("to_half_points")
        if one.get_fact("because") is DecisionCause.NO_OPPONENT:
            alike = [t for t in self.facts.to_pair if self.scores[t] == one.get_fact("from_half_points")]
            assert not any(self.rules.compatible(one.players[0], t) for t in alike if t != one.players[0])

    def stayed(self, one: PairingReason) -> None:
        kept, floater = one.players
        assert kept != floater
        self.float_is_as_said(one, kept, "down")

    def opponent(self, one: PairingReason) -> None:
        assert self.rules.compatible(*one.players)

    def passed_over(self, one: PairingReason) -> None:
        chooser, candidate = one.players
        cause = one.get_fact("because")
        if cause is DecisionCause.MET:
            record = self.facts.cards[chooser].records[one.get_fact("round") - 1]
            assert record.opponent == candidate
            assert record.is_played
        elif cause is DecisionCause.FORBIDDEN:
            assert self.facts.forbidden(chooser, candidate)
        elif cause in (DecisionCause.SAME_ABSOLUTE_COLOUR, DecisionCause.SAME_DUE_COLOUR):
            both = [self.rules.preference(tpn) for tpn in (chooser, candidate)]
            assert [each and each[0] for each in both] == [one.get_fact("colour")] * 2
            assert (cause is DecisionCause.SAME_ABSOLUTE_COLOUR) == all(each and each[1] == ABSOLUTE for each in both)
        else:
            assert self.rules.compatible(chooser, candidate)
            assert cause in (
                DecisionCause.FLOATED_BEFORE,
                DecisionCause.MORE_CLASHES,
                DecisionCause.MORE_FLOATS,
                DecisionCause.LOOK_AHEAD,
                DecisionCause.BLOCKS_GROUP,
            )
        if cause is DecisionCause.FLOATED_BEFORE:
            lower = one.get_fact("floater")
            assert self.scores[lower] == min(self.scores[tpn] for tpn in one.players)
            assert self.scores[chooser] != self.scores[candidate]
            self.float_is_as_said(one, lower, "up")

    def float_is_as_said(self, one: PairingReason, tpn: int, direction: str) -> None:
        if one.get_fact("because") is DecisionCause.FLOATED_BEFORE:
            back = self.facts.round_number - one.get_fact("round")
            assert one.article == {1: "dutch-1992 B5", 2: "dutch-1992 B6"}[back]
            assert self.facts.float_in(tpn, one.get_fact("round")) == direction

    def moved_to_half(self, one: PairingReason) -> None:
        assert one.get_fact("half") in {"S1", "S2"}
        assert one.players[0] in self.facts.to_pair

    def exchange_tried(self, one: PairingReason) -> None:
        assert len(one.players) == 2 * one.get_fact("leaving")

    def in_want(self, one: PairingReason) -> None:
        assert set(one.players) <= self.facts.to_pair
        assert one.get_fact("count") <= one.get_fact("of") + one.get_fact("bye")

    def colour(self, one: PairingReason) -> None:
        white, black = one.players
        claim = one.get_fact("claim")
        mine, his = self.rules.preference(claim), self.rules.preference(white + black - claim)
        got = "w" if claim == white else "b"
        because = one.get_fact("because")
        if because is ColourCause.NUMBER_PARITY:
            assert (mine, his) == (None, None)
            return
        assert mine is not None
        if because is ColourCause.ONLY_ONE_DUE:
            assert his is None
        if because is ColourCause.BOTH_DUE:
            assert his is not None
            assert mine[0] != his[0]
        if because in (ColourCause.ABSOLUTE, ColourCause.STRONGER):
            assert his is not None
            assert mine[1] > his[1]
            assert (because is ColourCause.ABSOLUTE) == (mine[1] == ABSOLUTE)
        if because in (ColourCause.HISTORY, ColourCause.HIGHER_PLAYER):
            assert mine == his
        if because is ColourCause.HISTORY:
            back = one.get_fact("games_back")
            one_history, other = self.facts.colours[claim], self.facts.colours[white + black - claim]
            assert one_history[len(one_history) - back + 1 :] == other[len(other) - back + 1 :]
            assert one_history[-back] != other[-back]
            assert got != one_history[-back]
        else:
            assert got == mine[0]

    def bye(self, one: PairingReason) -> None:
        assert self.rules.bye_is_allowed(one.players[0])
        assert one.get_fact("half_points") == self.scores[one.players[0]]

    def bye_passed_over(self, one: PairingReason) -> None:
        if one.get_fact("because") is DecisionCause.HAD_POINT_WITHOUT_PLAY:
            record = self.facts.cards[one.players[0]].records[one.get_fact("round") - 1]
            assert record.result in (Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE, Result.FORFEIT_WIN)
        else:
            assert self.rules.bye_is_allowed(one.players[0])
        self.float_is_as_said(one, one.players[0], "down")


def all_reasons(made: PairedRound) -> list[PairingReason]:
    return [why for game in made.games for why in game.reasons] + list(made.bye.reasons if made.bye else ())


def test_every_stated_reason_is_true_in_random_events():
    seen = set()

    def pair_and_check(snapshot: TournamentSnapshot) -> Pairing:
        try:
            made = paired(snapshot)
        except PairingImpossible as refusal:
            raise NoLegalRound from refusal
        checker = Checker(snapshot, made)
        for why in all_reasons(made):
            checker.check(why)
            seen.add((why.kind, why.get_fact("because")))
        return tuple((game.white, game.black) for game in made.games), made.bye.player if made.bye else None

    for seed in range(EVENTS):
        for _ in play("dutch-1992", seed, pair_and_check):
            pass
    causes = {cause for kind, cause in seen if kind is ReasonKind.PASSED_OVER}
    assert causes >= {
        DecisionCause.MET,
        DecisionCause.SAME_ABSOLUTE_COLOUR,
        DecisionCause.SAME_DUE_COLOUR,
        DecisionCause.FLOATED_BEFORE,
        DecisionCause.BLOCKS_GROUP,
        DecisionCause.MORE_CLASHES,
    }
    assert {cause for kind, cause in seen if kind is ReasonKind.FLOATED} >= {
        DecisionCause.NO_OPPONENT,
        DecisionCause.ODD_GROUP,
        DecisionCause.BLOCKS_GROUP,
        DecisionCause.BLOCKS_REST,
    }
    assert {kind.value for kind, _ in seen} == {
        "score_group",
        "floated",
        "stayed",
        "opponent",
        "passed_over",
        "moved_to_half",
        "exchange_tried",
        "in_want",
        "colour",
        "bye",
        "bye_passed_over",
    }


def test_the_checker_refuses_what_is_not_so():
    text = "dutch-1992\n1 0 3w1\n2 0 4w1\n3 0 1b0\n4 0 2b0"
    made = paired(text)
    checker = Checker(event(text), made)
    why = next(why for why in all_reasons(made) if why.kind is ReasonKind.OPPONENT)
    with pytest.raises(AssertionError):
        checker.check(PairingReason(article=why.article, kind=why.kind, players=(1, 3), facts=why.facts))


def told(made: PairedRound, kind: ReasonKind, first: int) -> list[tuple[int, str, ReasonFact]]:
    """The other player, the article and the cause of all reasons of a kind about a player."""
    return [
        (why.players[-1], why.article.removeprefix("dutch-1992 "), why.get_fact("because"))
        for why in all_reasons(made)
        if why.kind is kind and why.players[0] == first
    ]


def test_all_candidates_before_the_opponent_are_named_in_their_order():
    # 1 may not meet 4, and 2 needs 5, because 2 may meet nobody else of S2.
    made = paired(first_round(6, (1, 4), (2, 4), (2, 6), system="dutch-1992"))
    assert told(made, ReasonKind.PASSED_OVER, 1) == [
        (4, "B1", DecisionCause.FORBIDDEN),
        (5, "C7", DecisionCause.BLOCKS_GROUP),
    ]
    assert told(made, ReasonKind.PASSED_OVER, 2) == [(4, "B1", DecisionCause.FORBIDDEN)]
    assert told(made, ReasonKind.PASSED_OVER, 3) == []


def test_a_colour_passed_over_names_b4():
    made = paired(with_colours("w1", "b1", "w1", "b1"))
    assert told(made, ReasonKind.PASSED_OVER, 1) == [(3, "B4", DecisionCause.SAME_DUE_COLOUR)]


def test_a_colour_that_the_opponent_has_as_well_is_no_reason():
    # All four are due Black: 1 does not play 3, as 2 and 4 would be left.
    made = paired(with_colours("w1", "w1", "w1", "w1", head="dutch-1992 forbidden=2-4"))
    assert told(made, ReasonKind.PASSED_OVER, 1) == [(3, "C7", DecisionCause.BLOCKS_GROUP)]
    why = next(why for why in all_reasons(made) if why.kind is ReasonKind.PASSED_OVER)
    assert (why.get_fact("left"), why.get_fact("left_because")) == ((2, 4), DecisionCause.FORBIDDEN)


def test_a_downfloater_says_why_they_and_not_another():
    made = paired("dutch-1992\n1 0 F\n2 0 F\n3 0 U\n4 0 H")
    assert told(made, ReasonKind.FLOATED, 2) == [(2, "C6", DecisionCause.ODD_GROUP)]
    assert told(made, ReasonKind.STAYED, 3) == [(2, "B5", DecisionCause.FLOATED_BEFORE)]


def test_who_stays_for_the_sake_of_the_next_bracket():
    made = paired("dutch-1992 forbidden=3-4\n1 0 F\n2 0 F\n3 0 F\n4 0 H\n5 0 Z\n6 0 Z")
    assert told(made, ReasonKind.STAYED, 3) == [(2, "C12", DecisionCause.LOOK_AHEAD)]


def test_who_has_no_opponent_moves_down_by_c1():
    made = paired("dutch-1992 forbidden=1-2\n1 0 F\n2 0 F\n3 0 H\n4 0 H")
    assert told(made, ReasonKind.FLOATED, 1) == [(1, "C1", DecisionCause.NO_OPPONENT)]


def test_pairs_given_up_for_those_below_name_c13():
    made = paired("dutch-1992 forbidden=3-4\n1 0 F\n2 0 F\n3 0 H\n4 0 H")
    assert told(made, ReasonKind.FLOATED, 1) == [(1, "C13", DecisionCause.BLOCKS_REST)]


def test_an_upfloat_passed_over_names_the_round():
    made = paired(
        """dutch-1992
        1 0 F fs=0,2
        2 0 6b1
        3 0 F
        4 0 F
        6 0 2w0 fs=2,0 | Z"""
    )
    why = next(why for why in all_reasons(made) if why.kind is ReasonKind.PASSED_OVER)
    assert (why.players, why.article, why.get_fact("round")) == ((1, 2), "dutch-1992 B5", 1)


def test_the_bye_names_those_it_passed_over():
    made = paired(with_colours("w1", "b1", "U"))
    assert told(made, ReasonKind.BYE, 2) == [(2, "A5", None)]
    assert told(made, ReasonKind.BYE_PASSED_OVER, 3) == [(3, "B1", DecisionCause.HAD_POINT_WITHOUT_PLAY)]
