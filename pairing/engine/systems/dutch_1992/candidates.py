"""C2 to C14: the first acceptable candidate of a bracket, loop by loop.

A loop is not run: what it would stop at is asked for. The fewest clashing pairs that any candidate has, with the
numbers of pairs fixed, are the x at which C11 stops, as A8 begins no higher; so from there on every candidate has just
that many, and each further loop takes the first value with which that can be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.matching import mask_of, members
from pairing.engine.rules.exchanges import Exchange
from pairing.engine.systems.dutch_1992.exact import Exact
from pairing.engine.systems.dutch_1992.exchanges import first_exchange
from pairing.engine.systems.dutch_1992.floats import NEITHER, STRICT, TOLERANCES
from pairing.engine.systems.dutch_1992.foreseen import AsNeeded, Foreseen
from pairing.engine.systems.dutch_1992.options import (
    WEAKEST,
    Halves,
    Line,
    Options,
    Surroundings,
    Terms,
    there_is,
)


class Turn(NamedTuple):
    """One player of S1: whom he was given, and those of S2 before that one.

    `any_colour` are those of them with whom all could be paired if clashes did not count. `moved_down`: he was paired
    with the other players moved down, before the remainder.
    """

    chooser: int
    opponent: int
    passed: tuple[int, ...]
    any_colour: frozenset[int]
    moved_down: bool


class Candidate(NamedTuple):
    """The pairing of a bracket: the pairs in the order in which they were made, and what was in force."""

    turns: tuple[Turn, ...]
    leaving: int
    terms: Terms
    exchange: Exchange


def first_candidate(around: Surroundings) -> Candidate:
    """C3, C14: as many of those moved down in S1 as can be, and as many pairs; with none, all members as one group."""
    moved = around.bracket.moved_down if around.bracket.is_heterogeneous else 0
    # Nearly always the first question is the last: all of them are in S1, and nobody or one is left over.
    candidate = _all_but_one(around, moved)
    if candidate is None and moved:
        moved = around.unpaired.most_held(around.company.players, moved)
        candidate = _all_but_one(around, moved)
    return candidate or _several_left_over(around, moved)


def _all_but_one(around: Surroundings, moved: int) -> Candidate | None:
    """The first candidate that leaves nobody over, or one in an odd bracket."""
    if around.unpaired.needs > 1:
        return None
    return settle(Foreseen(around, around.bracket.size % 2), around, moved)


def _several_left_over(around: Surroundings, moved: int) -> Candidate:
    """C14 further on: as many pairs as can be made, when at least two are left over."""
    fewest = around.bracket.size % 2 + 2 if around.unpaired.needs <= 1 else 0
    left_over = max(fewest, around.unpaired.needs, around.fewest_left_over)
    candidate = settle(Foreseen(around, left_over), around, moved)
    if candidate is not None and _passes(candidate, around):
        return candidate
    if candidate is not None and left_over == around.unpaired.needs:
        candidate = settle(AsNeeded(around, look_ahead=candidate.terms.look_ahead), around, moved)
        if candidate is not None and _passes(candidate, around):
            return candidate
    return there_is(settle(Exact(around, (1 << moved) - 1), around, moved))


def _passes(candidate: Candidate, around: Surroundings) -> bool:
    """C12, C13 for those who leave, all together."""
    return around.accept(candidate.leaving, look_ahead=candidate.terms.look_ahead)


def settle(options: Options, around: Surroundings, moved: int) -> Candidate | None:
    """C6 to C11 with the numbers of pairs fixed; None where no candidate has them."""
    everyone = (1 << around.bracket.size) - 1
    halves = Halves((1 << moved) - 1, everyone >> moved << moved, apart=False)
    pairs = (around.bracket.size - options.left_over) // 2
    found = _terms_and_clashes(options, halves, around.bracket.x(pairs))
    if found is None:
        return None
    terms, x = found
    turns: list[Turn] = []
    if moved:
        line = there_is(options.open(terms, halves, everyone))
        turns += _take_turns(line, range(moved), halves.s2, moved_down=True)
    x -= sum(around.clash(turn.chooser, turn.opponent) for turn in turns)
    group = [*members(everyone & ~mask_of(vertex for turn in turns for vertex in turn[:2]))]
    line, terms, exchange, s1 = _split(options, terms, group, pairs - moved, x, everyone)
    s2 = mask_of(group) & ~mask_of(s1)
    turns += _take_turns(line, s1, s2, moved_down=False)
    leaving = everyone & ~mask_of(vertex for turn in turns for vertex in turn[:2])
    return Candidate(tuple(turns), leaving, terms, exchange)


def _terms_and_clashes(options: Options, halves: Halves, least_x: int) -> tuple[Terms, int] | None:
    """C12, C11, C10: whether the look-ahead can be kept, then the x, then the tolerance for upfloats."""
    everyone = halves.s1 | halves.s2

    def clashes(terms: Terms) -> int | None:
        line = options.open(terms, halves, everyone)
        return None if line is None else line.least

    terms = Terms(look_ahead=True, up=STRICT, down=NEITHER)
    if clashes(terms) == least_x:
        return terms, least_x
    terms = WEAKEST._replace(look_ahead=True)
    x = clashes(terms)
    if x is None:
        terms = WEAKEST
        x = clashes(terms)
    if x is None:
        return None
    up = next(up for up in TOLERANCES if clashes(terms._replace(up=up)) == x)
    return terms._replace(up=up), x


def _split(
    options: Options, terms: Terms, group: Sequence[int], pairs: int, x: int, everyone: int
) -> tuple[Line, Terms, Exchange, Sequence[int]]:
    """C9, C8: the tolerance for downfloats, then the exchange: the candidates left, and who is in S1."""
    alive = mask_of(group)
    whole = Halves(0, everyone, apart=False)
    for down in TOLERANCES:
        terms = terms._replace(down=down)
        exchange = Exchange((), ())
        line = _halved(options, terms, alive, group[:pairs])
        if line is not None and line.least == x:
            return line, terms, exchange, group[:pairs]
        line = options.open(terms, whole, alive)
        if line is not None and line.least == x:
            exchange = first_exchange(options, terms, group, pairs, everyone.bit_length())
            s1 = sorted({*group[:pairs], *exchange.entering} - {*exchange.leaving})
            return there_is(_halved(options, terms, alive, s1)), terms, exchange, s1
    raise AssertionError("the players moved down were paired so that the rest can be")


def _halved(options: Options, terms: Terms, alive: int, s1: Sequence[int]) -> Line | None:
    """The candidates of a group whose S1 is given."""
    upper = mask_of(s1)
    return options.open(terms, Halves(upper, alive & ~upper, apart=True), alive)


def _take_turns(line: Line, s1: Iterable[int], s2: int, *, moved_down: bool) -> Iterator[Turn]:
    """C7, D1: each of S1 in turn the first of S2 with whom the others can still be paired as well."""
    left = list(members(s2))
    for chooser in s1:
        tried: list[int] = []

        def candidates(tried: list[int] = tried) -> Iterator[int]:
            for vertex in left:
                tried.append(vertex)
                yield vertex

        line.pair_first(chooser, candidates())
        *passed, opponent = tried
        left.remove(opponent)
        any_colour = line.fit_but_for_colours(chooser, passed)
        yield Turn(chooser, opponent, tuple(passed), any_colour, moved_down)
