"""The turns of a group in order: whether a rejected candidate would have blocked those still waiting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonKind
from tests.pairing.engine.literal.dubov_readings import places_by_name
from tests.pairing.engine.reason_checks import RoundChecker, passed_in_turn
from tests.pairing.engine.small_matchings import fewest_clashes


class GroupTurns:
    """The pairs of one group in the order in which they were formed, by FIDE 1987-89 or by Dubov's rules."""

    def __init__(
        self, checker: RoundChecker, pairs: Iterable[tuple[PairingReason, ...]], score: object, side: object
    ) -> None:
        self.world = checker.world
        self.floats = checker.floats
        self.pairs = list(pairs)
        self.side = side
        self.score = score
        # FIDE 1987-89, 9.6: players of pairs formed later than the final ones, which the median group has dissolved.
        self.split = {
            tpn
            for tpn, whys in checker.floats.items()
            if whys[-1].get_fact("because") is DecisionCause.BLOCKED_MEDIAN
            and whys[-1].get_fact("from_half_points") == score
        }
        self.columns = self._columns()

    def check(self) -> None:
        """What would have happened to the others for every candidate rejected because of them."""
        turns = sorted(self.pairs, key=lambda reasons: self._turn(_opponent(reasons)))
        for place, reasons in enumerate(turns):
            left = frozenset(tpn for later in turns[place:] for tpn in _opponent(later).players)
            left |= self.split
            self._check_order(_opponent(reasons), left)
            for why in passed_in_turn(reasons):
                self._check(why, left, [_opponent(later).players for later in turns[place:]])

    def _check(self, why: PairingReason, left: frozenset[int], made: list[tuple[int, ...]]) -> None:
        assert left.issuperset(why.players), "he was paired already"
        instead = fewest_clashes(left - set(why.players), self.world.compatible, self._clash)
        if why.get_fact("because") is DecisionCause.BLOCKS_GROUP:
            assert instead is None, why
        if why.get_fact("because") is DecisionCause.MORE_CLASHES:
            clashing = sum(self._clash(*pair) for pair in made)
            if instead is not None and not self.world.is_maxi and not self.split:
                assert instead + self._clash(*why.players) > clashing, why

    def _check_order(self, why: PairingReason, left: frozenset[int]) -> None:
        """FIDE 1987-89, 10.8 and 11: the opponent is where the stated order says."""
        chooser, opponent = why.players
        order = why.get_fact("order")
        if order in ("down", "up"):
            line = sorted(left, key=self.world.number.__getitem__, reverse=order == "up")
            assert line[0] == chooser, why
            offered = [*line[len(line) // 2 :], *reversed(line[1 : len(line) // 2])]
            assert offered[why.get_fact("place") - 1] == opponent, why
            listed = why.get_fact("candidates")
            first = why.get_fact("place") - 1 - listed.index(opponent)
            assert tuple(offered[first : first + len(listed)]) == listed, why
            assert first + len(listed) + (why.get_fact("more") or 0) == len(offered), why
        elif order in ("colour", "colour_up"):
            came_up = self.floats[chooser][0].get_fact("direction") == "up"
            assert came_up is (order == "colour_up"), why
            alternating = [
                tpn for tpn in why.get_fact("candidates") if tpn not in self.floats and not self._clash(chooser, tpn)
            ]
            if self.world.is_maxi:
                rating = self.world.facts.rating
                assert why.get_fact("near_ratings") == tuple(rating[tpn] for tpn in why.get_fact("candidates")), why
                return
            assert alternating == sorted(alternating, key=self.world.number.__getitem__, reverse=came_up), why
            came = any(float_.get_fact("to_half_points") == self.score for float_ in self.floats.get(opponent, ()))
            due = self.world.due(chooser)
            same = due is not None and due == self.world.due(opponent)
            assert why.get_fact("step") == ("list 3" if came else "list 2" if same else "list 1"), why
        else:
            assert self.world.procedure != "fide-1989" or self.world.is_maxi, why

    def _clash(self, one: int, other: int) -> bool:
        if self.world.procedure == "dubov-1997":
            return self.columns[one] == self.columns[other]
        return self.world.due(one) is not None and self.world.due(one) == self.world.due(other)

    def _turn(self, why: PairingReason) -> tuple[object, ...]:
        if self.world.procedure == "dubov-1997":
            return self._dubov_turn(why)
        chooser = why.players[0]
        number, score = self.world.number[chooser], self.world.score[chooser]
        if why.get_fact("step") != "scrutiny":
            came_down = self.floats[chooser][0].get_fact("direction") == "down"
            return (0, 0, -score, number) if came_down else (0, 1, score, -number)
        return (1, 0, 0, -number if self.side == "below" else number)

    def _dubov_turn(self, why: PairingReason) -> tuple[object, ...]:
        chooser = why.players[0]
        if why.get_fact("step") == "halves":
            return (0, chooser)
        if why.get_fact("step") == "floater":
            return (0, self._floater_order().index(chooser))
        return (1, self.columns[chooser] == "b", *self._in_column(chooser, self.columns[chooser]))

    def _floater_order(self) -> list[int]:
        """Article 8: white-due and black-due floaters alternately."""
        everyone = [tpn for reasons in self.pairs for tpn in _opponent(reasons).players]
        floaters = [tpn for tpn in everyone if tpn in self.floats and self._came_down(tpn)]
        due = {tpn: self.world.due(tpn) for tpn in floaters}
        rating = self.world.facts.rating
        for tpn in sorted((tpn for tpn in floaters if due[tpn] is None), key=lambda tpn: (-rating[tpn], tpn)):
            whites, blacks = list(due.values()).count("w"), list(due.values()).count("b")
            due[tpn] = "w" if whites <= blacks else "b"
        rows = {
            colour: sorted(
                (tpn for tpn in floaters if due[tpn] == colour), key=lambda tpn: self._in_column(tpn, due[tpn])
            )
            for colour in "wb"
        }
        return sorted(floaters, key=lambda tpn: (rows[due[tpn]].index(tpn), due[tpn] == "b"))

    def _came_down(self, tpn: int) -> bool:
        return self.floats[tpn][-1].get_fact("direction") == "down"

    def _in_column(self, tpn: int, column: str | None) -> tuple[object, ...]:
        """Article 6.2."""
        rating, average = self.world.facts.rating[tpn], self.world.average(tpn)
        last = places_by_name(self.world.facts)[tpn] if "dubov-1997:6.2" in self.world.facts.read_otherwise else tpn
        return (average, rating, last) if column == "w" else (-rating, -average, last)

    def _columns(self) -> dict[int, str | None]:
        """Each player's column: that of the due colour, unless another is stated."""
        columns = {tpn: self.world.due(tpn) for reasons in self.pairs for tpn in _opponent(reasons).players}
        for reasons in self.pairs:
            columns |= {why.players[0]: str(why.get_fact("colour")) for why in reasons if why.kind is ReasonKind.COLUMN}
        return columns


def turns_of(checker: RoundChecker) -> Iterator[GroupTurns]:
    """Check all groups of a paired round."""
    groups: dict[tuple[object, object], list[tuple[PairingReason, ...]]] = {}
    for game in checker.made.games:
        group = next(why for why in game.reasons if why.kind is ReasonKind.SCORE_GROUP)
        groups.setdefault((group.get_fact("half_points"), group.get_fact("side")), []).append(game.reasons)
    for (score, side), pairs in groups.items():
        yield GroupTurns(checker, pairs, score, side)


def _opponent(reasons: tuple[PairingReason, ...]) -> PairingReason:
    return next(why for why in reasons if why.kind is ReasonKind.OPPONENT)
