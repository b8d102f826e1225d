"""Moving up and floating down by Dubov's rules: every group replayed with the literal twin, and its reasons."""

from __future__ import annotations

from collections.abc import Iterable

from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonKind
from tests.pairing.engine.literal.dubov_1997 import Group, procedure_of
from tests.pairing.engine.literal.dubov_facts import minority
from tests.pairing.engine.reason_checks import RoundChecker, all_reasons
from tests.pairing.engine.reason_world import average_told

Key = tuple[object, ...]

BEHIND = {
    0: DecisionCause.FARTHER_GROUP,
    1: DecisionCause.OTHER_COLOUR,
    2: DecisionCause.LOWER_RATING,
    3: DecisionCause.HIGHER_AVERAGE,
    4: DecisionCause.LOWER_NUMBER,
}
"""What decides between two, by the first place in which the orders of 7.1 and 7.2 tell them apart."""


class Moves:
    """All groups of a paired round, from the top."""

    def __init__(self, checker: RoundChecker) -> None:
        self.checker = checker
        self.rules = procedure_of(checker.world.snapshot)
        self.told = [
            why
            for why in all_reasons(checker.made)
            if why.kind in (ReasonKind.FLOATED, ReasonKind.STAYED, ReasonKind.PASSED_OVER)
        ]
        self.seen: set[object] = set()

    def check(self) -> set[object]:
        left = self.checker.world.facts.to_pair - {self.checker.rests}
        came: frozenset[int] = frozenset()
        while left:
            score = max((self.rules.score[tpn] for tpn in left - came), default=None)
            residents = frozenset(tpn for tpn in left - came if self.rules.score[tpn] == score)
            group = Group(self.rules, residents, came, left - residents - came)
            self._step_1(group)
            self._step_2(group)
            out = group.step_3_who_floats()
            self._step_3(group, out)
            group.floating_down |= out
            left -= group.members
            came = group.floating_down
        return self.seen

    def _step_1(self, group: Group) -> None:
        """7.1: one player after another gets an opponent, as the twin finds them."""
        lower, promised = group.may_come("dubov-1997:7.1"), len(group.promised)
        group.step_1_players_without_opponent()
        for wanting, chosen in group.promised[promised:]:
            keys = {q: self._key_7_1(wanting, q) for q in lower}
            self._moved_up(group, chosen, keys, lower, wanting)
            lower -= {chosen}

    def _step_2(self, group: Group) -> None:
        """7.2."""
        wanted = minority([self.rules.due[tpn] for tpn in group.members])
        before, lower, members = group.lower, group.may_come("dubov-1997:7.2"), group.members
        group.step_2_odd_number()
        for chosen in before - group.lower:
            keys = {q: self._key_7_2(wanted, q) for q in lower}
            self._moved_up(group, chosen, keys, lower, None, members)

    def _moved_up(
        self,
        group: Group,
        chosen: int,
        keys: dict[int, Key],
        lower: frozenset[int],
        wanting: int | None,
        members: frozenset[int] = frozenset(),
    ) -> None:
        """Everybody ahead of the player is reported as excluded, and the next one behind with the reason."""
        (moved,) = (
            why
            for why in self.told
            if why.kind is ReasonKind.FLOATED and why.players[0] == chosen and why.get_fact("direction") == "up"
        )
        assert moved.players[1:] == ((wanting,) if wanting is not None else ())
        assert (moved.get_fact("rating"), average_told(moved)) == (self.rules.rating[chosen], self.rules.aro[chosen])
        order = sorted(lower, key=keys.__getitem__)
        place = order.index(chosen)
        for q in order[:place]:
            self._barred(q, chosen, wanting, group, members)
        wants = {wanting} if wanting is not None else members - {chosen}
        if behind := [q for q in order[place + 1 :] if self._could_come(q, wants)][:1]:
            (why,) = self._said(behind[0], chosen, BEHIND.values())
            at = next(
                i for i, (one, other) in enumerate(zip(keys[chosen], keys[behind[0]], strict=True)) if one != other
            )
            assert why.get_fact("because") is BEHIND[at], why
            self._values(why, behind[0], chosen)
            self.seen.add(BEHIND[at])

    def _could_come(self, q: int, wants: Iterable[int]) -> bool:
        return self.rules.may_move_up(q) and any(self.rules.compatible(q, each) for each in wants)

    def _barred(self, q: int, chosen: int, wanting: int | None, group: Group, members: frozenset[int]) -> None:
        stated = [
            why.get_fact("because")
            for why in self.told
            if (wanting is not None and why.kind is ReasonKind.PASSED_OVER and why.players == (wanting, q))
            or (wanting is None and why.kind is ReasonKind.STAYED and why.players == (q, chosen))
        ]
        if not self.rules.may_move_up(q):
            assert set(stated) & {DecisionCause.FLOATED_BEFORE, DecisionCause.FLOAT_LIMIT}, (q, stated)
        elif wanting is not None and not self.rules.compatible(wanting, q):
            assert self.checker.world.obstacle(wanting, q) in stated
        elif wanting is None and not any(self.rules.compatible(q, each) for each in members):
            assert DecisionCause.NO_OPPONENT in stated
        else:
            assert DecisionCause.BLOCKS_REST in stated, (q, stated)
        self.seen |= set(stated)

    def _values(self, why: PairingReason, kept: int, chosen: int) -> None:
        rating, aro = self.rules.rating, self.rules.aro
        if why.get_fact("because") is DecisionCause.LOWER_RATING:
            assert (why.get_fact("rating"), why.get_fact("chosen_rating")) == (rating[kept], rating[chosen])
        if why.get_fact("because") is DecisionCause.HIGHER_AVERAGE:
            assert average_told(why) == aro[kept] > aro[chosen] == average_told(why, "chosen_average")
        if why.get_fact("because") is DecisionCause.FARTHER_GROUP:
            assert why.get_fact("half_points") == self.rules.score[kept] < self.rules.score[chosen]

    def _step_3(self, group: Group, out: frozenset[int]) -> None:
        """6.4: a player who stays although ahead in the order could not have floated, or not so well."""
        if not out:
            return
        below = group.floating_down | group.lower
        for why in self.told:
            if why.kind is not ReasonKind.STAYED or why.players[1] not in out or why.players[0] not in group.members:
                continue
            if not why.article.endswith("6.4"):
                continue
            kept, floater = why.players
            instead = out - {floater} | {kept}
            possible = self.rules.can_be_paired(group.members - instead) and self.rules.can_be_paired(instead | below)
            may = kept not in group.moved_up and kept not in {tpn for tpn, _ in group.promised}
            assert may, why
            if why.get_fact("because") is DecisionCause.BLOCKS_REST:
                assert not possible, why
            else:
                assert why.get_fact("because") is DecisionCause.DISADVANTAGE
                assert not possible or group.kind(kept) > group.kind(floater), why
            self.seen.add(("6.4", why.get_fact("because")))

    def _said(self, kept: int, chosen: int, causes: Iterable[DecisionCause]) -> list[PairingReason]:
        causes = set(causes)
        return [
            why
            for why in self.told
            if why.kind is ReasonKind.STAYED and why.players == (kept, chosen) and why.get_fact("because") in causes
        ]

    def _key_7_1(self, wanting: int, q: int) -> Key:
        rules = self.rules
        return -rules.score[q], not rules.suits(wanting, q), -rules.rating[q], rules.aro[q], q

    def _key_7_2(self, wanted: str | None, q: int) -> Key:
        rules = self.rules
        other = wanted is not None and rules.due[q] != wanted
        return -rules.score[q], other, -rules.rating[q], rules.aro[q], q


def check_moves(checker: RoundChecker) -> set[object]:
    """Check all moves of a round by Dubov's rules. Returns the causes."""
    return Moves(checker).check()
