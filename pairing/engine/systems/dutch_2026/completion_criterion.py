"""C4 and C5: check, score group by score group, that the unpaired players have a legal round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress, count
from typing import NamedTuple

from pairing.engine.matching import (
    GallaiEdmondsDecomposition,
    MatchingSavepoint,
    MaximumMatching,
    bitmask_members,
    bitmask_of,
)
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonKind, make_reason
from pairing.engine.rules.compatibility import CompatibilityGraph, no_legal_round_error
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import HalfPoints, PairingNumber
from pairing.engine.systems.dutch_2026.players import (
    RESULTS_BARRING_BYE,
    article_reference,
    can_have_bye,
    without_absolute_preference,
)

EMPTY_DECOMPOSITION = GallaiEdmondsDecomposition(0, 0, 0)


class ScoreGroupSpan(NamedTuple):
    """The places of a score group: from `start` up to, but not including, `end`."""

    start: int
    end: int

    @property
    def vertex_mask(self) -> int:
        return (1 << self.end) - (1 << self.start)


class CompletionLevel(NamedTuple):
    """How many players below a score group are left without a partner, and which players could be left over."""

    mark: MatchingSavepoint
    lacking: int
    parts: GallaiEdmondsDecomposition


class CompletionMatching:
    """All players in the order of 1.2, then the bye, matched from the lowest score group upwards.

    A savepoint is kept for every level. Going down the score groups then only undoes the work for the upper ones.
    """

    def __init__(
        self, players: Sequence[PairingPlayer], topscorers: frozenset[PairingNumber], *, any_bye: bool = False
    ) -> None:
        """Take all players to be paired, in the order of 1.2. Raises PairingImpossible if there is no legal round.

        `any_bye` ignores C5: everyone who may have the bye can get it.
        """
        self.players = tuple(players)
        self._topscorers = topscorers
        self.company = CompatibilityGraph(
            [without_absolute_preference(one) if one.tpn in topscorers else one for one in players]
        )
        self.bye = len(players)
        self.spans = _spans(players)
        self.bye_score: HalfPoints | None = None
        self.neighbours = self.company.complement_graph
        if len(players) % 2 and not any_bye:
            self._offer_the_bye()
        elif len(players) % 2:
            self._give_bye_to(*{player.pairing_score for player in players})
        self._build()
        if self._matching.deficiency:
            self._lowest_possible_bye()
            self._build()

    def _offer_the_bye(self) -> None:
        """Try the lowest score of any player who may have the bye (C5)."""
        scores = [player.pairing_score for player in self.players if can_have_bye(player)]
        if not scores:
            raise self._impossible()
        self._give_bye_to(min(scores))

    def _lowest_possible_bye(self) -> None:
        """Find the lowest score with a player who may have the bye and without whom the others can be paired (C5)."""
        matching = MaximumMatching(self.company.complement_graph)
        if matching.deficiency != len(self.players) % 2:
            raise self._impossible()
        missable = matching.decompose_gallai_edmonds().missable
        scores = [
            self.players[place].pairing_score
            for place in bitmask_members(missable)
            if can_have_bye(self.players[place])
        ]
        if not scores:
            raise self._impossible()
        self._give_bye_to(min(scores))

    def _give_bye_to(self, *scores: HalfPoints) -> None:
        self.bye_score = min(scores)
        resting = (player.pairing_score in scores and can_have_bye(player) for player in self.players)
        self.neighbours = self.company.complement_graph.with_added_vertex(bitmask_of(compress(count(), resting)))

    def _build(self) -> None:
        start = 1 << self.bye if self.bye_score is not None else 0
        self._matching = MaximumMatching(self.neighbours, start)
        self.levels: list[CompletionLevel] = []
        for span in reversed(self.spans):
            lacking = self._matching.deficiency
            parts = self._matching.decompose_gallai_edmonds() if lacking else EMPTY_DECOMPOSITION
            self.levels.append(CompletionLevel(self._matching.create_savepoint(), lacking, parts))
            for place in range(span.end - 1, span.start - 1, -1):
                self._matching.add_vertex(place)
        self.levels.reverse()

    def _impossible(self) -> Exception:
        refused = (
            [note for player in self.players if (note := explain_bye_refusal(player))] if len(self.players) % 2 else []
        )
        return no_legal_round_error(self.company, article_reference("1.9"), refused)

    @property
    def has_open_bye(self) -> bool:
        """True if C5 decides nothing: there is no bye, or all who may have it have the same score."""
        return all(
            player.pairing_score == self.bye_score
            for player in self.players
            if self.bye_score is not None and can_have_bye(player)
        )

    @cached_property
    def with_any_bye(self) -> CompletionMatching:
        """The same players without C5. Only explanations need it, and few of them."""
        return self if self.has_open_bye else CompletionMatching(self.players, self._topscorers, any_bye=True)

    def compatibility_graph_of(self, places: Sequence[int]) -> list[int]:
        """Return the compatibility graph of some players, numbered 0, 1, ... in the order given."""
        if self.neighbours.can_cache_all:
            return LocalNumbering(places).to_local_graph(self.neighbours)
        # Rebuilt, because bitmasks of a few players are shorter than those of all.
        return CompatibilityGraph([self.company.players[place] for place in places]).neighbour_masks

    def rollback_to_group(self, group: int) -> CompletionLevel:
        """Undo everything down to this score group, and return the level of the players below it."""
        self._matching.rollback(self.levels[group].mark)
        return self.levels[group]

    def has_legal_round_with(self, places: Iterable[int]) -> bool:
        """Return True if these players and everyone below the current score group have a legal round."""
        with self._matching.rollback_on_exit():
            for place in places:
                self._matching.add_vertex(place)
            return self._matching.deficiency == 0

    def partners_of_unmatched(self, level: CompletionLevel) -> int:
        """Bitmask of all possible partners of the players who could be left without a partner at this level."""
        could, anybody = 0, (1 << len(self.neighbours)) - 1
        for place in bitmask_members(level.parts.missable):
            could |= self.neighbours[place]
            if could == anybody:
                break
        return could

    def mask_below_group(self, group: int) -> int:
        """Bitmask of all players below a score group, and the bye."""
        bye = 1 << self.bye if self.bye_score is not None else 0
        return (1 << len(self.players)) - (1 << self.spans[group].end) | bye


def explain_bye_refusal(player: PairingPlayer) -> PairingReason | None:
    """Return the reason why a player cannot have the bye (C2), or None."""
    for number, result in enumerate(player.results, start=1):
        if result in RESULTS_BARRING_BYE:
            because = DecisionCause.HAD_POINT_WITHOUT_PLAY
            return make_reason(
                article_reference("C2"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=because, round=number
            )
    return None


class LocalNumbering:
    """Some places numbered 0, 1, ... in the order given."""

    def __init__(self, places: Sequence[int]) -> None:
        """Take distinct places in any order. Runs of consecutive places are converted together."""
        self.places = tuple(places)
        self._runs: list[tuple[int, int, int]] = []
        for number, place in enumerate(places):
            if self._runs and self._runs[-1][0] + self._runs[-1][2] == place:
                first, at, length = self._runs[-1]
                self._runs[-1] = (first, at, length + 1)
            else:
                self._runs.append((place, number, 1))

    def renumber_mask(self, mask: int) -> int:
        """Convert a bitmask of places to a bitmask of their local numbers, dropping other places."""
        found = 0
        for first, at, length in self._runs:
            found |= (mask >> first & ((1 << length) - 1)) << at
        return found

    def to_local_graph(self, neighbours: Sequence[int]) -> list[int]:
        """Return the part of a graph within these places, with each place replaced by its local number."""
        return [self.renumber_mask(neighbours[place]) for place in self.places]


def _spans(players: Sequence[PairingPlayer]) -> tuple[ScoreGroupSpan, ...]:
    spans: list[ScoreGroupSpan] = []
    for place, player in enumerate(players):
        if spans and players[spans[-1].start].pairing_score == player.pairing_score:
            spans[-1] = ScoreGroupSpan(spans[-1].start, place + 1)
        else:
            spans.append(ScoreGroupSpan(place, place + 1))
    return tuple(spans)
