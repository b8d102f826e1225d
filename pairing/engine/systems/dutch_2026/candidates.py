"""The first of the best candidates of a bracket (3 and 4)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.matching import bitmask_members, bitmask_of
from pairing.engine.rules.exchanges import PlayerExchange, exchange_costs, find_exchange
from pairing.engine.rules.rejected_candidates import (
    MAX_LATER_CANDIDATES,
    LaterCandidates,
    take_later_candidates,
)
from pairing.engine.systems.dutch_2026.brackets import Bracket
from pairing.engine.systems.dutch_2026.candidate_sets import CandidateSet, OddSetCandidates

NO_EXCHANGE = PlayerExchange((), ())


class TranspositionStep(NamedTuple):
    """A player in S1, their opponent, and the players in S2 skipped before that opponent.

    `later` are those after the opponent. `is_moved_down` is True for the MDP pairs, which come before the remainder.
    """

    chooser: int
    opponent: int
    passed: tuple[int, ...]
    is_moved_down: bool
    later: LaterCandidates


class CandidatePairing(NamedTuple):
    """The pairing of a bracket: pairs in the order they were made, players who leave, and the exchange."""

    turns: tuple[TranspositionStep, ...]
    leaving: tuple[int, ...]
    exchange: PlayerExchange


def find_first_candidate(face: CandidateSet | OddSetCandidates, bracket: Bracket) -> CandidatePairing:
    """Find the first candidate (article 4).

    The order is MDP set, transposition of S2, exchange in the remainder, transposition of the remainder's S2.
    """
    # Each moved-down player is in the MDP set if any remaining candidate allows it. The others are in limbo.
    paired = face.keep_in_bracket(range(bracket.moved_down_count), bracket.exit_vertices_mask)
    turns = list(_take_turns(face, paired, bitmask_members(bracket.resident_mask), mdp=True))
    taken = bitmask_of(vertex for turn in turns for vertex in turn[:2])
    group = list(bitmask_members(bracket.resident_mask & ~taken))
    leaving = sum(face.current_partner(vertex) >= bracket.size for vertex in group)
    exchange, s1 = _split(face, group, (len(group) - leaving) // 2, bracket.size)
    upper = set(s1)
    turns += _take_turns(face, s1, (vertex for vertex in group if vertex not in upper), mdp=False)
    taken = bitmask_of(vertex for turn in turns for vertex in turn[:2])
    return CandidatePairing(tuple(turns), tuple(bitmask_members(bracket.player_mask & ~taken)), exchange)


def _split(
    face: CandidateSet | OddSetCandidates, group: Sequence[int], pairs: int, size: int
) -> tuple[PlayerExchange, Sequence[int]]:
    """Find the first exchange between the halves (4.3) and S1 after it, for a homogeneous bracket or a remainder."""
    everyone, s1 = bitmask_of(group), group[:pairs]
    if face.restrict_to_subgroups(bitmask_of(s1), everyone & ~bitmask_of(s1)):
        return NO_EXCHANGE, s1
    exchange = find_exchange(face.find_cheapest_candidate(exchange_costs(group, pairs, size)), group, pairs)
    s1 = sorted({*s1, *exchange.entering} - {*exchange.leaving})
    if not face.restrict_to_subgroups(bitmask_of(s1), everyone & ~bitmask_of(s1)):
        raise AssertionError("an exchange was found that allows no transposition")
    return exchange, s1


def _take_turns(
    face: CandidateSet | OddSetCandidates, s1: Iterable[int], s2: Iterable[int], *, mdp: bool
) -> Iterator[TranspositionStep]:
    """Give each of S1 in turn the first of S2 that any candidate allows (4.2). S2 is in ascending order."""
    left = list(s2)
    among = bitmask_of(left)
    for chooser in s1:
        opponent = face.fix_first_possible_pair(chooser, among)
        if opponent is None:
            raise AssertionError("candidates that were left are gone")
        place = bisect_left(left, opponent)
        later = take_later_candidates(left[place + 1 : place + 1 + MAX_LATER_CANDIDATES], len(left) - place - 1)
        yield TranspositionStep(chooser, opponent, tuple(left[:place]), mdp, later)
        del left[place]
        among ^= 1 << opponent
