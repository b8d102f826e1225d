"""The criteria for candidates (2), once C4 to C9 decide who may leave the bracket. One function per criterion.

Each gives the pairs, of two players or of a player and an exit, that count once against it. C18 to C21 compare lists of
score differences, all of the same length. Each difference is its own criterion, greatest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pairing.engine.matching import bitmask_members
from pairing.engine.rules.colour_preferences import PreferenceStrength
from pairing.engine.rules.players import FloatDirection
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dutch_2026.brackets import Bracket, bitmask_union, edges_between


class CriterionCosts(NamedTuple):
    """The pairs that count against a criterion: for each vertex, a bitmask of its partners in these pairs.

    If `crowd` is not empty, all allowed pairs inside it count.
    """

    criterion: str
    costly: list[int]
    crowd: int = 0


def all_criterion_costs(bracket: Bracket) -> Iterator[CriterionCosts]:
    """Yield the costs of C10 to C21, in this order."""
    for criterion in CRITERIA:
        for costs in criterion(bracket):
            if any(costs.costly):
                yield costs


def c10_topscorer_colour_difference(bracket: Bracket) -> Iterator[CriterionCosts]:
    """Topscorers and their opponents who would have a colour difference above +2 or below -2.

    Of two players with the same absolute preference, the one with the narrower difference is refused (5.2.2).
    """
    top = _topscorers(bracket)
    costly, crowds = [0] * len(bracket.graph), [0]
    for colour in Colour if top else ():
        wide = bracket.due_colour_mask(colour, PreferenceStrength.ABSOLUTE) & bracket.mask_of_matching_players(
            lambda one: abs(one.colour_difference) > 1
        )
        for vertex, edges in enumerate(edges_between(wide & top, wide, len(bracket.graph))):
            costly[vertex] |= edges
        crowds.append(wide & top)
    yield CriterionCosts("C10", costly, crowd=max(crowds, key=int.bit_count))


def c11_topscorer_repeated_colour(bracket: Bracket) -> Iterator[CriterionCosts]:
    """Topscorers and their opponents with the same colour three times in a row.

    With equal differences, the player with other recent colours is refused (5.2.3). This only counts if both had the
    same.
    """
    top = _topscorers(bracket)
    costly, crowds = [0] * len(bracket.graph), [0]
    for colour in Colour if top else ():
        absolute = bracket.due_colour_mask(colour, PreferenceStrength.ABSOLUTE)
        twice = absolute & bracket.mask_of_matching_players(
            lambda one, had=colour.opposite: one.colours[-2:] == (had, had)  # type: ignore[misc]
        )
        by_width: dict[int, int] = {}
        for vertex in bitmask_members(absolute):
            width = abs(bracket.players[vertex].colour_difference)
            by_width[width] = by_width.get(width, 0) | 1 << vertex
        for width, equals in by_width.items():
            narrower = bitmask_union(mask for other, mask in by_width.items() if other < width)
            for one, other in ((equals, narrower & twice), (equals & twice, equals & twice)):
                for vertex, edges in enumerate(edges_between(one, other, len(bracket.graph))):
                    costly[vertex] |= edges & (-1 if top >> vertex & 1 else top)
        crowds.append(twice & top)
    yield CriterionCosts("C11", costly, crowd=max(crowds, key=int.bit_count))


def c12_colour_preference(bracket: Bracket) -> Iterator[CriterionCosts]:
    """Players who do not get their colour preference: one in each pair with the same preference."""
    count = len(bracket.graph)
    white, black = (bracket.due_colour_mask(colour) for colour in (Colour.WHITE, Colour.BLACK))
    costly = [one or other for one, other in zip(*(edges_between(s, s, count) for s in (white, black)), strict=True)]
    yield CriterionCosts("C12", costly, crowd=max(white, black, key=int.bit_count))


def c13_strong_colour_preference(bracket: Bracket) -> Iterator[CriterionCosts]:
    """Players who do not get their strong preference because the opponent has a strong or absolute one too."""
    count = len(bracket.graph)
    costly = [0] * count
    crowds: list[int] = []
    for colour in Colour:
        strong = bracket.due_colour_mask(colour, PreferenceStrength.STRONG)
        absolute = bracket.due_colour_mask(colour, PreferenceStrength.ABSOLUTE)
        against = edges_between(strong, strong | absolute, count)
        costly = [one or other for one, other in zip(costly, against, strict=True)]
        crowds.append(strong | absolute)
    yield CriterionCosts("C13", costly, crowd=max(crowds, key=int.bit_count))


def c14_repeated_downfloat(bracket: Bracket, criterion: str = "C14", back: int = 1) -> Iterator[CriterionCosts]:
    """Residents who float down and also did so in the last round."""
    again = bracket.float_mask(FloatDirection.DOWN, back) & bracket.resident_mask
    yield CriterionCosts(criterion, edges_between(again, bracket.exit_vertices_mask, len(bracket.graph)))


def c15_repeated_upfloat(bracket: Bracket, criterion: str = "C15", back: int = 1) -> Iterator[CriterionCosts]:
    """Players who floated up in the last round and now play a moved-down player."""
    again = bracket.float_mask(FloatDirection.UP, back) & bracket.resident_mask
    yield CriterionCosts(criterion, edges_between(bracket.moved_down_mask, again, len(bracket.graph)))


def c16_downfloat_two_rounds_ago(bracket: Bracket) -> Iterator[CriterionCosts]:
    """Residents who float down and also did so two rounds ago."""
    yield from c14_repeated_downfloat(bracket, "C16", 2)


def c17_upfloat_two_rounds_ago(bracket: Bracket) -> Iterator[CriterionCosts]:
    """Players who floated up two rounds ago and now play a moved-down player."""
    yield from c15_repeated_upfloat(bracket, "C17", 2)


def c18_downfloater_score_difference(
    bracket: Bracket, criterion: str = "C18", back: int = 1
) -> Iterator[CriterionCosts]:
    """Score differences of moved-down players who floated down in the last round. Unpaired players count most."""
    again, count = bracket.float_mask(FloatDirection.DOWN, back) & bracket.moved_down_mask, len(bracket.graph)
    yield CriterionCosts(criterion, edges_between(again, bracket.exit_vertices_mask, count))
    for equals in bracket.moved_down_by_score(again):
        yield CriterionCosts(criterion, edges_between(equals, bracket.resident_mask, count))


def c19_upfloater_score_difference(bracket: Bracket, criterion: str = "C19", back: int = 1) -> Iterator[CriterionCosts]:
    """Score differences of players who floated up in the last round and now play a moved-down player."""
    again, count = bracket.float_mask(FloatDirection.UP, back) & bracket.resident_mask, len(bracket.graph)
    for equals in bracket.moved_down_by_score(bracket.moved_down_mask):
        yield CriterionCosts(criterion, edges_between(equals, again, count))


def c20_earlier_downfloater_score_difference(bracket: Bracket) -> Iterator[CriterionCosts]:
    """The same as C18, for players who floated down two rounds ago."""
    yield from c18_downfloater_score_difference(bracket, "C20", 2)


def c21_earlier_upfloater_score_difference(bracket: Bracket) -> Iterator[CriterionCosts]:
    """The same as C19, for players who floated up two rounds ago."""
    yield from c19_upfloater_score_difference(bracket, "C21", 2)


CRITERIA: tuple[Callable[[Bracket], Iterator[CriterionCosts]], ...] = (
    c10_topscorer_colour_difference,
    c11_topscorer_repeated_colour,
    c12_colour_preference,
    c13_strong_colour_preference,
    c14_repeated_downfloat,
    c15_repeated_upfloat,
    c16_downfloat_two_rounds_ago,
    c17_upfloat_two_rounds_ago,
    c18_downfloater_score_difference,
    c19_upfloater_score_difference,
    c20_earlier_downfloater_score_difference,
    c21_earlier_upfloater_score_difference,
)


def _topscorers(bracket: Bracket) -> int:
    return (
        bracket.mask_of_matching_players(lambda player: player.tpn in bracket.topscorers) if bracket.topscorers else 0
    )
