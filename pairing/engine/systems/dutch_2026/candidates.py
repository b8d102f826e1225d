"""3 and 4: of the best candidates of a bracket the one that comes first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.matching import mask_of, members
from pairing.engine.rules.exchanges import Exchange, exchange_in, exchange_prices
from pairing.engine.systems.dutch_2026.bound_faces import BoundFace
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.faces import Face

NO_EXCHANGE = Exchange((), ())


class Turn(NamedTuple):
    """One player of S1, whom he was given, and those of S2 who stood before that one; `mdp`: before the remainder."""

    chooser: int
    opponent: int
    passed: tuple[int, ...]
    mdp: bool


class Candidate(NamedTuple):
    """The pairing of a bracket: pairs in the order in which they were made, who leaves, what was exchanged."""

    turns: tuple[Turn, ...]
    leaving: tuple[int, ...]
    exchange: Exchange


def first_of(face: Face | BoundFace, bracket: Bracket) -> Candidate:
    """4: by MDP set, transposition of S2, exchange in the remainder, transposition of its S2."""
    # The MDP set: each of those moved down is in it if any candidate left has it so; the others are in limbo.
    paired = face.keep_inside(range(bracket.moved_down), bracket.exits)
    turns = list(_take_turns(face, paired, members(bracket.residents), mdp=True))
    taken = mask_of(vertex for turn in turns for vertex in turn[:2])
    group = list(members(bracket.residents & ~taken))
    leaving = sum(face.partner(vertex) >= bracket.size for vertex in group)
    exchange, s1 = _split(face, group, (len(group) - leaving) // 2, bracket.size)
    upper = set(s1)
    turns += _take_turns(face, s1, (vertex for vertex in group if vertex not in upper), mdp=False)
    taken = mask_of(vertex for turn in turns for vertex in turn[:2])
    return Candidate(tuple(turns), tuple(members(bracket.everyone & ~taken)), exchange)


def _split(face: Face | BoundFace, group: Sequence[int], pairs: int, size: int) -> tuple[Exchange, Sequence[int]]:
    """4.3: the first exchange between the halves of a homogeneous bracket or remainder, and S1 after it."""
    everyone, s1 = mask_of(group), group[:pairs]
    if face.halve(mask_of(s1), everyone & ~mask_of(s1)):
        return NO_EXCHANGE, s1
    exchange = exchange_in(face.cheapest(exchange_prices(group, pairs, size)), group, pairs)
    s1 = sorted({*s1, *exchange.entering} - {*exchange.leaving})
    if not face.halve(mask_of(s1), everyone & ~mask_of(s1)):
        raise AssertionError("an exchange was found that allows no transposition")
    return exchange, s1


def _take_turns(face: Face | BoundFace, s1: Iterable[int], s2: Iterable[int], *, mdp: bool) -> Iterator[Turn]:
    """4.2: each of S1 in turn the first of S2, who stand in ascending order, with whom the others have a candidate."""
    left = list(s2)
    among = mask_of(left)
    for chooser in s1:
        opponent = face.pair_first(chooser, among)
        if opponent is None:
            raise AssertionError("candidates that were left are gone")
        place = bisect_left(left, opponent)
        yield Turn(chooser, opponent, tuple(left[:place]), mdp)
        del left[place]
        among ^= 1 << opponent
