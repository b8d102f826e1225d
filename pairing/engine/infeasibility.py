"""Why no legal round exists: a proof that anybody can check by counting.

Some groups of players, each of an odd number, may play nobody but those of their own group and a few others, the
wanted ones. Every group needs one of these, and they are fewer than the groups: so somebody is always left over
(Tutte's theorem, with the decomposition of Gallai and Edmonds). With an odd number of players the bye is one more
place to be filled, which takes part like a player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pairing.engine.legality import AbsoluteCriteria
from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.rules.players import PairingPlayer, players_from_snapshot
from pairing.engine.snapshot import Colour, PairingNumber, TournamentSnapshot

BYE_NUMBER: PairingNumber = 0
"""Stands among the players of a deadlock for the bye."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InfeasibilityProof:
    """More `groups` than `scarce_opponents` players, whom each of them needs one of; BYE among either stands for the
    bye.

    `possible_opponents` names for everyone in a group all whom he could still play; BYE, that he could rest, and for
    the bye itself who could.
    """

    groups: tuple[tuple[PairingNumber, ...], ...]
    scarce_opponents: tuple[PairingNumber, ...]
    possible_opponents: Mapping[PairingNumber, tuple[PairingNumber, ...]]


def find_infeasibility_proof(snapshot: TournamentSnapshot) -> InfeasibilityProof | None:
    """Why the next round of this event cannot be paired; None where it can."""
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
    """Those to be paired, and the bye where they are odd in number, as vertices of graphs (see `rules.matching`).

    `numbers` are theirs, BYE for the bye; `legal` says for each of them with whom the document lets him be paired;
    `met`, `kept_apart` and `same_colour` with whom it would, but for that alone, or for the others of these; `barred`
    who may not have the bye.
    """

    def __init__(self, snapshot: TournamentSnapshot) -> None:
        """Take the event before the round."""
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
        """The bye's vertex."""
        return len(self.players) if self.has_bye else None

    def pairing_numbers_of(self, vertices: int) -> tuple[PairingNumber, ...]:
        """The numbers of some of them, in ascending order."""
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
    """The connected parts of some vertices."""
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
