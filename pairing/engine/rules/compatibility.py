"""Who may play whom: not met, not forbidden, not both absolutely due the same colour (contract, Terms)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from pairing.engine.matching import Complement, mask_of, members
from pairing.engine.paired_round import Cause, Fact
from pairing.engine.rules.colours import PreferenceStrength
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour, PairingNumber


class Obstacle(NamedTuple):
    """What keeps two players apart, with the facts that show it."""

    cause: Cause
    facts: dict[str, Fact]


def obstacle(one: Contender, other: Contender, *, any_colour: bool = False) -> Obstacle | None:
    """What keeps the two apart; None when they are compatible. `any_colour` lifts the bar of absolute colours."""
    if other.tpn in one.met_in:
        return Obstacle(Cause.MET, {"round": one.met_in[other.tpn]})
    if other.tpn in one.forbidden:
        return Obstacle(Cause.FORBIDDEN, {})
    colour = absolute_colour(one)
    if colour is not None and colour is absolute_colour(other) and not any_colour:
        return Obstacle(Cause.SAME_ABSOLUTE_COLOUR, {"colour": colour.value})
    return None


def left_apart(one: Contender, other: Contender, *, any_colour: bool = False) -> dict[str, Fact]:
    """Facts of two who would have been left with each other: `left`, what keeps them apart; none where nothing does."""
    between = obstacle(one, other, any_colour=any_colour)
    if between is None:
        return {}
    facts: dict[str, Fact] = {"left": tuple(sorted((one.tpn, other.tpn))), "left_because": between.cause}
    return facts | {f"left_{name}": value for name, value in between.facts.items() if name == "round"}


def absolute_colour(player: Contender) -> Colour | None:
    """The colour the player must have, if any."""
    preference = player.preference
    if preference is None or preference.strength is not PreferenceStrength.ABSOLUTE:
        return None
    return preference.colour


class Company:
    """A line of players as vertices 0, 1, ...; bit v of a bitmask stands for `players[v]`."""

    def __init__(self, players: Sequence[Contender], *, any_colour: bool = False) -> None:
        """Take the players in their order; `any_colour` lifts the bar of absolute colours."""
        self.players = tuple(players)
        self.places: dict[PairingNumber, int] = {player.tpn: place for place, player in enumerate(self.players)}
        self.everyone = (1 << len(self.players)) - 1
        self._absolute = {} if any_colour else self._by_absolute_colour()

    def compatible_with(self, player: Contender) -> int:
        """Bitmask of those here who are compatible with the player, who may be one of them or not."""
        barred = self._absolute.get(absolute_colour(player), 0) if self._absolute else 0
        for place in self.apart_from(player):
            barred |= 1 << place
        if player.tpn in self.places:
            barred |= 1 << self.places[player.tpn]
        return self.everyone & ~barred

    @cached_property
    def neighbours(self) -> list[int]:
        """The compatibility graph: for each of them the bitmask of those compatible with him."""
        return [self.compatible_with(player) for player in self.players]

    @cached_property
    def graph(self) -> Complement:
        """The same for a whole field, which may be large: bitmasks made on demand."""
        open_to = {colour: self.everyone & ~barred for colour, barred in self._absolute.items()}
        return Complement(
            [open_to.get(absolute_colour(player), self.everyone) for player in self.players],
            [self.apart_from(player) for player in self.players],
        )

    def apart_from(self, player: Contender) -> list[int]:
        """The places of those whom he has met or must not meet."""
        places = self.places
        apart = [places[tpn] for tpn in player.met_in if tpn in places]
        if player.forbidden:
            apart += [places[tpn] for tpn in player.forbidden if tpn in places]
        return apart

    @cached_property
    def bound_to(self) -> dict[Colour | None, frozenset[int]]:
        """The places of those who must have a colour; none where any will do."""
        return {colour: frozenset(members(mask)) for colour, mask in self._absolute.items()}

    @cached_property
    def due_to(self) -> dict[Colour | None, frozenset[int]]:
        """The places of those due a colour, absolutely or not."""
        return {colour: frozenset(members(self.due(colour))) for colour in Colour}

    def due(self, colour: Colour) -> int:
        """Bitmask of those due a colour, absolutely or not."""
        return mask_of(place for place, player in enumerate(self.players) if player.due_colour is colour)

    def _by_absolute_colour(self) -> dict[Colour | None, int]:
        return {
            colour: mask_of(place for place, player in enumerate(self.players) if absolute_colour(player) is colour)
            for colour in Colour
        }
