"""What Dubov's document needs of a player (ARO, due colour) and of a group (the colour most are due)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from tests.pairing.engine.literal.facts import OTHER, Facts, is_played

Set = frozenset[int]


def average_rating_of_opponents(facts: Facts, tpn: int) -> Fraction:
    """ARO: the mean rating of the opponents of the played games; 0 without any."""
    ratings = [facts.rating[r.opponent] for r in facts.cards[tpn].records if is_played(r) and r.opponent is not None]
    return Fraction(sum(ratings), len(ratings)) if ratings else Fraction(0)


def due_colour(facts: Facts, tpn: int) -> str | None:
    """1: the colour that brings the difference nearer to 0, else not the last colour; an absolute preference first."""
    if facts.absolute[tpn] is not None:
        return facts.absolute[tpn]
    if facts.difference[tpn] != 0:
        return "w" if facts.difference[tpn] < 0 else "b"
    return OTHER[facts.colours[tpn][-1]] if facts.colours[tpn] else None


def majority(colours: Sequence[str | None]) -> str | None:
    """The colour that more of these players are due; None if equal."""
    whites, blacks = colours.count("w"), colours.count("b")
    return None if whites == blacks else "w" if whites > blacks else "b"


def minority(colours: Sequence[str | None]) -> str | None:
    """The colour that fewer of these players are due; None if equal."""
    most = majority(colours)
    return None if most is None else OTHER[most]


def fewest_inside_columns(compatible: Callable[[int, int], bool]) -> Callable[[Set, Set], int | None]:
    """The minimum number of pairs inside a column in a complete pairing; None if there is none."""

    @cache
    def fewest_inside(left_whites: Set, left_blacks: Set) -> int | None:
        everyone = left_whites | left_blacks
        if not everyone:
            return 0
        first = min(everyone)
        best = None
        for b in everyone - {first}:
            if compatible(first, b):
                rest = fewest_inside(left_whites - {first, b}, left_blacks - {first, b})
                if rest is not None:
                    needed = rest + ((first in left_whites) == (b in left_whites))
                    best = needed if best is None else min(best, needed)
        return best

    return fewest_inside
