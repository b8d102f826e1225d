"""What Dubov's document asks of a player: his average, the colour due; and of a group, the colour most are due."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.pairing.engine.literal.facts import OTHER, Facts, is_played


def average_rating_of_opponents(facts: Facts, tpn: int) -> Fraction:
    """ARO: the mean rating of the opponents of the played games; 0 where there are none."""
    ratings = [facts.rating[r.opponent] for r in facts.cards[tpn].records if is_played(r) and r.opponent is not None]
    return Fraction(sum(ratings), len(ratings)) if ratings else Fraction(0)


def due_colour(facts: Facts, tpn: int) -> str | None:
    """1: the colour that brings the difference nearer to 0, else not the colour played last; an absolute one first."""
    if facts.absolute[tpn] is not None:
        return facts.absolute[tpn]
    if facts.difference[tpn] != 0:
        return "w" if facts.difference[tpn] < 0 else "b"
    return OTHER[facts.colours[tpn][-1]] if facts.colours[tpn] else None


def majority(colours: Sequence[str | None]) -> str | None:
    """The colour more of these are due; None when equally many are due each."""
    whites, blacks = colours.count("w"), colours.count("b")
    return None if whites == blacks else "w" if whites > blacks else "b"


def minority(colours: Sequence[str | None]) -> str | None:
    """The colour fewer of these are due; None when equally many are due each."""
    most = majority(colours)
    return None if most is None else OTHER[most]
