"""C12 and C13: whether those who are not paired yet can still be put in a legal round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairing.engine.matching import Complement, Matching, mask_of, members
from pairing.engine.paired_round import Cause, Reason, ReasonKind, reason
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.completion import no_legal_round
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Result
from pairing.engine.systems.dutch_1992.brackets import article

POINT_WITHOUT_PLAY = (Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE, Result.FORFEIT_WIN)


class Unpaired:
    """Everyone not yet paired, kept matched with as few left over as possible.

    With an odd number of players the bye takes part as one more vertex, compatible with those who may have it.
    """

    def __init__(self, players: Sequence[Contender]) -> None:
        """Take all players to be paired, in A2 order. Raise PairingImpossible where they have no legal round."""
        self._company = Company(players)
        self.neighbours = self._company.graph
        self.bye: int | None = None
        if len(players) % 2:
            self.bye = len(players)
            resting = mask_of(place for place, player in enumerate(players) if may_rest(player))
            self.neighbours = self.neighbours.with_one_more(resting)
        self.matching = Matching(self.neighbours, pairs=_within_scores(players, self.neighbours))
        if self.matching.deficiency:
            barred = [note for player in players if (note := bye_refused(player))] if self.bye is not None else []
            raise no_legal_round(self._company, article("B1"), barred)

    @property
    def needs(self) -> int:
        """How many players who have been taken out must at least come back."""
        return self.matching.deficiency

    def take_out(self, players: Iterable[Contender]) -> None:
        """Set the members of a bracket aside while it is paired."""
        places = [self._company.places[player.tpn] for player in players]
        self.matching.set_pairs_aside(places)
        for place in members(mask_of(places) & self.matching.alive):
            self.matching.set_aside(place)

    def bring_back(self, players: Iterable[Contender]) -> int:
        """Those who move down; return how many of all are then without partner."""
        for player in players:
            self.matching.bring_in(self._company.places[player.tpn])
        return self.matching.deficiency

    def accepts(self, players: Iterable[Contender]) -> bool:
        """Whether there is a legal round if these, of those taken out, come back."""
        with self.matching.trial():
            return self.bring_back(players) == 0

    def most_held(self, players: Sequence[Contender], moved: int) -> int:
        """C14: the most of those moved down, the first of a bracket, whom S1 can hold if there is to be a legal round.

        `players` are its members. All of S1 must have members outside it as opponents. A smaller S1 can do with
        the same, so the number is found by halving.
        """
        with self.matching.trial():
            self.bring_back(players)
            places = [self._company.places[player.tpn] for player in players]
            enough, too_many = 0, moved + 1
            while too_many - enough > 1:
                middle = (enough + too_many) // 2
                enough, too_many = (middle, too_many) if self._can_hold(places, middle) else (enough, middle)
        return enough

    def _can_hold(self, places: Sequence[int], moved: int) -> bool:
        others = ((1 << len(self.neighbours)) - 1) & ~mask_of(places[moved:])
        with self.matching.trial():
            for place in places[:moved]:
                self.matching.forbid(place, others)
            return self.matching.deficiency == 0

    def takers_of_one(self, bracket: Company) -> int:
        """Bitmask of those of a bracket any one of whom could come back alone."""
        if self.needs != 1:
            return 0
        missable = self.matching.decompose().missable
        return mask_of(vertex for vertex, one in enumerate(bracket.players) if self.reach(one) & missable)

    def in_want(self) -> tuple[list[Contender], bool]:
        """Those one or more of whom would be left over among those not taken out; whether the bye is with them."""
        missable = self.matching.decompose().missable
        players = [player for place, player in enumerate(self._company.players) if missable >> place & 1]
        return players, self.bye is not None and bool(missable >> self.bye & 1)

    def in_need(self) -> tuple[list[int], list[int]]:
        """What the deficiency lies in: parts that each lack one partner, and the neighbours of all who can serve them.

        Both as bitmasks for `reach`. The parts are more than the servers by just the deficiency.
        """
        found = self.matching.decompose()
        parts: list[int] = []
        left = found.missable
        while left:
            part = fresh = left & -left
            while fresh:
                fresh = _union(self.neighbours[vertex] for vertex in members(fresh)) & left & ~part
                part |= fresh
            parts.append(part)
            left &= ~part
        return parts, [self.neighbours[vertex] for vertex in members(found.blocking)]

    def reach(self, player: Contender) -> int:
        """Bitmask of those he is compatible with."""
        return self.neighbours[self._company.places[player.tpn]]

    def players(self) -> list[Contender]:
        """Those not taken out, in A2 order."""
        alive = self.matching.alive
        return [player for place, player in enumerate(self._company.players) if alive >> place & 1]


def may_rest(player: Contender) -> bool:
    """B1 b: the bye is not for one who already had a point without playing."""
    return not player.had(*POINT_WITHOUT_PLAY)


def bye_refused(player: Contender) -> Reason | None:
    """B1 b, as a reason."""
    for number, result in enumerate(player.results, start=1):
        if result in POINT_WITHOUT_PLAY:
            because = Cause.HAD_POINT_WITHOUT_PLAY
            return reason(article("B1"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=because, round=number)
    return None


def _union(masks: Iterable[int]) -> int:
    united = 0
    for mask in masks:
        united |= mask
    return united


def _within_scores(players: Sequence[Contender], neighbours: Complement) -> list[tuple[int, int]]:
    """Pairs of equal scores to start from: then a bracket can be set aside without disturbing the others."""
    pairs: list[tuple[int, int]] = []
    waiting: list[int] = []
    for place, player in enumerate(players):
        if waiting and players[waiting[0]].pairing_score != player.pairing_score:
            waiting.clear()
        partner = next((other for other in waiting if neighbours.joins(place, other)), None)
        if partner is None:
            waiting.append(place)
        else:
            waiting.remove(partner)
            pairs.append((partner, place))
    return pairs
