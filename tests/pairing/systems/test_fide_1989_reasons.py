"""Every reason the 1989 rules state is checked against the snapshot it speaks of."""

from __future__ import annotations

import pytest

from pairing.engine.paired_round import Cause, ColourCause, Fact, PairedRound, PairingImpossible, Reason, ReasonKind
from pairing.engine.snapshot import Result, TournamentSnapshot
from tests.pairing.builders import event, first_round, paired
from tests.pairing.literal.events import play
from tests.pairing.literal.facts import NoLegalRound, Pairing

EVENTS = 150


class Checker:
    """Re-checks reasons by the bare records of a snapshot."""

    def __init__(self, snapshot: TournamentSnapshot, made: PairedRound) -> None:
        self.cards = {card.tpn: card for card in snapshot.cards}
        self.snapshot = snapshot
        self.scores = {score.tpn: score.pairing for score in made.scores}

    def check(self, one: Reason) -> None:
        assert one.article.startswith("fide-1989 art. ")
        getattr(self, one.kind.value)(one)

    def score_group(self, one: Reason) -> None:
        assert one.fact("side") in {"above", "below", "median", "whole"}

    def floated(self, one: Reason) -> None:
        down = one.fact("from_half_points") > one.fact("to_half_points")
        assert one.fact("direction") == ("down" if down else "up")
        own = self.scores[one.players[0]]
        # He has been on his way from his own group at least as far as the one he leaves.
        assert own >= one.fact("from_half_points") if down else own <= one.fact("from_half_points")

    def stayed(self, one: Reason) -> None:
        kept, floater = one.players
        if one.fact("because") is Cause.FLOATED_BEFORE:
            assert one.fact("round") == self.snapshot.rounds_paired
            assert self.cards[kept].records[-1].result.is_pairing
        assert kept != floater

    def opponent(self, one: Reason) -> None:
        assert self.obstacle(*one.players) is None

    def passed_over(self, one: Reason) -> None:
        chooser, candidate = one.players
        cause = one.fact("because")
        if cause in (Cause.MET, Cause.FORBIDDEN, Cause.SAME_ABSOLUTE_COLOUR):
            assert self.obstacle(chooser, candidate) == cause
        else:
            assert self.obstacle(chooser, candidate) is None
        if cause is Cause.MET:
            record = self.cards[chooser].records[one.fact("round") - 1]
            assert record.opponent == candidate
            assert record.is_played
        if cause in (Cause.SAME_ABSOLUTE_COLOUR, Cause.SAME_DUE_COLOUR):
            assert self.due(chooser) == self.due(candidate) == one.fact("colour")
        if cause is Cause.RATING_GAP:
            assert one.fact("gap") > 100

    def colour(self, one: Reason) -> None:
        white, black = one.players
        claim = one.fact("claim")
        due = self.due(claim)
        if one.fact("because") is ColourCause.NUMBER_PARITY:
            assert self.due(white) is None
            assert self.due(black) is None
        elif one.fact("because") is ColourCause.HISTORY:
            back = one.fact("games_back")
            mine, his = self.history(claim), self.history(white + black - claim)
            assert mine[len(mine) - back + 1 :] == his[len(his) - back + 1 :]
            assert mine[-back] != his[-back]
            assert (claim == white) == (mine[-back] == "b")
        else:
            assert due == ("w" if claim == white else "b")

    def bye(self, one: Reason) -> None:
        assert one.fact("half_points") == self.scores[one.players[0]]

    def bye_passed_over(self, one: Reason) -> None:
        wanted = {Cause.HAD_BYE: Result.PAIRING_ALLOCATED_BYE, Cause.HAD_FORFEIT_WIN: Result.FORFEIT_WIN}
        if one.fact("because") in wanted:
            record = self.cards[one.players[0]].records[one.fact("round") - 1]
            assert record.result is wanted[one.fact("because")]

    def obstacle(self, one: int, other: int) -> Cause | None:
        if any(record.is_played and record.opponent == other for record in self.cards[one].records):
            return Cause.MET
        if frozenset((one, other)) in self.snapshot.forbidden_pairs:
            return Cause.FORBIDDEN
        must = self.must(one)
        if must and must == self.must(other) and not self.snapshot.is_last_round:
            return Cause.SAME_ABSOLUTE_COLOUR
        return None

    def history(self, tpn: int) -> str:
        return "".join(record.colour.value for record in self.cards[tpn].records if record.is_played)

    def due(self, tpn: int) -> str | None:
        history = self.history(tpn)
        difference = history.count("w") - history.count("b")
        if must := self.must(tpn):
            return must
        if difference:
            return "b" if difference > 0 else "w"
        return {"w": "b", "b": "w"}[history[-1]] if history else None

    def must(self, tpn: int) -> str | None:
        history = self.history(tpn)
        difference = history.count("w") - history.count("b")
        if abs(difference) >= 2:
            return "b" if difference > 0 else "w"
        return {"ww": "b", "bb": "w"}.get(history[-2:])


def all_reasons(made: PairedRound) -> list[Reason]:
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
            seen.add((why.kind, why.fact("because")))
        return tuple((game.white, game.black) for game in made.games), made.bye.player if made.bye else None

    for seed in range(EVENTS):
        for _ in play("fide-1989", seed, pair_and_check):
            pass
    causes = {cause for kind, cause in seen if kind is ReasonKind.PASSED_OVER}
    assert causes >= {
        Cause.MET,
        Cause.SAME_ABSOLUTE_COLOUR,
        Cause.SAME_DUE_COLOUR,
        Cause.BLOCKS_REST,
        Cause.MORE_CLASHES,
    }
    assert {kind.value for kind, _ in seen} == {
        "score_group",
        "floated",
        "stayed",
        "opponent",
        "passed_over",
        "colour",
        "bye",
        "bye_passed_over",
    }


def test_the_checker_refuses_what_is_not_so():
    text = "fide-1989\n1 0 3w1\n2 0 4w1\n3 0 1b0\n4 0 2b0"
    made = paired(text)
    checker = Checker(event(text), made)
    why = next(why for why in all_reasons(made) if why.kind is ReasonKind.OPPONENT)
    with pytest.raises(AssertionError):
        checker.check(Reason(article=why.article, kind=why.kind, players=(1, 3), facts=why.facts))


def passed_over(made: PairedRound, chooser: int) -> list[tuple[int, str, Fact]]:
    """Whom a player was not given, in the order of the rule."""
    return [
        (why.players[1], why.article.removeprefix("fide-1989 art. "), why.fact("because"))
        for why in all_reasons(made)
        if why.kind is ReasonKind.PASSED_OVER and why.players[0] == chooser
    ]


def test_all_candidates_before_the_opponent_are_named_in_their_order():
    made = paired(first_round(6, (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)))
    assert passed_over(made, 1) == [
        (4, "9.1", Cause.FORBIDDEN),
        (5, "9.1", Cause.FORBIDDEN),
        (6, "11.4", Cause.BLOCKS_REST),
    ]
    assert passed_over(made, 2) == [(5, "9.1", Cause.FORBIDDEN)]


def test_an_exchange_for_colours_is_said_to_be_one():
    made = paired(
        """fide-1989
        1 0 5w1
        2 0 6b1
        3 0 7w1
        4 0 8b1
        5 0 1b0
        6 0 2w0
        7 0 3b0
        8 0 4w0"""
    )
    assert passed_over(made, 1) == [(3, "12.2", Cause.SAME_DUE_COLOUR)]
    top = made.games[0].reasons
    assert [why.article for why in top if why.kind is ReasonKind.OPPONENT] == ["fide-1989 art. 12.2"]


def test_a_floater_says_why_he_and_not_another():
    made = paired("fide-1989\n1 0 3w1\n2 0 4b1\n3 0 1b0\n4 0 2w0\n5 0 U")
    told = [(why.kind, why.players, why.fact("because")) for game in made.games for why in game.reasons]
    assert (ReasonKind.FLOATED, (2,), Cause.ODD_GROUP) in told
    assert (ReasonKind.STAYED, (5, 2), Cause.FLOATED_BEFORE) in told


def test_in_a_maxi_event_the_rating_gap_is_told():
    # The colours would send 2, but he is far from 3, who is unrated and counts as 0.
    made = paired(
        """fide-1989 rounds=2
        1 2000 4w1
        2 2000 5w1
        3 0 6b1
        4 0 1b0
        5 0 2b0
        6 0 3w0"""
    )
    gaps = [why for game in made.games for why in game.reasons if why.fact("because") is Cause.RATING_GAP]
    assert [(why.players, why.fact("gap")) for why in gaps] == [((2, 3), 2000)]


def test_split_pairs_of_the_median_tell_that_it_was_blocked():
    made = paired("fide-1989 forbidden=3-4\n1 0 F\n2 0 F\n3 0 H\n4 0 H\n5 0 Z\n6 0 Z")
    moved = [
        why.players[0] for game in made.games for why in game.reasons if why.fact("because") is Cause.BLOCKED_MEDIAN
    ]
    assert sorted(moved) == [1, 2]


def test_the_bye_names_those_it_passed_over():
    made = paired("fide-1989\n1 0 F Z\n2 0 F F\n3 0 U Z")
    assert [(why.kind, why.players, why.fact("because")) for why in made.bye.reasons] == [
        (ReasonKind.BYE, (1,), None),
        (ReasonKind.BYE_PASSED_OVER, (3,), Cause.HAD_BYE),
    ]
