"""C4 and C5: whether those who are not paired yet can be put in a legal round, score group by score group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count
from typing import NamedTuple

from pairing.engine.matching import Decomposition, Mark, Matching, mask_of, members
from pairing.engine.paired_round import Cause, Reason, ReasonKind, reason
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.completion import no_legal_round
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import HalfPoints, PairingNumber
from pairing.engine.systems.dutch_2026.players import WIN_WITHOUT_PLAY, article, excused, may_rest

NOTHING_LACKS = Decomposition(0, 0, 0)


class Span(NamedTuple):
    """The places of a score group: from `start` up to, but without, `end`."""

    start: int
    end: int

    @property
    def mask(self) -> int:
        return (1 << self.end) - (1 << self.start)


class Level(NamedTuple):
    """Everyone below a score group: how many of them lack a partner, and who could be the ones."""

    mark: Mark
    lacking: int
    parts: Decomposition


class Below:
    """All players in the order of 1.2 with the bye behind them, matched from the lowest score group upwards.

    The state of every level is kept as a mark, so that going down the score groups undoes what was done for the
    upper ones and tests nothing anew.
    """

    def __init__(self, players: Sequence[Contender], topscorers: frozenset[PairingNumber]) -> None:
        """Take all players to be paired, in the order of 1.2. Raise PairingImpossible without a legal round."""
        self.players = tuple(players)
        self.company = Company([excused(one) if one.tpn in topscorers else one for one in players])
        self.bye = len(players)
        self.spans = _spans(players)
        self.bye_score: HalfPoints | None = None
        self.neighbours = self.company.graph
        if len(players) % 2:
            self._offer_the_bye()
        self._build()
        if self._matching.deficiency:
            self._lowest_possible_bye()
            self._build()

    def _offer_the_bye(self) -> None:
        """C5, first try: to the lowest score of anyone who may have it."""
        scores = [player.pairing_score for player in self.players if may_rest(player)]
        if not scores:
            raise self._impossible()
        self._give_bye_to(min(scores))

    def _lowest_possible_bye(self) -> None:
        """C5: to the lowest score of anyone who may have it and without whom the others can be paired."""
        matching = Matching(self.company.graph)
        if matching.deficiency != len(self.players) % 2:
            raise self._impossible()
        missable = matching.decompose().missable
        scores = [self.players[place].pairing_score for place in members(missable) if may_rest(self.players[place])]
        if not scores:
            raise self._impossible()
        self._give_bye_to(min(scores))

    def _give_bye_to(self, score: HalfPoints) -> None:
        self.bye_score = score
        resting = (player.pairing_score == score and may_rest(player) for player in self.players)
        self.neighbours = self.company.graph.with_one_more(mask_of(compress(count(), resting)))

    def _build(self) -> None:
        start = 1 << self.bye if self.bye_score is not None else 0
        self._matching = Matching(self.neighbours, start)
        self.levels: list[Level] = []
        for span in reversed(self.spans):
            lacking = self._matching.deficiency
            parts = self._matching.decompose() if lacking else NOTHING_LACKS
            self.levels.append(Level(self._matching.mark(), lacking, parts))
            for place in range(span.end - 1, span.start - 1, -1):
                self._matching.bring_in(place)
        self.levels.reverse()

    def _impossible(self) -> Exception:
        refused = [note for player in self.players if (note := bye_refused(player))] if len(self.players) % 2 else []
        return no_legal_round(self.company, article("1.9"), refused)

    def graph_of(self, places: Sequence[int]) -> list[int]:
        """Who of some players may meet whom, by their numbers: 0, 1, ... as they stand here."""
        if self.neighbours.keeps_all:
            return Numbering(places).graph(self.neighbours)
        # Made anew, as bitmasks of some are shorter than those of all.
        return Company([self.company.players[place] for place in places]).neighbours

    def go_down_to(self, group: int) -> Level:
        """Forget about all down to this score group; the level of those below it."""
        self._matching.rollback(self.levels[group].mark)
        return self.levels[group]

    def accepts(self, places: Iterable[int]) -> bool:
        """Whether those below the present score group have a legal round together with these."""
        with self._matching.trial():
            for place in places:
                self._matching.bring_in(place)
            return self._matching.deficiency == 0

    def could_join(self, level: Level) -> int:
        """Bitmask of all whom some of those could meet who may lack a partner on that level."""
        could, anybody = 0, (1 << len(self.neighbours)) - 1
        for place in members(level.parts.missable):
            could |= self.neighbours[place]
            if could == anybody:
                break
        return could

    def under(self, group: int) -> int:
        """Bitmask of all below a score group, the bye with them."""
        bye = 1 << self.bye if self.bye_score is not None else 0
        return (1 << len(self.players)) - (1 << self.spans[group].end) | bye


def bye_refused(player: Contender) -> Reason | None:
    """C2, as a reason."""
    for number, result in enumerate(player.results, start=1):
        if result in WIN_WITHOUT_PLAY:
            because = Cause.HAD_POINT_WITHOUT_PLAY
            return reason(article("C2"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=because, round=number)
    return None


class Numbering:
    """Some places under numbers of their own: 0, 1, ... as they stand here."""

    def __init__(self, places: Sequence[int]) -> None:
        """Take places in any order, none twice; those that follow one another are moved as one."""
        self.places = tuple(places)
        self._runs: list[tuple[int, int, int]] = []
        for number, place in enumerate(places):
            if self._runs and self._runs[-1][0] + self._runs[-1][2] == place:
                first, at, length = self._runs[-1]
                self._runs[-1] = (first, at, length + 1)
            else:
                self._runs.append((place, number, 1))

    def local(self, mask: int) -> int:
        """The bitmask of their numbers of those of some places who are among these."""
        found = 0
        for first, at, length in self._runs:
            found |= (mask >> first & ((1 << length) - 1)) << at
        return found

    def graph(self, neighbours: Sequence[int]) -> list[int]:
        """The part of a graph that lies within these places, by their numbers."""
        return [self.local(neighbours[place]) for place in self.places]


def _spans(players: Sequence[Contender]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for place, player in enumerate(players):
        if spans and players[spans[-1].start].pairing_score == player.pairing_score:
            spans[-1] = Span(spans[-1].start, place + 1)
        else:
            spans.append(Span(place, place + 1))
    return tuple(spans)
