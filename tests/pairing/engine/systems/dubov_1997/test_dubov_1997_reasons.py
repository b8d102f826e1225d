"""Every reason of the Dubov system is checked against its snapshot."""

from __future__ import annotations

from fractions import Fraction

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
from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.builders import event, first_round, paired
from tests.pairing.engine.literal.acceleration import fictitious_points
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import Facts, NoLegalRound, Pairing, is_played
from tests.pairing.engine.reason_world import average_told
from tests.pairing.engine.systems.dubov_1997.players import field, player

EVENTS = 150
SYSTEM = "dubov-1997"


class Checker:
    """Check reasons against the records of a snapshot."""

    def __init__(self, snapshot: TournamentSnapshot) -> None:
        worth = snapshot.points.pairing_allocated_bye
        self.facts = Facts(snapshot, fictitious_points(snapshot, worth), worth)
        self.last = self.facts.round_number - 1

    def check(self, one: PairingReason) -> None:
        assert one.article.startswith("dubov-1997 art. ")
        getattr(self, one.kind.value)(one)

    def score_group(self, one: PairingReason) -> None:
        assert one.get_fact("half_points") in self.facts.pairing_score.values()

    def floated(self, one: PairingReason) -> None:
        came_from, went_to = one.get_fact("from_half_points"), one.get_fact("to_half_points")
        own = self.facts.pairing_score[one.players[0]]
        if one.get_fact("direction") == "up":
            assert own == came_from < went_to
            assert self.bar(one.players[0]) is None
        else:
            assert own >= came_from > went_to
        assert went_to in self.facts.pairing_score.values()
        if one.get_fact("because") is DecisionCause.OPPONENT_WANTED:
            assert self.obstacle(*one.players) is None

    def stayed(self, one: PairingReason) -> None:
        kept, floater = one.players
        assert kept != floater
        if one.article.endswith("2.5"):
            self.float_bar(one, kept)
        elif one.get_fact("because") is DecisionCause.DISADVANTAGE:
            assert one.article.endswith("6.4")
            assert self.floats_before(kept, floater)

    def opponent(self, one: PairingReason) -> None:
        chooser, opponent = one.players
        assert self.obstacle(chooser, opponent) is None
        if one.get_fact("rating") is not None:
            assert one.get_fact("rating") == self.facts.rating[opponent]
        if one.get_fact("average_numerator") is not None:
            assert average_told(one) == self.average(chooser)
        assert (one.get_fact("step") == "first try") == one.article.endswith("6.2")
        assert one.get_fact("place") >= 1

    def passed_over(self, one: PairingReason) -> None:
        chooser, candidate = one.players
        cause = one.get_fact("because")
        if one.article.endswith("2.5"):
            self.float_bar(one, candidate)
            return
        if cause in (DecisionCause.MET, DecisionCause.FORBIDDEN, DecisionCause.SAME_ABSOLUTE_COLOUR):
            assert self.obstacle(chooser, candidate) == cause
        else:
            assert self.obstacle(chooser, candidate) is None
        if cause is DecisionCause.MET:
            record = self.facts.cards[chooser].records[one.get_fact("round") - 1]
            assert record.opponent == candidate
            assert is_played(record)
        if cause is DecisionCause.SAME_ABSOLUTE_COLOUR:
            assert self.facts.absolute[chooser] == one.get_fact("colour")

    def column(self, one: PairingReason) -> None:
        (player,) = one.players
        assert average_told(one) == self.average(player)
        if one.get_fact("because") is DecisionCause.NO_DUE_COLOUR:
            assert self.due(player) is None
        else:
            assert self.facts.absolute[player] is None
            assert self.due(player) in (None, {"w": "b", "b": "w"}[one.get_fact("colour")])

    def in_want(self, one: PairingReason) -> None:
        assert one.get_fact("count") > 0
        assert {*one.players} <= {*self.facts.to_pair}, one

    def columns(self, one: PairingReason) -> None:
        """Each player is in one column. Players who must have a colour are in the column of that colour."""
        assert len({*one.players}) == len(one.players)
        for number, tpn in enumerate(one.players):
            column = "w" if number < one.get_fact("whites") else "b"
            assert self.facts.absolute[tpn] in (None, column), one

    def colour(self, one: PairingReason) -> None:
        white, black = one.players
        claim = one.get_fact("claim")
        rival = white + black - claim
        facts, got = self.facts, "w" if claim == white else "b"
        match one.get_fact("because"):
            case ColourCause.ALTERNATE_PAIRS:
                assert self.last == 0
            case ColourCause.BOTH_DUE:
                assert (self.due(white), self.due(black)) == ("w", "b")
            case ColourCause.ONLY_ONE_DUE:
                assert (self.due(claim), self.due(rival)) == (got, None)
            case ColourCause.ABSOLUTE:
                assert facts.absolute[claim] == got == self.due(rival)
                assert facts.absolute[rival] is None
                assert one.article.endswith("2.3" if abs(facts.difference[claim]) >= 2 else "2.4")
            case ColourCause.DIFFERENCE:
                assert self.due(claim) == self.due(rival) == got
                assert abs(facts.difference[claim]) > abs(facts.difference[rival])
            case ColourCause.HISTORY:
                back = one.get_fact("games_back")
                mine, his = facts.colours[claim], facts.colours[rival]
                assert mine[len(mine) - back + 1 :] == his[len(his) - back + 1 :]
                assert mine[-back] != his[-back]
                assert got != mine[-back]
            case ColourCause.HIGHER_AVERAGE:
                assert claim == white
                assert self.average(claim) > self.average(rival)
                assert average_told(one) == self.average(claim)
            case ColourCause.LOWER_RATING:
                assert claim == white
                assert one.get_fact("rating") == facts.rating[claim] < facts.rating[rival]
            case _:
                assert one.get_fact("because") is ColourCause.LARGER_NUMBER
                assert claim == white > black

    def bye(self, one: PairingReason) -> None:
        assert one.get_fact("half_points") == self.facts.pairing_score[one.players[0]]

    def bye_passed_over(self, one: PairingReason) -> None:
        if one.get_fact("because") is DecisionCause.HAD_POINT_WITHOUT_PLAY:
            record = self.facts.cards[one.players[0]].records[one.get_fact("round") - 1]
            assert record.result.value in "UF+"

    def float_bar(self, one: PairingReason, tpn: int) -> None:
        assert one.get_fact("because") is self.bar(tpn)
        if one.get_fact("because") is DecisionCause.FLOATED_BEFORE:
            assert one.get_fact("round") == self.last
        else:
            assert one.get_fact("floats") == self.upfloats(tpn)

    def bar(self, tpn: int) -> DecisionCause | None:
        """2.5, checked again."""
        if self.facts.is_last_round:
            return None
        if self.facts.float_in(tpn, self.last) == "up":
            return DecisionCause.FLOATED_BEFORE
        rounds = self.facts.snapshot.rounds_announced
        return (
            DecisionCause.FLOAT_LIMIT if self.upfloats(tpn) >= (4 if rounds is not None and rounds > 9 else 3) else None
        )

    def upfloats(self, tpn: int) -> int:
        return sum(self.facts.float_in(tpn, number) == "up" for number in range(1, self.last + 1))

    def floats_before(self, one: int, other: int) -> bool:
        """6.4 without the kinds: the lower rating, the higher ARO, the larger number."""
        rating = self.facts.rating
        return (rating[one], -self.average(one), -one) < (rating[other], -self.average(other), -other)

    def obstacle(self, one: int, other: int) -> DecisionCause | None:
        if self.facts.met(one, other):
            return DecisionCause.MET
        if self.facts.forbidden(one, other):
            return DecisionCause.FORBIDDEN
        must = self.facts.absolute[one]
        return DecisionCause.SAME_ABSOLUTE_COLOUR if must and must == self.facts.absolute[other] else None

    def average(self, tpn: int) -> Fraction:
        records = self.facts.cards[tpn].records
        met = [self.facts.rating[record.opponent] for record in records if is_played(record)]
        return Fraction(sum(met), len(met)) if met else Fraction(0)

    def due(self, tpn: int) -> str | None:
        history, difference = self.facts.colours[tpn], self.facts.difference[tpn]
        if self.facts.absolute[tpn]:
            return self.facts.absolute[tpn]
        if difference:
            return "b" if difference > 0 else "w"
        return {"w": "b", "b": "w"}[history[-1]] if history else None


def all_reasons(made: PairedRound) -> list[PairingReason]:
    return [why for game in made.games for why in game.reasons] + list(made.bye.reasons if made.bye else ())


def told(made: PairedRound, kind: ReasonKind) -> list[tuple[str, tuple[int, ...], ReasonFact]]:
    """The reasons of one kind: article, players, cause."""
    return [
        (why.article.removeprefix("dubov-1997 art. "), why.players, why.get_fact("because"))
        for why in all_reasons(made)
        if why.kind is kind
    ]


def test_every_stated_reason_is_true_in_random_events():
    seen = set()

    def pair_and_check(snapshot: TournamentSnapshot) -> Pairing:
        try:
            made = paired(snapshot)
        except PairingImpossible as refusal:
            raise NoLegalRound from refusal
        checker = Checker(snapshot)
        for why in all_reasons(made):
            checker.check(why)
            seen.add((why.kind, why.get_fact("because")))
        return tuple((game.white, game.black) for game in made.games), made.bye.player if made.bye else None

    for seed in range(EVENTS):
        for _ in play(SYSTEM, seed, pair_and_check):
            pass
    expected = {
        ReasonKind.SCORE_GROUP: {None},
        ReasonKind.FLOATED: {
            DecisionCause.OPPONENT_WANTED,
            DecisionCause.ODD_GROUP,
            DecisionCause.NO_OPPONENT,
            DecisionCause.BLOCKS_REST,
        },
        ReasonKind.STAYED: {
            DecisionCause.FLOATED_BEFORE,
            DecisionCause.FLOAT_LIMIT,
            DecisionCause.BLOCKS_REST,
            DecisionCause.DISADVANTAGE,
        },
        ReasonKind.OPPONENT: {None},
        ReasonKind.PASSED_OVER: {
            DecisionCause.MET,
            DecisionCause.FORBIDDEN,
            DecisionCause.SAME_ABSOLUTE_COLOUR,
            DecisionCause.FLOATED_BEFORE,
            DecisionCause.FLOAT_LIMIT,
            DecisionCause.BLOCKS_REST,
            DecisionCause.BLOCKS_GROUP,
            DecisionCause.MORE_CLASHES,
        },
        ReasonKind.COLUMN: {DecisionCause.COLOUR_BALANCE, DecisionCause.NO_DUE_COLOUR},
        ReasonKind.COLOUR: {
            ColourCause.ABSOLUTE,
            ColourCause.BOTH_DUE,
            ColourCause.ONLY_ONE_DUE,
            ColourCause.DIFFERENCE,
            ColourCause.HISTORY,
            ColourCause.HIGHER_AVERAGE,
            ColourCause.LOWER_RATING,
            ColourCause.LARGER_NUMBER,
            ColourCause.ALTERNATE_PAIRS,
        },
        ReasonKind.BYE: {None},
        ReasonKind.BYE_PASSED_OVER: {DecisionCause.HAD_POINT_WITHOUT_PLAY, DecisionCause.BLOCKS_REST},
    }
    assert {kind for kind, _ in seen} == {*expected, ReasonKind.COLUMNS, ReasonKind.LACK_OPPONENTS}
    assert {(kind, cause) for kind, causes in expected.items() for cause in causes} <= seen


def test_the_checker_refuses_what_is_not_so():
    text = "dubov-1997\n1 0 3w1\n2 0 4w1\n3 0 1b0\n4 0 2b0"
    why = next(why for why in all_reasons(paired(text)) if why.kind is ReasonKind.OPPONENT)
    with pytest.raises(AssertionError):
        Checker(event(text)).check(PairingReason(article=why.article, kind=why.kind, players=(1, 3), facts=why.facts))


WHITES = (player(1500, "b", 1900), player(1500, "b", 2000), player(1500, "b", 2100))
BLACKS = (player(1900, "w"), player(1800, "w"), player(1700, "w"))


def test_first_tries_and_corrections():
    made = paired(field(*WHITES, *BLACKS, forbidden=[(1, 4), (2, 5), (2, 6)]))
    assert told(made, ReasonKind.OPPONENT) == [("6.3", (1, 5), None), ("6.2", (2, 4), None), ("6.2", (3, 6), None)]
    assert told(made, ReasonKind.PASSED_OVER) == [("2.1", (1, 4), DecisionCause.FORBIDDEN)]


def test_pairs_inside_a_column_and_a_group_that_could_not_be_paired_are_told_apart():
    # With 4 for 1, only 3 would be left for 2: two pairs inside the columns. If 2 has met 3 too, nobody is left.
    made = paired(field(*WHITES, *BLACKS, forbidden=[(2, 5), (2, 6)]))
    assert told(made, ReasonKind.PASSED_OVER) == [("6.3", (1, 4), DecisionCause.MORE_CLASHES)]
    (why,) = (why for why in all_reasons(made) if why.kind is ReasonKind.PASSED_OVER)
    assert (why.get_fact("in_column"), why.get_fact("of"), why.get_fact("clashes")) == (0, 3, None)
    made = paired(field(*WHITES, *BLACKS, forbidden=[(2, 5), (2, 6), (2, 3)]))
    assert told(made, ReasonKind.PASSED_OVER) == [("6.3", (1, 4), DecisionCause.BLOCKS_GROUP)]


def test_who_was_moved_to_the_other_column():
    whites = player(1700, "bb", 1800), player(1600, "b", 1900), player(1500, "b", 2000)
    made = paired(field(*whites, player(1650, "w")))
    assert told(made, ReasonKind.COLUMN) == [("7.3", (2,), DecisionCause.COLOUR_BALANCE)]
    (why,) = (why for why in all_reasons(made) if why.kind is ReasonKind.COLUMN)
    assert why.get_fact("colour") == "b"
    assert average_told(why) == 1900


def test_averages_are_told_in_full():
    made = paired(field(player(1500, "bwb", (2344, 2344, 2345)), player(1500, "w")))
    (why,) = (why for why in all_reasons(made) if why.kind is ReasonKind.COLUMNS)
    assert (why.players, why.get_fact("whites")) == ((1, 2), 1)
    assert (why.get_fact("average_numerators")[0], why.get_fact("average_denominators")[0]) == (7033, 3)


def test_a_player_who_is_moved_up_after_another():
    # 1 and 2 have met, so each needs a player from below. Only 5 stays there, with the bye.
    made = paired("dubov-1997 rounds=9\n1 2000 2w=\n2 1900 1b=\n3 1800 Z\n4 1700 Z\n5 1600 Z")
    assert told(made, ReasonKind.FLOATED) == [
        ("7.1", (3, 1), DecisionCause.OPPONENT_WANTED),
        ("7.1", (4, 2), DecisionCause.OPPONENT_WANTED),
    ]
    stayed = [why for why in all_reasons(made) if why.kind is ReasonKind.STAYED]
    assert [(why.players, why.get_fact("floated_later")) for why in stayed] == [((4, 3), True)]
    # Nobody from below has an opponent yet.
    (columns,) = {why for why in all_reasons(made) if why.kind is ReasonKind.COLUMNS}
    averages = dict(zip(columns.players, columns.get_fact("average_denominators"), strict=True))
    assert averages == {1: 1, 2: 1, 3: 0, 4: 0}


def test_why_a_player_was_moved_up_and_not_another():
    below = player(1600, "w."), player(1500, "w"), player(1400, "w"), player(1300, "w")
    made = paired(field(player(1700, "b", score=2), *below, player(1200), forbidden=[(1, 3)]))
    assert told(made, ReasonKind.FLOATED) == [("7.1", (4, 1), DecisionCause.OPPONENT_WANTED)]
    assert told(made, ReasonKind.PASSED_OVER)[:2] == [
        ("2.5", (1, 2), DecisionCause.FLOATED_BEFORE),
        ("2.1", (1, 3), DecisionCause.FORBIDDEN),
    ]


@pytest.mark.parametrize(
    ("forbidden", "moved"),
    [([], {(2, 1): False}), ([(1, 2)], {(3, 1): True, (4, 2): False})],  # 3 from below 2's group, 4 from the next one
)
def test_the_interpretation_of_article_7_1_decided_only_for_floaters_from_beyond_the_next_group(forbidden, moved):
    next_group, beyond = player(1300, "b", score=1), (player(1800, "w"), player(1700, "w"))
    made = paired(field(player(1700, "b", score=2), next_group, *beyond, forbidden=forbidden))
    floated = [why for why in all_reasons(made) if why.kind is ReasonKind.FLOATED]
    assert {why.players: why.get_fact("reading") is not None for why in floated} == moved


MET_A_FLOATER = """dubov-1997 first=w rounds=7{reading}
1 2315 5w1 4b= 8w=
2 2283 6b= 3w0 5b0
3 1788 7w1 2b1 4w1
4 1670 8b1 1w= 3b0
5 1559 1b0 6w1 2w1
6 1309 2w= 5b0 7w0
7 1268 3b0 8w0 6b1
8 1051 4w0 7b1 1b="""
"""In round 3 number 2, on half a point, met 5, who came down with one."""


@pytest.mark.parametrize("moved_up_counts", [True, False])
def test_the_interpretation_of_article_2_5_decided_if_the_float_marks_barred_the_player(moved_up_counts):
    """A player who met a floater from above has floated up: not twice running, unless only moving up counts."""
    reading = " reading=dubov-1997:2.5=moved-up" if moved_up_counts else ""
    made = paired(MET_A_FLOATER.format(reading=reading))
    moved = [why for why in all_reasons(made) if why.kind is ReasonKind.FLOATED and why.players[0] == 2]
    assert [(why.get_fact("direction"), why.get_fact("reading")) for why in moved] == (
        [("up", "dubov-1997:2.5=moved-up")] if moved_up_counts else []
    )


def test_why_an_odd_group_was_completed_by_this_player():
    above = player(1900, "b", 1000, score=2), player(1800, "b", 1100, score=2), player(1700, "w", score=2)
    below = player(1600, "w."), player(1500, "w"), player(1400, "w")
    made = paired(field(*above, *below))
    assert told(made, ReasonKind.FLOATED) == [("7.2", (5,), DecisionCause.ODD_GROUP)]
    assert told(made, ReasonKind.STAYED) == [
        ("2.5", (4, 5), DecisionCause.FLOATED_BEFORE),
        ("7.2", (6, 5), DecisionCause.LOWER_RATING),
    ]


def test_who_has_met_all_of_an_odd_group_is_said_to_have_no_opponent_there():
    above = player(1900, "b", 1000, score=2), player(1800, "b", 1100, score=2), player(1700, "w", score=2)
    below = player(1600, "w"), player(1500, "w"), player(1400, "w")
    made = paired(field(*above, *below, forbidden=[(1, 4), (2, 4), (3, 4)]))
    assert told(made, ReasonKind.STAYED) == [
        ("7.2", (4, 5), DecisionCause.NO_OPPONENT),
        ("7.2", (6, 5), DecisionCause.LOWER_RATING),
    ]


def test_why_this_player_floated_and_not_another():
    # 2 would float, but 1 and 3 must not meet: 3 is the next.
    above = player(1800, "b", score=2), player(1500, "b", score=2), player(1700, "b", score=2)
    below = player(1400, "w."), player(1300, "b."), player(1200, "w.")
    made = paired(field(*above, *below, forbidden=[(1, 3)]))
    assert told(made, ReasonKind.FLOATED) == [("6.4", (3,), DecisionCause.ODD_GROUP)]
    assert told(made, ReasonKind.STAYED) == [("6.4", (2, 3), DecisionCause.BLOCKS_REST)]
    steps = {why.players: why.get_fact("step") for why in all_reasons(made) if why.kind is ReasonKind.OPPONENT}
    assert steps[3, 4] == "floater"


def test_the_first_round_names_article_5():
    made = paired(first_round(4, (1, 3), system=SYSTEM))
    assert told(made, ReasonKind.OPPONENT) == [("5", (1, 4), None), ("5", (2, 3), None)]
    assert told(made, ReasonKind.PASSED_OVER) == [("2.1", (1, 3), DecisionCause.FORBIDDEN)]
    assert told(made, ReasonKind.COLOUR)[0] == ("5", (1, 4), ColourCause.ALTERNATE_PAIRS)


def test_the_bye_names_those_it_passed_over():
    made = paired(field(player(1800), player(1700), player(1500), player(1400, without_play="U"), player(1900)))
    assert [(why.kind, why.players, why.get_fact("because")) for why in made.bye.reasons] == [
        (ReasonKind.BYE, (3,), None),
        (ReasonKind.BYE_PASSED_OVER, (4,), DecisionCause.HAD_POINT_WITHOUT_PLAY),
    ]
