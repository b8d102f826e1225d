"""C12 and C13: check that the unpaired players still have a legal round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairing.engine.matching import ComplementGraph, MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonKind, make_reason
from pairing.engine.rules.compatibility import CompatibilityGraph, no_legal_round_error
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Result
from pairing.engine.systems.dutch_1992.brackets import article_reference

RESULTS_BARRING_BYE = (Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE, Result.FORFEIT_WIN)


class UnpairedPlayers:
    """All unpaired players, matched with as few left over as possible.

    With an odd number of players the bye is an extra vertex, compatible with the players who may have it.
    """

    def __init__(self, players: Sequence[PairingPlayer]) -> None:
        """Take all players to be paired, in A2 order. Raises PairingImpossible if there is no legal round."""
        self._company = CompatibilityGraph(players)
        self.neighbours = self._company.complement_graph
        self.bye: int | None = None
        if len(players) % 2:
            self.bye = len(players)
            resting = bitmask_of(place for place, player in enumerate(players) if can_have_bye(player))
            self.neighbours = self.neighbours.with_added_vertex(resting)
        self.matching = MaximumMatching(self.neighbours, pairs=_within_scores(players, self.neighbours))
        if self.matching.deficiency:
            barred = (
                [note for player in players if (note := explain_bye_refusal(player))] if self.bye is not None else []
            )
            raise no_legal_round_error(self._company, article_reference("B1"), barred)

    @property
    def min_returning_players(self) -> int:
        """The minimum number of removed players who must come back."""
        return self.matching.deficiency

    def remove_players(self, players: Iterable[PairingPlayer]) -> None:
        """Remove the members of a bracket while it is paired."""
        places = [self._company.places[player.tpn] for player in players]
        self.matching.remove_matched_pairs(places)
        for place in bitmask_members(bitmask_of(places) & self.matching.alive):
            self.matching.remove_vertices(place)

    def return_downfloaters(self, players: Iterable[PairingPlayer]) -> int:
        """Add players who move down, and return how many players then lack a partner."""
        for player in players:
            self.matching.add_vertex(self._company.places[player.tpn])
        return self.matching.deficiency

    def has_legal_round_with(self, players: Iterable[PairingPlayer]) -> bool:
        """Return True if there is a legal round once these removed players come back."""
        with self.matching.rollback_on_exit():
            return self.return_downfloaters(players) == 0

    def max_floaters_in_s1(self, players: Sequence[PairingPlayer], moved: int) -> int:
        """Return the largest number of moved-down players in S1 that leaves a legal round (C14).

        `players` are the bracket's members, moved-down ones first. All of S1 need opponents outside it. A smaller S1
        always works too, so the number is found by halving.
        """
        with self.matching.rollback_on_exit():
            self.return_downfloaters(players)
            places = [self._company.places[player.tpn] for player in players]
            enough, too_many = 0, moved + 1
            while too_many - enough > 1:
                middle = (enough + too_many) // 2
                enough, too_many = (middle, too_many) if self._can_hold(places, middle) else (enough, middle)
        return enough

    def _can_hold(self, places: Sequence[int], moved: int) -> bool:
        others = ((1 << len(self.neighbours)) - 1) & ~bitmask_of(places[moved:])
        with self.matching.rollback_on_exit():
            for place in places[:moved]:
                self.matching.forbid_edges(place, others)
            return self.matching.deficiency == 0

    def members_completing_round_alone(self, bracket: CompatibilityGraph) -> int:
        """Bitmask of the bracket's members who could each return alone and leave a legal round."""
        if self.min_returning_players != 1:
            return 0
        missable = self.matching.decompose_gallai_edmonds().missable
        return bitmask_of(
            vertex for vertex, one in enumerate(bracket.players) if self.compatible_vertices(one) & missable
        )

    def players_lacking_opponents(self) -> tuple[list[PairingPlayer], bool]:
        """Return a group in which at least one player would be left over, and True if the bye is in it."""
        missable = self.matching.decompose_gallai_edmonds().missable
        players = [player for place, player in enumerate(self._company.players) if missable >> place & 1]
        return players, self.bye is not None and bool(missable >> self.bye & 1)

    def opponents_of_players_lacking(self) -> tuple[list[PairingPlayer], bool]:
        """Return the only opponents of `players_lacking_opponents`, and True if any of the latter can be paired."""
        parts = self.matching.decompose_gallai_edmonds()
        only = [player for place, player in enumerate(self._company.players) if parts.blocking >> place & 1]
        bye = 0 if self.bye is None else 1 << self.bye
        lacking = parts.missable & ~bye
        return only, any(self.matching.neighbours(place) & lacking for place in bitmask_members(lacking))

    def components_lacking_partners(self) -> tuple[list[int], list[int]]:
        """Return the components that each lack a partner, and the neighbours who can be that partner.

        Both are bitmasks for `compatible_vertices`. There are more components than servers by exactly the deficiency.
        """
        found = self.matching.decompose_gallai_edmonds()
        parts: list[int] = []
        left = found.missable
        while left:
            part = fresh = left & -left
            while fresh:
                fresh = _union(self.neighbours[vertex] for vertex in bitmask_members(fresh)) & left & ~part
                part |= fresh
            parts.append(part)
            left &= ~part
        return parts, [self.neighbours[vertex] for vertex in bitmask_members(found.blocking)]

    def compatible_vertices(self, player: PairingPlayer) -> int:
        """Bitmask of the vertices compatible with a player."""
        return self.neighbours[self._company.places[player.tpn]]

    def remaining_players(self) -> list[PairingPlayer]:
        """The players not removed, in A2 order."""
        alive = self.matching.alive
        return [player for place, player in enumerate(self._company.players) if alive >> place & 1]


def can_have_bye(player: PairingPlayer) -> bool:
    """Return True unless the player already had a point without playing (B1 b)."""
    return not player.has_any_result(*RESULTS_BARRING_BYE)


def explain_bye_refusal(player: PairingPlayer) -> PairingReason | None:
    """Return the reason why a player cannot have the bye (B1 b), or None."""
    for number, result in enumerate(player.results, start=1):
        if result in RESULTS_BARRING_BYE:
            because = DecisionCause.HAD_POINT_WITHOUT_PLAY
            return make_reason(
                article_reference("B1"), ReasonKind.BYE_PASSED_OVER, player.tpn, because=because, round=number
            )
    return None


def _union(masks: Iterable[int]) -> int:
    united = 0
    for mask in masks:
        united |= mask
    return united


def _within_scores(players: Sequence[PairingPlayer], neighbours: ComplementGraph) -> list[tuple[int, int]]:
    """Yield starting pairs of equal scores, so that removing a bracket does not disturb the others."""
    pairs: list[tuple[int, int]] = []
    waiting: list[int] = []
    for place, player in enumerate(players):
        if waiting and players[waiting[0]].pairing_score != player.pairing_score:
            waiting.clear()
        partner = next((other for other in waiting if neighbours.has_edge(place, other)), None)
        if partner is None:
            waiting.append(place)
        else:
            waiting.remove(partner)
            pairs.append((partner, place))
    return pairs
