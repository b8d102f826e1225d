"""Colour differences, preferences and histories as every system reads them (contract, Terms)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from pairing.engine.snapshot import Colour


class PreferenceStrength(IntEnum):
    """The strength of a colour preference. A larger value is stronger."""

    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourPreference:
    """The colour a player is due, and how strong the preference is."""

    colour: Colour
    strength: PreferenceStrength


def colour_difference(history: Sequence[Colour]) -> int:
    """Return the number of games played with White minus the number played with Black."""
    return 2 * history.count(Colour.WHITE) - len(history)


def colour_preference(history: Sequence[Colour]) -> ColourPreference | None:
    """Return the preference after these played games (earliest first), or None before the first game.

    Absolute: a difference of two or more, or the same colour in the two latest games. If the two name different
    colours, the difference decides. Strong: a difference of one. Mild: no difference; colours alternate.
    """
    if not history:
        return None
    difference = colour_difference(history)
    if abs(difference) >= 2:
        colour = Colour.BLACK if difference > 0 else Colour.WHITE
        return ColourPreference(colour=colour, strength=PreferenceStrength.ABSOLUTE)
    if len(history) >= 2 and history[-1] is history[-2]:
        return ColourPreference(colour=history[-1].opposite, strength=PreferenceStrength.ABSOLUTE)
    return non_absolute_preference(history)


def non_absolute_preference(history: Sequence[Colour]) -> ColourPreference | None:
    """Return the strong or mild preference alone, as if no preference could be absolute."""
    if not history:
        return None
    difference = colour_difference(history)
    if difference:
        colour = Colour.BLACK if difference > 0 else Colour.WHITE
        return ColourPreference(colour=colour, strength=PreferenceStrength.STRONG)
    return ColourPreference(colour=history[-1].opposite, strength=PreferenceStrength.MILD)


def latest_differing_game(first: Sequence[Colour], second: Sequence[Colour]) -> int | None:
    """Return how many games back (1 = the latest) two histories of played games first differ, or None if they do not.

    The comparison stops where the shorter history ends.
    """
    for back, (one, other) in enumerate(zip(reversed(first), reversed(second), strict=False), start=1):
        if one is not other:
            return back
    return None
