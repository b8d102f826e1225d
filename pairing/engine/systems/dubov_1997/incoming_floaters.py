"""Incoming floaters (article 8), who are paired before the rest of their new group."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest

from pairing.engine.matching import bitmask_members
from pairing.engine.paired_round import DecisionCause, ReasonKind, make_reason
from pairing.engine.systems.dubov_1997.colour_columns import split_into_colour_columns
from pairing.engine.systems.dubov_1997.players import has_compatible_due_colour, strength_key
from pairing.engine.systems.dubov_1997.procedure_state import (
    DubovEvent,
    Pair,
    ScoreGroupInProgress,
    article_reference,
    explain_passed_over,
)


def pair_incoming_floaters(group: ScoreGroupInProgress, event: DubovEvent) -> Iterator[Pair]:
    """Pair the floaters, White-due and Black-due in turn (8.1); the group's matching loses their pairs."""
    floaters = [place for place in bitmask_members(group.member_mask) if place in group.came_down]
    columns = split_into_colour_columns(floaters, event)
    # Turns do not change when a floater is another's opponent: the longer column continues alone.
    for turn in zip_longest(columns.whites, columns.blacks):
        for floater in turn:
            if floater is not None and group.member_mask >> floater & 1:
                yield _pair_floater(floater, group, event)


def _pair_floater(floater: int, group: ScoreGroupInProgress, event: DubovEvent) -> Pair:
    """Pair a floater with the first who leaves the rest pairable (8.2); another floater is the last resort."""
    tried: list[int] = []

    def candidates() -> Iterator[int]:
        for candidate in _opponents(floater, group, event):
            tried.append(candidate)
            yield candidate

    group.matching.fix_first_possible_pair(floater, candidates())
    *passed, chosen = tried
    one, other = event.entrants[floater], event.entrants[chosen]
    why = make_reason(
        article_reference("8.2"),
        ReasonKind.OPPONENT,
        one.tpn,
        other.tpn,
        step="floater",
        place=len(tried),
        rating=other.rating,
    )
    over = (
        explain_passed_over(one, event.entrants[candidate], "8.2", DecisionCause.BLOCKS_GROUP) for candidate in passed
    )
    return Pair(floater, chosen, group, (why, *over))


def _opponents(floater: int, group: ScoreGroupInProgress, event: DubovEvent) -> Iterator[int]:
    """Yield non-floaters before floaters, in each part compatible colours first, then the strongest (8.2)."""
    entrants = event.entrants
    left = sorted(bitmask_members(group.member_mask & ~(1 << floater)), key=lambda place: strength_key(entrants[place]))
    parts: dict[tuple[bool, bool], list[int]] = {}
    for place in left:
        part = (place in group.came_down, not has_compatible_due_colour(entrants[floater], entrants[place]))
        parts.setdefault(part, []).append(place)
    return chain.from_iterable(parts[part] for part in sorted(parts))
