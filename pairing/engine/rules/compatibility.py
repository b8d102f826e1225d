"""Compatibility of players: not met, not forbidden, not both absolutely due the same colour (contract, Terms)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from pairing.engine.matching import ComplementGraph, bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, ReasonFact
from pairing.engine.rules.colour_preferences import PreferenceStrength
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour, PairingNumber


class PairingObstacle(NamedTuple):
    """The cause that keeps two players apart, with the facts that show it."""

    cause: DecisionCause
    facts: dict[str, ReasonFact]


def find_pairing_obstacle(
    one: PairingPlayer, other: PairingPlayer, *, any_colour: bool = False
) -> PairingObstacle | None:
    """Return the obstacle between the two; None if they are compatible. `any_colour` ignores absolute colours."""
    if other.tpn in one.met_in_round:
        return PairingObstacle(DecisionCause.MET, {"round": one.met_in_round[other.tpn]})
    if other.tpn in one.forbidden_opponents:
        return PairingObstacle(DecisionCause.FORBIDDEN, {})
    colour = absolute_colour(one)
    if colour is not None and colour is absolute_colour(other) and not any_colour:
        return PairingObstacle(DecisionCause.SAME_ABSOLUTE_COLOUR, {"colour": colour.value})
    return None


def leftover_pair_facts(one: PairingPlayer, other: PairingPlayer, *, any_colour: bool = False) -> dict[str, ReasonFact]:
    """Return the facts of two who would have been left with each other; empty if they are compatible.

    `left` are the two, `left_because` the cause that keeps them apart.
    """
    between = find_pairing_obstacle(one, other, any_colour=any_colour)
    if between is None:
        return {}
    facts: dict[str, ReasonFact] = {"left": tuple(sorted((one.tpn, other.tpn))), "left_because": between.cause}
    return facts | {f"left_{name}": value for name, value in between.facts.items() if name == "round"}


def absolute_colour(player: PairingPlayer) -> Colour | None:
    """Return the colour the player must have, if any."""
    preference = player.preference
    if preference is None or preference.strength is not PreferenceStrength.ABSOLUTE:
        return None
    return preference.colour


class CompatibilityGraph:
    """A list of players as vertices 0, 1, ...; bit v of a bitmask is `players[v]`."""

    def __init__(self, players: Sequence[PairingPlayer], *, any_colour: bool = False) -> None:
        """Take the players in their order; `any_colour` ignores absolute colours."""
        self.players = tuple(players)
        self.places: dict[PairingNumber, int] = {player.tpn: place for place, player in enumerate(self.players)}
        self.everyone = (1 << len(self.players)) - 1
        self._absolute = {} if any_colour else self._by_absolute_colour()

    def compatible_vertices(self, player: PairingPlayer) -> int:
        """Return the bitmask of those here who are compatible with a player, whether or not the player is here."""
        barred = self._absolute.get(absolute_colour(player), 0) if self._absolute else 0
        for place in self.met_or_forbidden_vertices(player):
            barred |= 1 << place
        if player.tpn in self.places:
            barred |= 1 << self.places[player.tpn]
        return self.everyone & ~barred

    @cached_property
    def neighbour_masks(self) -> list[int]:
        """The compatibility graph: for each vertex the bitmask of those compatible with it."""
        return [self.compatible_vertices(player) for player in self.players]

    @cached_property
    def complement_graph(self) -> ComplementGraph:
        """The compatibility graph of a possibly large field: bitmasks are made on demand."""
        open_to = {colour: self.everyone & ~barred for colour, barred in self._absolute.items()}
        return ComplementGraph(
            [open_to.get(absolute_colour(player), self.everyone) for player in self.players],
            [self.met_or_forbidden_vertices(player) for player in self.players],
        )

    def met_or_forbidden_vertices(self, player: PairingPlayer) -> list[int]:
        """Return the vertices of those the player has met or must not meet."""
        places = self.places
        apart = [places[tpn] for tpn in player.met_in_round if tpn in places]
        if player.forbidden_opponents:
            apart += [places[tpn] for tpn in player.forbidden_opponents if tpn in places]
        return apart

    @cached_property
    def vertices_by_absolute_colour(self) -> dict[Colour | None, frozenset[int]]:
        """The vertices of those who must have a colour, by colour; empty if absolute colours are ignored."""
        return {colour: frozenset(bitmask_members(mask)) for colour, mask in self._absolute.items()}

    @cached_property
    def vertices_by_due_colour(self) -> dict[Colour | None, frozenset[int]]:
        """The vertices of those due a colour, absolutely or not, by colour."""
        return {colour: frozenset(bitmask_members(self.due_colour_mask(colour))) for colour in Colour}

    def due_colour_mask(self, colour: Colour) -> int:
        """Return the bitmask of those due a colour, absolutely or not."""
        return bitmask_of(place for place, player in enumerate(self.players) if player.due_colour is colour)

    def _by_absolute_colour(self) -> dict[Colour | None, int]:
        return {
            colour: bitmask_of(place for place, player in enumerate(self.players) if absolute_colour(player) is colour)
            for colour in Colour
        }
