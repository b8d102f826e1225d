"""Check the reasons of a paired round against its snapshot, without any rule of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from pairing.engine.paired_round import DecisionCause, PairedRound, PairingReason, ReasonKind
from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal import jahr
from tests.pairing.engine.literal.acceleration import is_accelerated
from tests.pairing.engine.reason_facts import check_facts
from tests.pairing.engine.reason_world import DUTCH, World, average_told, averages_told, check_colours
from tests.pairing.engine.small_matchings import can_all_be_paired, fewest_left_over

OBSTACLES = (DecisionCause.MET, DecisionCause.FORBIDDEN, DecisionCause.SAME_ABSOLUTE_COLOUR)
BYE = 0
"""Stands for the bye among players."""
WITHOUT_PLAY = {
    DecisionCause.HAD_BYE: "U",
    DecisionCause.HAD_FORFEIT_WIN: "+",
    DecisionCause.HAD_POINT_WITHOUT_PLAY: "UF+",
}


class RoundChecker:
    """A paired round and its reasons; `check` raises AssertionError at the first wrong one."""

    def __init__(self, snapshot: TournamentSnapshot, made: PairedRound) -> None:
        self.world = World(snapshot)
        self.made = made
        self.rests = made.bye.player if made.bye else None
        self.floats: dict[int, list[PairingReason]] = {}
        for why in all_reasons(made):
            if why.kind is ReasonKind.FLOATED:
                self.floats.setdefault(why.players[0], []).append(why)

    def check(self) -> None:
        """Check every reason, and that none is missing."""
        for game in self.made.games:
            kinds = [why.kind for why in game.reasons]
            assert {ReasonKind.SCORE_GROUP, ReasonKind.OPPONENT, ReasonKind.COLOUR} <= set(kinds)
            (group,) = (why for why in game.reasons if why.kind is ReasonKind.SCORE_GROUP)
            assert {game.white, game.black} == set(_one(game.reasons, ReasonKind.OPPONENT).players)
            assert _one(game.reasons, ReasonKind.COLOUR).players == (game.white, game.black)
            for tpn, side in ((game.white, "white"), (game.black, "black")):
                assert group.get_fact(f"{side}_half_points") == self.world.score[tpn], group
                self.came_to(tpn, group.get_fact("half_points"))
            for why in game.reasons:
                self.check_one(why)
        if self.made.bye:
            assert _one(self.made.bye.reasons, ReasonKind.BYE).players == (self.rests,)
            for why in self.made.bye.reasons:
                self.check_one(why)

    def check_one(self, why: PairingReason) -> None:
        assert set(why.players) <= set(self.world.facts.cards)
        getattr(self, why.kind.value)(why)
        check_facts(self, why)

    def came_to(self, tpn: int, half_points: object) -> None:
        """The player's floats lead, step by step, from the own score to the group of the pair."""
        at: object = self.world.score[tpn]
        for why in self.floats.get(tpn, ()):
            assert why.get_fact("from_half_points") == at, why
            at = why.get_fact("to_half_points")
        assert at == half_points, (tpn, at, half_points)

    def score_group(self, why: PairingReason) -> None:
        side, score = why.get_fact("side"), why.get_fact("half_points")
        if self.world.procedure != "fide-1989":
            assert side is None
        elif not is_accelerated(self.world.snapshot):
            median = self.world.snapshot.rounds_paired
            assert side == "whole" or side == ("above" if score > median else "below" if score < median else "median")

    def floated(self, why: PairingReason) -> None:
        down = why.get_fact("from_half_points") > why.get_fact("to_half_points")
        assert why.get_fact("direction") == ("down" if down else "up")
        assert why.players[0] in self.world.facts.to_pair
        if why.get_fact("because") is DecisionCause.ODD_GROUP and (down or self.world.procedure == "fide-1989"):
            without = why.get_fact("without")
            gone = {*without} if isinstance(without, tuple) else set()
            assert gone <= self.gone_from(why.get_fact("from_half_points")) - {why.players[0]}, why
            assert len(self.members(why.get_fact("from_half_points")) - gone) % 2, why
        if why.get_fact("because") is DecisionCause.NO_OPPONENT:
            others = self.own_members(why.get_fact("from_half_points")) - {why.players[0]}
            if self.world.procedure == "dutch-2026" and self.world.score[why.players[0]] != why.get_fact(
                "from_half_points"
            ):
                # Players who moved down together do not play each other.
                others = frozenset(tpn for tpn in others if self.world.score[tpn] == why.get_fact("from_half_points"))
            assert not any(self.world.compatible(why.players[0], other) for other in others), why
        if why.get_fact("because") is DecisionCause.OPPONENT_WANTED:
            _, wanting = why.players
            residents = self.own_members(why.get_fact("to_half_points"))
            assert not any(self.world.compatible(wanting, other) for other in residents - {wanting}), why
        if why.get_fact("because") is DecisionCause.BLOCKED_MEDIAN:
            blocked = {
                tpn for tpn, whys in self.floats.items() if whys[-1].get_fact("because") is DecisionCause.BLOCKED_MEDIAN
            }
            group = self.members(why.get_fact("to_half_points")) - blocked
            assert not self.can_pair(group)
            short, only = why.get_fact("blocked"), why.get_fact("only")
            assert isinstance(short, tuple)
            assert isinstance(only, tuple)
            assert len(short) > len(only), why
            if why.get_fact("more_blocked") is None:
                for tpn in short:
                    partners = {other for other in group - {tpn} if self.world.compatible(tpn, other)}
                    assert partners <= {*short, *only}, why
                    assert why.get_fact("each_other") or not partners & {*short}, why

    def stayed(self, why: PairingReason) -> None:
        kept, floater = why.players
        assert kept != floater
        cause = why.get_fact("because")
        if cause in (DecisionCause.FLOATED_BEFORE, DecisionCause.FLOAT_LIMIT):
            self.too_many_floats(kept, why, "up" if self.world.procedure == "dubov-1997" else "down")
        if self.world.procedure == "fide-1989":
            self.stayed_by_the_rules_of_1989(why)
        if self.world.procedure == "dubov-1997" and cause is DecisionCause.NO_OPPONENT:
            group = next(each for each in self.floats[floater] if each.get_fact("direction") == "up").get_fact(
                "to_half_points"
            )
            assert not any(self.world.compatible(kept, other) for other in self.own_members(group)), why

    def stayed_by_the_rules_of_1989(self, why: PairingReason) -> None:
        kept, floater = why.players
        leaving = self.left_together(kept, floater).get_fact("from_half_points")
        members = self.members(leaving)
        out = self.gone_from(leaving)
        instead = members - (out - {floater}) - {kept}
        if why.get_fact("because") is DecisionCause.BLOCKS_GROUP:
            assert not self.can_pair(instead), why
        else:
            assert self.can_pair(instead), why
        if why.get_fact("because") is DecisionCause.COLOUR_BALANCE and not self.world.is_maxi:
            assert self.imbalance(members - out) < self.imbalance(instead), why
        if why.get_fact("because") is DecisionCause.RATING_GAP:
            rating = self.world.facts.rating
            assert why.get_fact("gap") == abs(rating[kept] - rating[floater]) > 100

    def left_together(self, kept: int, floater: int) -> PairingReason:
        """The float of one player out of a group in which the other stayed."""
        return next(
            each
            for each in self.floats[floater]
            if kept
            in self.members(each.get_fact("from_half_points")) - self.gone_from(each.get_fact("from_half_points"))
        )

    def opponent(self, why: PairingReason) -> None:
        chooser, opponent = why.players
        assert self.world.compatible(chooser, opponent)
        assert why.get_fact("place") == 1 + len(passed_in_turn(self.of_pair(chooser)))
        self.ratings_told(why, chooser, opponent)
        self.candidates_told(why, chooser, opponent)
        records = enumerate(self.world.facts.cards[chooser].records, start=1)
        paired = [number for number, record in records if record.opponent == opponent]
        assert why.get_fact("forfeited") == max(paired, default=None), why
        if why.get_fact("step") == "moved down":
            self.is_formed_first(why)

    def candidates_told(self, why: PairingReason, chooser: int, opponent: int) -> None:
        """The opponent follows the rejected ones; all were unpaired, and the order is that of the group."""
        candidates = why.get_fact("candidates")
        assert isinstance(candidates, tuple)
        assert chooser not in candidates
        assert len(set(candidates)) == len(candidates)
        before = candidates[: candidates.index(opponent)]
        passed = tuple(each.players[1] for each in passed_in_turn(self.of_pair(chooser)))
        assert before == passed[-8:], why
        assert len(candidates) - len(before) - 1 <= 3
        formed = {tpn: game.formation_number for game in self.made.games for tpn in (game.white, game.black)}
        gone = {
            tpn
            for tpn, floats in self.floats.items()
            for each in floats
            if each.get_fact("because") is DecisionCause.BLOCKED_MEDIAN or each.get_fact("direction") == "down"
        } | {self.rests}
        assert all(tpn in gone or formed[tpn] >= formed[chooser] for tpn in candidates), why
        if why.get_fact("candidate_ratings") is not None:
            rating = self.world.facts.rating
            assert why.get_fact("candidate_ratings") == tuple(rating[tpn] for tpn in candidates)
            assert averages_told(why, "candidate_") == [self.world.listed_average(tpn) for tpn in candidates]
        if self.world.procedure in DUTCH and why.get_fact("step") != "exchange":
            places = [(-self.world.score[tpn], self.world.number[tpn]) for tpn in candidates]
            assert places == sorted(places), why

    def is_formed_first(self, why: PairingReason) -> None:
        """The player comes from a higher group, and so do the choosers of all pairs that it formed before."""
        pair = self.of_pair(why.players[0])
        at = next(each.get_fact("half_points") for each in pair if each.kind is ReasonKind.SCORE_GROUP)
        for game in sorted(self.made.games, key=lambda game: game.formation_number):
            if any(each.kind is ReasonKind.SCORE_GROUP and each.get_fact("half_points") == at for each in game.reasons):
                made = _one(game.reasons, ReasonKind.OPPONENT)
                assert made.get_fact("step") == "moved down", why
                assert self.world.score[made.players[0]] > at, why
            if why in game.reasons:
                return

    def passed_over(self, why: PairingReason) -> None:
        chooser, candidate = why.players
        cause = why.get_fact("because")
        if cause in OBSTACLES:
            assert self.world.obstacle(chooser, candidate) == cause, why
        elif cause is not DecisionCause.FLOATED_BEFORE and cause is not DecisionCause.FLOAT_LIMIT:
            assert self.world.compatible(chooser, candidate), why
        if cause is DecisionCause.MET:
            record = self.world.facts.cards[chooser].records[why.get_fact("round") - 1]
            assert record.opponent == candidate
            assert record.is_played
        if cause in (DecisionCause.SAME_ABSOLUTE_COLOUR, DecisionCause.SAME_DUE_COLOUR):
            assert self.world.due(chooser) == self.world.due(candidate) == why.get_fact("colour")
        if cause is DecisionCause.SAME_DUE_COLOUR:
            (made,) = (each for each in self.of_pair(chooser) if each.kind is ReasonKind.OPPONENT)
            assert self.world.due(made.players[1]) != why.get_fact("colour"), "the opponent is due it as well"
        if cause is DecisionCause.RATING_GAP:
            assert self.world.is_maxi
            far, ratings = why.get_fact("far"), self.world.facts.rating
            assert isinstance(far, tuple)
            one, first = far
            assert one in why.players
            assert first not in why.players
            assert why.get_fact("far_ratings") == (ratings[one], ratings[first])
            assert why.get_fact("gap") == abs(ratings[one] - ratings[first]) > 100
        if cause in (DecisionCause.FLOATED_BEFORE, DecisionCause.FLOAT_LIMIT):
            floater = why.get_fact("floater") or candidate
            assert floater in (chooser, candidate)
            assert self.world.score[floater] == min(self.world.score[chooser], self.world.score[candidate])
            self.too_many_floats(floater, why, "up")
        if why.get_fact("left") is not None:
            self.left_apart(why)

    def left_apart(self, why: PairingReason) -> None:
        """The other two of the last four of their group, who may not play each other."""
        assert why.get_fact("because") is DecisionCause.BLOCKS_GROUP
        left = why.get_fact("left")
        assert isinstance(left, tuple)
        made = next(game for game in self.made.games if why in game.reasons)
        (group,) = (each for each in made.reasons if each.kind is ReasonKind.SCORE_GROUP)
        here = (group.get_fact("half_points"), group.get_fact("side"))
        last = {
            tpn
            for game in self.made.games
            for each in game.reasons
            if each.kind is ReasonKind.SCORE_GROUP and (each.get_fact("half_points"), each.get_fact("side")) == here
            if game.formation_number >= made.formation_number
            for tpn in (game.white, game.black)
        }
        # FIDE 1987-89, 9.6: players of pairs formed later, which the median group has dissolved.
        last |= {
            tpn
            for tpn, floats in self.floats.items()
            if floats[-1].get_fact("because") is DecisionCause.BLOCKED_MEDIAN
            and floats[-1].get_fact("from_half_points") == here[0]
        }
        assert last == {*why.players, *left}, why
        assert len(last) == 4, why
        assert self.world.obstacle(*left) == why.get_fact("left_because"), why
        assert (why.get_fact("left_round") is None) is (why.get_fact("left_because") is not DecisionCause.MET)
        if why.get_fact("left_round"):
            record = self.world.facts.cards[left[0]].records[why.get_fact("left_round") - 1]
            assert (record.is_played, record.opponent) == (True, left[1])
        if self.world.procedure in DUTCH:
            moved = [
                each for out in self.floats.values() for each in out if each.get_fact("from_half_points") == here[0]
            ]
            assert all(each.get_fact("because") is DecisionCause.NO_OPPONENT for each in moved), (
                "another could have moved down"
            )

    def bye_passed_over(self, why: PairingReason) -> None:
        (player,) = why.players
        cause = why.get_fact("because")
        if cause in WITHOUT_PLAY:
            record = self.world.facts.cards[player].records[why.get_fact("round") - 1]
            assert record.result.value in WITHOUT_PLAY[cause]
        elif cause is DecisionCause.FLOATED_BEFORE:
            self.too_many_floats(player, why, "down")
        elif cause is DecisionCause.BLOCKS_REST:
            assert not self.can_pair(self.world.facts.to_pair - {player}), why

    def moved_to_half(self, why: PairingReason) -> None:
        assert self.world.procedure in DUTCH
        assert why.get_fact("half") in ("S1", "S2")
        assert len(why.players) > 1, "nobody is exchanged for nobody"
        assert isinstance(why.get_fact("half_points"), int), "the group whose halves they are"

    def exchange_tried(self, why: PairingReason) -> None:
        assert self.world.procedure in DUTCH
        leaving = why.get_fact("leaving")
        assert len(why.players) == 2 * leaving
        places = [(-self.world.score[tpn], self.world.number[tpn]) for tpn in why.players]
        assert all(up < down for up in places[:leaving] for down in places[leaving:]), "S1 is above S2"

    def exchanges_tried(self, why: PairingReason) -> None:
        assert why.get_fact("count") > 0

    def in_want(self, why: PairingReason) -> None:
        group = why.get_fact("half_points")
        below = frozenset(t for t in self.world.facts.to_pair if self.world.score[t] < group)
        # C1's players have moved down before.
        below |= {
            tpn
            for tpn, floats in self.floats.items()
            for each in floats
            if each.get_fact("from_half_points") == group and each.get_fact("because") is DecisionCause.NO_OPPONENT
            if self.world.procedure != "dutch-2026"
        }
        if self.world.procedure == "dubov-1997":
            self.in_want_below(why, below)
            return
        odd = len(self.world.facts.to_pair) % 2 == 1
        people = below | {BYE} if odd else below
        lacking = fewest_left_over(people, self.meets)
        assert lacking == why.get_fact("count") > 0
        short = {tpn for tpn in people if fewest_left_over(people - {tpn}, self.meets) < lacking}
        assert why.get_fact("bye") == (BYE in short)
        assert set(why.players) <= short - {BYE}
        assert why.get_fact("of") == len(short - {BYE}) >= len(why.players)

    def in_want_below(self, why: PairingReason, below: frozenset[int]) -> None:
        """Dubov: some of those below, without those who had moved up before, have too few opponents there."""
        moved_up = {
            tpn
            for tpn, (first, *_) in self.floats.items()
            if first.get_fact("direction") == "up" and first.get_fact("to_half_points") >= why.get_fact("half_points")
        }
        people = below - moved_up - {self.rests}
        lacking = fewest_left_over(people, self.meets)
        assert 0 < why.get_fact("count") == lacking, why
        short = {tpn for tpn in people if fewest_left_over(people - {tpn}, self.meets) < lacking}
        assert set(why.players) <= short, why
        assert why.get_fact("of") == len(short) >= len(why.players), why

    def columns(self, why: PairingReason) -> None:
        assert self.world.procedure == "dubov-1997"

    def meets(self, one: int, other: int) -> bool:
        """Whether they can be paired, or, if one of them is the bye, whether the player may get it."""
        if BYE in (one, other):
            if (
                self.world.procedure == "dutch-2026"
                and self.world.score[one + other - BYE] != self.world.score[self.rests]
            ):
                # C5: the score of the bye is settled beforehand.
                return False
            return not self.world.facts.had(one + other - BYE, "UF+")
        return self.world.compatible(one, other)

    def order(self, why: PairingReason) -> None:
        """Jahr, 7: the group in the order of the twin's values."""
        values = jahr.values(self.world.snapshot)
        group = sorted(
            (t for t in self.world.score if self.world.score[t] == why.get_fact("half_points")),
            key=self.world.number.__getitem__,
        )
        assert why.get_fact("of") == len(group)
        assert [group[place - 1] for place in why.get_fact("places")] == list(why.players)
        assert [Decimal(total).scaleb(-2) for total in why.get_fact("totals")] == [values[t].total for t in why.players]
        exact = [Decimal(one).scaleb(-why.get_fact("decimals")) for one in why.get_fact("exacts")]
        assert exact == [values[t].exact for t in why.players]

    def ranked(self, why: PairingReason) -> None:
        """Jahr, 6: the first value in which the two differ."""
        values = jahr.values(self.world.snapshot)
        higher, lower = (values[tpn] for tpn in why.players)
        scores = [self.world.score[tpn] for tpn in why.players]
        told = (why.get_fact("higher"), why.get_fact("lower"))
        match why.get_fact("by"):
            case "game_points":
                assert list(told) == [2 * higher.game, 2 * lower.game]
            case "pairing_score":
                assert told == tuple(scores)
            case "total":
                assert higher.game == lower.game
                assert [Decimal(one).scaleb(-2) for one in told] == [higher.total, lower.total]
            case "exact":
                assert (higher.game, higher.total) == (lower.game, lower.total)
                units = [Decimal(one).scaleb(-why.get_fact("decimals")) for one in told]
                assert units == [higher.exact, lower.exact]
            case _:
                assert higher == lower
                assert told == why.players
        assert told[0] < told[1] if why.get_fact("by") == "number" else told[0] > told[1]

    def worth(self, why: PairingReason) -> None:
        assert (why.players, why.get_fact("half_points")) == ((self.rests,), jahr.BYE_WORTH)

    def column(self, why: PairingReason) -> None:
        (player,) = why.players
        if why.get_fact("because") is DecisionCause.NO_DUE_COLOUR:
            assert self.world.due(player) is None
        else:
            assert why.get_fact("because") is DecisionCause.COLOUR_BALANCE
            assert self.world.due(player) != why.get_fact("colour")
            assert self.world.must(player) is None
        assert average_told(why) == self.world.average(player)
        compared = why.get_fact("compared")
        assert isinstance(compared, tuple)
        assert player in compared
        rating, average = self.world.facts.rating, self.world.average
        assert why.get_fact("compared_ratings") == tuple(rating[tpn] for tpn in compared)
        assert averages_told(why, "compared_") == [self.world.listed_average(tpn) for tpn in compared]
        if why.get_fact("because") is DecisionCause.NO_DUE_COLOUR:
            order = [(Fraction(-rating[tpn]), 0) for tpn in compared]
        elif why.get_fact("colour") == "b":
            order = [(average(tpn), -rating[tpn]) for tpn in compared]
        else:
            order = [(-average(tpn), rating[tpn]) for tpn in compared]
        assert order == sorted(order), why

    def colour(self, why: PairingReason) -> None:
        white, black = why.players
        claim = why.get_fact("claim")
        for tpn, side in ((white, "white"), (black, "black")):
            assert why.get_fact(f"{side}_colours") == "".join(self.world.facts.colours[tpn]), why
        due = self.world.due(white)
        assert why.get_fact("both_due") == (due if due == self.world.due(black) else None), why
        check_colours(self.world, why, claim, white + black - claim, "w" if claim == white else "b")

    def of_pair(self, tpn: int) -> Sequence[PairingReason]:
        """The reasons of a player's pair."""
        return next(game.reasons for game in self.made.games if tpn in (game.white, game.black))

    def bye(self, why: PairingReason) -> None:
        (player,) = why.players
        assert why.get_fact("half_points") == self.world.score[player], why
        if self.world.procedure != "dubov-1997" or not self.world.snapshot.rounds_paired:
            score, number = self.world.score, self.world.number
            lower = [
                tpn
                for tpn in self.world.facts.to_pair
                if score[tpn] < score[player] or (score[tpn] == score[player] and number[tpn] > number[player])
            ]
            assert why.get_fact("lower") == len(lower), why
        if "fide-1989:8.2" in self.world.facts.read_otherwise:
            assert not self.world.facts.had(player, "U")
            assert not any(each.result.value == "+" for each in self.world.facts.cards[player].records[-1:])
            return
        letters = "U+" if self.world.procedure == "fide-1989" else "UF+"
        assert not self.world.facts.had(player, letters)

    def gone_from(self, half_points: object) -> frozenset[int]:
        """Players who left a group by the choice of floaters, not by the splitting of a pair."""
        return frozenset(
            tpn
            for tpn, whys in self.floats.items()
            for why in whys
            if why.get_fact("from_half_points") == half_points
            and why.get_fact("because") is not DecisionCause.BLOCKED_MEDIAN
        )

    def members(self, half_points: object) -> frozenset[int]:
        """All players of a group: its residents without the bye's, and those who floated to it."""
        residents = {tpn for tpn in self.world.facts.to_pair if self.world.score[tpn] == half_points}
        came = {
            tpn
            for tpn, whys in self.floats.items()
            if any(why.get_fact("to_half_points") == half_points for why in whys)
        }
        left_out = {self.rests} if self.world.procedure not in DUTCH else set()
        gone_up = {
            tpn
            for tpn, whys in self.floats.items()
            if self.world.procedure == "dubov-1997" and whys[0].get_fact("direction") == "up"
        }
        return frozenset((residents - gone_up | came) - left_out)

    def own_members(self, half_points: object) -> frozenset[int]:
        """The same without those who moved up into the group by Dubov's rules."""
        if self.world.procedure != "dubov-1997":
            return self.members(half_points)
        up = {tpn for tpn, whys in self.floats.items() if whys[-1].get_fact("direction") == "up"}
        return self.members(half_points) - up

    def can_pair(self, players: frozenset[int]) -> bool:
        return can_all_be_paired(frozenset(players), self.world.compatible)

    def imbalance(self, players: frozenset[int]) -> int:
        dues = [self.world.due(tpn) for tpn in players]
        return abs(dues.count("w") - dues.count("b"))

    def too_many_floats(self, tpn: int, why: PairingReason, direction: str) -> None:
        facts = self.world.facts
        if "dubov-1997:2.5" in facts.read_otherwise:
            # The replay of the group's moves uses the same interpretation.
            return
        if why.get_fact("because") is DecisionCause.FLOAT_LIMIT:
            ups = sum(facts.float_in(tpn, number) == "up" for number in range(1, facts.round_number))
            rounds = self.world.snapshot.rounds_announced
            assert why.get_fact("floats") == ups >= (4 if rounds is not None and rounds >= 10 else 3)
            return
        directions = ("up", "down") if self.world.procedure == "fide-1989" else (direction,)
        assert self.world.float_in(tpn, why.get_fact("round")) in directions, why
        assert self.world.float_in(tpn, why.get_fact("round")) == why.get_fact("direction"), why
        furthest = 2 if self.world.procedure in DUTCH else 1
        assert 1 <= facts.round_number - why.get_fact("round") <= furthest, why

    def ratings_told(self, why: PairingReason, chooser: int, opponent: int) -> None:
        if why.get_fact("rating") is not None:
            assert why.get_fact("rating") == self.world.facts.rating[opponent]
        if why.get_fact("average_numerator") is not None:
            assert average_told(why) == self.world.average(chooser)


def all_reasons(made: PairedRound) -> list[PairingReason]:
    return [why for game in made.games for why in game.reasons] + list(made.bye.reasons if made.bye else ())


def passed_in_turn(reasons: tuple[PairingReason, ...]) -> list[PairingReason]:
    """The candidates rejected when the pair was formed; earlier ones concern the making of the group."""
    kinds = [why.kind for why in reasons]
    later = reasons[kinds.index(ReasonKind.OPPONENT) :]
    return [why for why in later if why.kind is ReasonKind.PASSED_OVER]


def _one(reasons: tuple[PairingReason, ...], kind: ReasonKind) -> PairingReason:
    (found,) = (why for why in reasons if why.kind is kind)
    return found
