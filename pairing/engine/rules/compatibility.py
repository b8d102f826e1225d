"""Compatibility of players: not met, not forbidden, not both absolutely due the same colour (contract, Terms)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from pairing.engine.matching import ComplementGraph, MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import (
    DecisionCause,
    PairingImpossible,
    PairingReason,
    ReasonFact,
    ReasonKind,
    make_reason,
)
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
    """Return the obstacle between two players, or None if there is none. `any_colour` ignores absolute colours."""
    if other.tpn in one.met_in_round:
        return PairingObstacle(DecisionCause.MET, {"round": one.met_in_round[other.tpn]})
    if other.tpn in one.forbidden_opponents:
        return PairingObstacle(DecisionCause.FORBIDDEN, {})
    colour = absolute_colour(one)
    if colour is not None and colour is absolute_colour(other) and not any_colour:
        return PairingObstacle(DecisionCause.SAME_ABSOLUTE_COLOUR, {"colour": colour.value})
    return None


def leftover_pair_facts(one: PairingPlayer, other: PairingPlayer, *, any_colour: bool = False) -> dict[str, ReasonFact]:
    """Return the facts about two players who would have been left with each other. Empty if they are compatible.

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
    """A list of players as vertices 0, 1, .... Bit v of a bitmask is `players[v]`."""

    def __init__(self, players: Sequence[PairingPlayer], *, any_colour: bool = False) -> None:
        """Take the players in their order. `any_colour` ignores absolute colours."""
        self.players = tuple(players)
        self.places: dict[PairingNumber, int] = {player.tpn: place for place, player in enumerate(self.players)}
        self.everyone = (1 << len(self.players)) - 1
        self._absolute = {} if any_colour else self._by_absolute_colour()

    def compatible_vertices(self, player: PairingPlayer) -> int:
        """Return the bitmask of players in this list who are compatible with a player, who need not be in it."""
        barred = self._absolute.get(absolute_colour(player), 0) if self._absolute else 0
        for place in self.met_or_forbidden_vertices(player):
            barred |= 1 << place
        if player.tpn in self.places:
            barred |= 1 << self.places[player.tpn]
        return self.everyone & ~barred

    @cached_property
    def neighbour_masks(self) -> list[int]:
        """The compatibility graph: for each vertex, the bitmask of the vertices compatible with it."""
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
        """Return the vertices of players whom this player has met or must not meet."""
        places = self.places
        apart = [places[tpn] for tpn in player.met_in_round if tpn in places]
        if player.forbidden_opponents:
            apart += [places[tpn] for tpn in player.forbidden_opponents if tpn in places]
        return apart

    @cached_property
    def vertices_by_absolute_colour(self) -> dict[Colour | None, frozenset[int]]:
        """The vertices of players who must have a colour, by colour. Empty if absolute colours are ignored."""
        return {colour: frozenset(bitmask_members(mask)) for colour, mask in self._absolute.items()}

    @cached_property
    def vertices_by_due_colour(self) -> dict[Colour | None, frozenset[int]]:
        """The vertices of players due a colour, absolutely or not, by colour."""
        return {colour: frozenset(bitmask_members(self.due_colour_mask(colour))) for colour in Colour}

    def due_colour_mask(self, colour: Colour) -> int:
        """Return the bitmask of the players due a colour, absolutely or not."""
        return bitmask_of(place for place, player in enumerate(self.players) if player.due_colour is colour)

    def _by_absolute_colour(self) -> dict[Colour | None, int]:
        return {
            colour: bitmask_of(place for place, player in enumerate(self.players) if absolute_colour(player) is colour)
            for colour in Colour
        }


MAX_PLAYERS_IN_MESSAGE = 12
"""The number of players listed in the message of a failure; `PairingImpossible.players` always has them all."""


def find_first_possible_bye(company: CompatibilityGraph, candidates: Iterable[PairingPlayer]) -> PairingPlayer | None:
    """Return the first candidate who can be left out so that all others can be paired, or None if there is none.

    The number of players is odd; `candidates` are among them and are read lazily.
    """
    matching = MaximumMatching(company.complement_graph)
    if matching.deficiency > 1:
        return None
    place = leave_out_first_possible(matching, (company.places[candidate.tpn] for candidate in candidates))
    return None if place is None else company.players[place]


def leave_out_first_possible(matching: MaximumMatching, places: Iterable[int]) -> int | None:
    """Leave out the first player that a maximum matching can leave unpaired, and return their vertex.

    `places` take part in the matching and are read lazily. Return None, with nothing changed, if there is none.
    """
    missable: int | None = None
    for place in places:
        if missable is not None:
            if missable >> place & 1:
                matching.try_leave_exposed(place)
                return place
        elif matching.try_leave_exposed(place):
            return place
        else:
            # One decomposition answers for all candidates to come.
            missable = matching.decompose_gallai_edmonds().missable
    return None


def no_legal_round_error(
    company: CompatibilityGraph, article: str, bye_refused: Iterable[PairingReason] = ()
) -> PairingImpossible:
    """Return the error for players who cannot be paired: they compete for too few opponents, or have none.

    `article` is the one that cannot be kept. With an odd number, `bye_refused` gives the reasons why nobody may have
    the bye.
    """
    neighbours = company.complement_graph
    parts = MaximumMatching(neighbours).decompose_gallai_edmonds()
    blocking = tuple(company.players[place].tpn for place in bitmask_members(parts.missable))
    wanted = tuple(company.players[place].tpn for place in bitmask_members(parts.blocking))
    causes = [*bye_refused]
    causes += [
        make_reason(article, ReasonKind.COMPLETION, tpn, because=DecisionCause.NO_OPPONENT)
        for tpn in blocking
        if not neighbours[company.places[tpn]]
    ]
    causes.append(make_reason(article, ReasonKind.COMPLETION, *blocking, because=DecisionCause.BLOCKS_REST))
    why = f", because too many of them depend on players {_listed(wanted)}" if wanted else _AMONG_THEMSELVES
    message = f"no legal pairing: players {_listed(blocking)} can't all be paired{why}"
    if len(blocking) == 1 and not wanted:
        message = f"no legal pairing: player {_listed(blocking)} has no possible opponent"
    if len(company.players) % 2:
        message += " (no permitted bye helps)"
    return PairingImpossible(message, players=blocking, causes=causes)


_AMONG_THEMSELVES = " with each other and have no other possible opponents"


def _listed(tpns: Iterable[int]) -> str:
    numbers = [str(tpn) for tpn in sorted(tpns)]
    shown = ", ".join(numbers[:MAX_PLAYERS_IN_MESSAGE])
    rest = len(numbers) - MAX_PLAYERS_IN_MESSAGE
    return f"{shown} and {rest} more" if rest > 0 else shown
