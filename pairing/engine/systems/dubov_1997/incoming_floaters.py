"""Article 8: the floaters that came down are paired before the rest of their new group."""

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
    """8.1: the floaters in turn, white-due and black-due alternately; the group's matching loses their pairs."""
    floaters = [place for place in bitmask_members(group.member_mask) if place in group.came_down]
    columns = split_into_colour_columns(floaters, event)
    # The turns stay as they are when a floater is taken by another: the longer column goes on alone.
    for turn in zip_longest(columns.whites, columns.blacks):
        for floater in turn:
            if floater is not None and group.member_mask >> floater & 1:
                yield _pair_floater(floater, group, event)


def _pair_floater(floater: int, group: ScoreGroupInProgress, event: DubovEvent) -> Pair:
    """8.2: the first with whom the rest of the group can still be paired; another floater only as a last resort."""
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
    """8.2: first those who are no floaters, and of each part first those whose colour suits, the strongest first."""
    entrants = event.entrants
    left = sorted(bitmask_members(group.member_mask & ~(1 << floater)), key=lambda place: strength_key(entrants[place]))
    parts: dict[tuple[bool, bool], list[int]] = {}
    for place in left:
        part = (place in group.came_down, not has_compatible_due_colour(entrants[floater], entrants[place]))
        parts.setdefault(part, []).append(place)
    return chain.from_iterable(parts[part] for part in sorted(parts))
