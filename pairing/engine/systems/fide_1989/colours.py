"""Article 12: who gets which colour."""

from __future__ import annotations

from pairing.engine.paired_round import ColourCause
from pairing.engine.rules.boards import ColouredPair
from pairing.engine.rules.claims import Claim, by_histories, by_parity
from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour
from pairing.engine.systems.fide_1989.groups import Event, Pair, Side, article


def give_colours(pair: Pair, event: Event) -> ColouredPair:
    """The pair with its colours, and the reason for them after the pair's own."""
    one, other = sorted((pair.chooser, pair.opponent), key=lambda player: player.number)
    claim = (
        _absolute(one, other)
        or _due(one, other, event)
        or _histories(one, other)
        or _identical(one, other, pair.group.side)
        or _neither_due(one, event)
    )
    rival = other if claim.player is one else one
    return claim.over(rival, article=article(claim.number), before=pair.reasons)


def _absolute(one: Contender, other: Contender) -> Claim | None:
    """12.1 b, 12.3: the only one of the two who must have a colour gets it."""
    ones, others = absolute_colour(one), absolute_colour(other)
    if ones is not None and others is None:
        return Claim(one, ones, _must(one, ones), ColourCause.ABSOLUTE)
    if others is not None and ones is None:
        return Claim(other, others, _must(other, others), ColourCause.ABSOLUTE)
    return None


def _must(player: Contender, colour: Colour) -> str:
    """12.3 for a colour after two games running with the other; 12.1 b where the difference alone asks for it."""
    running = player.colours[-1] is player.colours[-2] is colour.opposite
    return "12.3" if running else "12.1 b"


def _due(one: Contender, other: Contender, event: Event) -> Claim | None:
    """12.5 in odd rounds, 12.6 in even ones: each the colour he is due, where they do not ask for the same."""
    ones, others = one.due_colour, other.due_colour
    if ones is others:
        return None
    number = "12.5" if event.round_number % 2 else "12.6"
    if ones is not None:
        because = ColourCause.BOTH_DUE if others is not None else ColourCause.ONLY_ONE_DUE
        return Claim(one, ones, number, because)
    return Claim(other, others, number, ColourCause.ONLY_ONE_DUE) if others is not None else None


def _histories(one: Contender, other: Contender) -> Claim | None:
    """12.4: both due the same colour: at the latest place where their histories differ, each gets the other colour."""
    if one.due_colour is None:
        return None
    return by_histories(one, other, "12.4")


def _identical(one: Contender, other: Contender, side: Side) -> Claim | None:
    """12.4: identical histories: at or above the median the smaller number is given his colour, below it the larger."""
    if one.due_colour is None or other.due_colour is None:
        return None
    if side is Side.BELOW:
        return Claim(other, other.due_colour, "12.4", ColourCause.LOWER_PLAYER)
    return Claim(one, one.due_colour, "12.4", ColourCause.HIGHER_PLAYER)


def _neither_due(one: Contender, event: Event) -> Claim:
    """14.2: the smaller number gets TPN 1's colour of round 1 if his TPN is odd, else the other."""
    return by_parity(one, event.first_colour, "14.2")
