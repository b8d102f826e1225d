"""2: the criteria a candidate is judged by once C4 to C9 say who may leave the bracket. One function a criterion.

Each names the pairs, of two players or of a player and an exit, that count once against it. C18 to C21 compare lists
of score differences, which all have the same length: so they are as many criteria as there are differences, the
greatest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pairing.engine.matching import members
from pairing.engine.rules.colours import PreferenceStrength
from pairing.engine.rules.field import Float
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dutch_2026.brackets import Bracket, edges_between, union


class Costs(NamedTuple):
    """What counts against a criterion: for each vertex the bitmask of those with whom it does.

    All pairs among `crowd` that are allowed count, if it is not empty.
    """

    criterion: str
    costly: list[int]
    crowd: int = 0


def all_costs(bracket: Bracket) -> Iterator[Costs]:
    """C10 to C21, in this order."""
    for criterion in CRITERIA:
        for costs in criterion(bracket):
            if any(costs.costly):
                yield costs


def c10(bracket: Bracket) -> Iterator[Costs]:
    """Topscorers and their opponents with a colour difference beyond 2.

    Of two with the same absolute preference the one with the narrower difference is refused (5.2.2).
    """
    top = _topscorers(bracket)
    costly, crowds = [0] * len(bracket.graph), [0]
    for colour in Colour if top else ():
        wide = bracket.due(colour, PreferenceStrength.ABSOLUTE) & bracket.where(
            lambda one: abs(one.colour_difference) > 1
        )
        for vertex, edges in enumerate(edges_between(wide & top, wide, len(bracket.graph))):
            costly[vertex] |= edges
        crowds.append(wide & top)
    yield Costs("C10", costly, crowd=max(crowds, key=int.bit_count))


def c11(bracket: Bracket) -> Iterator[Costs]:
    """Topscorers and their opponents with the same colour three times running.

    With equal differences the one who had other colours of late is refused (5.2.3): it harms only if both had the same.
    """
    top = _topscorers(bracket)
    costly, crowds = [0] * len(bracket.graph), [0]
    for colour in Colour if top else ():
        absolute = bracket.due(colour, PreferenceStrength.ABSOLUTE)
        twice = absolute & bracket.where(lambda one, had=colour.opposite: one.colours[-2:] == (had, had))  # type: ignore[misc]
        by_width: dict[int, int] = {}
        for vertex in members(absolute):
            width = abs(bracket.players[vertex].colour_difference)
            by_width[width] = by_width.get(width, 0) | 1 << vertex
        for width, equals in by_width.items():
            narrower = union(mask for other, mask in by_width.items() if other < width)
            for one, other in ((equals, narrower & twice), (equals & twice, equals & twice)):
                for vertex, edges in enumerate(edges_between(one, other, len(bracket.graph))):
                    costly[vertex] |= edges & (-1 if top >> vertex & 1 else top)
        crowds.append(twice & top)
    yield Costs("C11", costly, crowd=max(crowds, key=int.bit_count))


def c12(bracket: Bracket) -> Iterator[Costs]:
    """Players who do not get their colour preference: one in every pair of equal preferences."""
    count = len(bracket.graph)
    white, black = (bracket.due(colour) for colour in (Colour.WHITE, Colour.BLACK))
    costly = [one or other for one, other in zip(*(edges_between(s, s, count) for s in (white, black)), strict=True)]
    yield Costs("C12", costly, crowd=max(white, black, key=int.bit_count))


def c13(bracket: Bracket) -> Iterator[Costs]:
    """Players who do not get their strong preference: against another strong one, or an absolute one."""
    count = len(bracket.graph)
    costly = [0] * count
    crowds: list[int] = []
    for colour in Colour:
        strong = bracket.due(colour, PreferenceStrength.STRONG)
        absolute = bracket.due(colour, PreferenceStrength.ABSOLUTE)
        against = edges_between(strong, strong | absolute, count)
        costly = [one or other for one, other in zip(costly, against, strict=True)]
        crowds.append(strong | absolute)
    yield Costs("C13", costly, crowd=max(crowds, key=int.bit_count))


def c14(bracket: Bracket, criterion: str = "C14", back: int = 1) -> Iterator[Costs]:
    """Residents who float down and did so in the last round."""
    again = bracket.floated(Float.DOWN, back) & bracket.residents
    yield Costs(criterion, edges_between(again, bracket.exits, len(bracket.graph)))


def c15(bracket: Bracket, criterion: str = "C15", back: int = 1) -> Iterator[Costs]:
    """Opponents of players moved down who floated up in the last round."""
    again = bracket.floated(Float.UP, back) & bracket.residents
    yield Costs(criterion, edges_between(bracket.mdps, again, len(bracket.graph)))


def c16(bracket: Bracket) -> Iterator[Costs]:
    """C14 of two rounds ago."""
    yield from c14(bracket, "C16", 2)


def c17(bracket: Bracket) -> Iterator[Costs]:
    """C15 of two rounds ago."""
    yield from c15(bracket, "C17", 2)


def c18(bracket: Bracket, criterion: str = "C18", back: int = 1) -> Iterator[Costs]:
    """Score differences of players moved down who floated down in the last round; not being paired is the greatest."""
    again, count = bracket.floated(Float.DOWN, back) & bracket.mdps, len(bracket.graph)
    yield Costs(criterion, edges_between(again, bracket.exits, count))
    for equals in bracket.mdps_by_score(again):
        yield Costs(criterion, edges_between(equals, bracket.residents, count))


def c19(bracket: Bracket, criterion: str = "C19", back: int = 1) -> Iterator[Costs]:
    """Score differences of those opponents of players moved down who floated up in the last round."""
    again, count = bracket.floated(Float.UP, back) & bracket.residents, len(bracket.graph)
    for equals in bracket.mdps_by_score(bracket.mdps):
        yield Costs(criterion, edges_between(equals, again, count))


def c20(bracket: Bracket) -> Iterator[Costs]:
    """C18 of two rounds ago."""
    yield from c18(bracket, "C20", 2)


def c21(bracket: Bracket) -> Iterator[Costs]:
    """C19 of two rounds ago."""
    yield from c19(bracket, "C21", 2)


CRITERIA: tuple[Callable[[Bracket], Iterator[Costs]], ...] = (
    c10,
    c11,
    c12,
    c13,
    c14,
    c15,
    c16,
    c17,
    c18,
    c19,
    c20,
    c21,
)


def _topscorers(bracket: Bracket) -> int:
    return bracket.where(lambda player: player.tpn in bracket.topscorers) if bracket.topscorers else 0
