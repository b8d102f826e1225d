"""Proof that no legal round exists, which anybody can check by counting.

In some groups, each odd in number, players can only meet each other or a few scarce opponents from outside. Every group
needs one of these opponents, and there are fewer of them than groups. So somebody is always left over (Tutte's theorem,
with the decomposition of Gallai and Edmonds). With an odd number of players the bye is one more place to fill, which
takes part like a player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pairing.engine.legality import AbsoluteCriteria
from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.rules.players import PairingPlayer, players_from_snapshot
from pairing.engine.snapshot import Colour, PairingNumber, TournamentSnapshot

BYE_NUMBER: PairingNumber = 0
"""The number used for the bye among the players of a proof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InfeasibilityProof:
    """More `groups` than `scarce_opponents`, although each group needs one of these.

    `possible_opponents` lists every opponent that a member of a group can still have. BYE_NUMBER is the bye: among a
    player's opponents it means that they can have the bye; its own entry lists who can.
    """

    groups: tuple[tuple[PairingNumber, ...], ...]
    scarce_opponents: tuple[PairingNumber, ...]
    possible_opponents: Mapping[PairingNumber, tuple[PairingNumber, ...]]


def find_infeasibility_proof(snapshot: TournamentSnapshot) -> InfeasibilityProof | None:
    """Return the proof that the next round cannot be paired; None if it can."""
    places = LegalPairingGraph(snapshot)
    matching = MaximumMatching(places.legal)
    if not matching.deficiency:
        return None
    parts = matching.decompose_gallai_edmonds()
    return InfeasibilityProof(
        groups=tuple(sorted(places.pairing_numbers_of(group) for group in _connected(places.legal, parts.missable))),
        scarce_opponents=places.pairing_numbers_of(parts.blocking),
        possible_opponents={
            places.numbers[v]: places.pairing_numbers_of(places.legal[v]) for v in bitmask_members(parts.missable)
        },
    )


class LegalPairingGraph:
    """The players to be paired as vertices of a graph, and the bye if their number is odd.

    `numbers` are their pairing numbers, BYE_NUMBER for the bye. Every graph gives for each vertex a bitmask of others:

    - `legal`: those the document lets this player be paired with
    - `met`: those this player has met
    - `kept_apart`: those a rule of the event keeps apart from this player
    - `same_colour`: those who must have the same colour

    `barred` is the bitmask of players who may not have the bye.
    """

    def __init__(self, snapshot: TournamentSnapshot) -> None:
        """Build the graphs for the next round of `snapshot`."""
        self.law = AbsoluteCriteria(snapshot)
        self.players = tuple(player for player in players_from_snapshot(snapshot) if player.is_to_be_paired)
        self.numbers = tuple(player.tpn for player in self.players)
        self.has_bye = len(self.players) % 2 == 1
        self.barred = bitmask_of(v for v, tpn in enumerate(self.numbers) if any(self.law.bye_breaches(tpn)))
        at = {tpn: v for v, tpn in enumerate(self.numbers)}
        self.met = [bitmask_of(at[tpn] for tpn in player.met_in_round if tpn in at) for player in self.players]
        self.kept_apart = [
            bitmask_of(at[tpn] for tpn in player.forbidden_opponents if tpn in at) for player in self.players
        ]
        self.same_colour = list(self._same_colours())
        everyone = (1 << len(self.players)) - 1
        self.legal = [
            everyone & ~(met | apart | same | 1 << v)
            for v, (met, apart, same) in enumerate(zip(self.met, self.kept_apart, self.same_colour, strict=True))
        ]
        if self.has_bye:
            self._add_bye(everyone)

    @property
    def bye_vertex(self) -> int | None:
        """The vertex of the bye; None if the number of players is even."""
        return len(self.players) if self.has_bye else None

    def pairing_numbers_of(self, vertices: int) -> tuple[PairingNumber, ...]:
        """Return the pairing numbers of some vertices in ascending order."""
        return tuple(sorted(self.numbers[v] for v in bitmask_members(vertices)))

    def player_at_vertex(self, vertex: int) -> PairingPlayer:
        return self.players[vertex]

    def _same_colours(self) -> Iterator[int]:
        must = [self.law.required_colour(tpn) for tpn in self.numbers]
        who = {colour: bitmask_of(v for v, needed in enumerate(must) if needed is colour) for colour in Colour}
        for v, needed in enumerate(must):
            yield 0 if needed is None else who[needed] & ~(1 << v)

    def _add_bye(self, everyone: int) -> None:
        place = len(self.players)
        self.numbers = (*self.numbers, BYE_NUMBER)
        for graph in (self.met, self.kept_apart, self.same_colour):
            graph.append(0)
        may_rest = everyone & ~self.barred
        self.legal = [edges | (may_rest >> v & 1) << place for v, edges in enumerate(self.legal)]
        self.legal.append(may_rest)


def _connected(neighbours: list[int], among: int) -> Iterator[int]:
    """Yield the connected components of some vertices, each as a bitmask."""
    while among:
        part = new = among & -among
        while new:
            reached = 0
            for vertex in bitmask_members(new):
                reached |= neighbours[vertex]
            new = reached & among & ~part
            part |= new
        among &= ~part
        yield part
