"""Downfloaters (6.4) of a group that cannot be paired completely.

The set is the first by these tests: fewest players; fewest of the worst kinds; the list of ratings, then AROs, then
numbers. Taking players in order usually finds it; otherwise `find_cheapest_floaters` does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from pairing.engine.matching import EdgeCosts, MaximumMatching, bitmask_members, bitmask_of, find_min_weight_matching
from pairing.engine.matching.maximum_matching import AlternatingTree
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason, with_facts
from pairing.engine.rules.shared_facts import shortage_facts
from pairing.engine.systems.dubov_1997.players import rating_facts
from pairing.engine.systems.dubov_1997.procedure_state import (
    DownfloatExplanation,
    DubovEvent,
    PlayersBelowGroup,
    ScoreGroupInProgress,
    article_reference,
)


def send_down_floaters(group: ScoreGroupInProgress, below: PlayersBelowGroup, event: DubovEvent) -> None:
    """Choose the downfloaters so that the group and all players below can be paired, and record their reasons."""
    if not group.matching.deficiency and not below.matching.deficiency:
        return
    turns = _turns(group, below, event)
    out = (
        _single(turns, group, below, event)
        or _superfluous(turns, group, below)
        or _wanted(turns, group, below)
        or find_cheapest_floaters(turns, group, below, event)
    )
    notes = _why_others_stayed(turns, out, group, event)
    cause = (
        DecisionCause.ODD_GROUP if group.member_mask.bit_count() % 2 and len(out) == 1 else DecisionCause.BLOCKS_REST
    )
    # With an even number of them, the group was odd before as well.
    sunk = tuple(event.entrants[place].tpn for place in group.floating_down)
    without = {"without": sunk} if cause is DecisionCause.ODD_GROUP and len(sunk) % 2 else {}
    lacking = _lacking(group, below, event) if cause is DecisionCause.BLOCKS_REST else ()
    for place in out:
        others = tuple(note for note in notes if note.players[1] == event.entrants[place].tpn)
        facts = _compared(turns, place, event)
        group.dismiss_downfloater(
            place, DownfloatExplanation("6.4", cause, (*others, *lacking), group.not_completed, facts | without)
        )
        below.matching.add_vertex(place)


MAX_COMPARED = 6
"""How many of those who could float down are listed."""


def _compared(turns: Mapping[int, FloaterPriority], floater: int, event: DubovEvent) -> dict[str, ReasonFact]:
    """Return those who could float down, in their order, around the one who does."""
    order = list(turns)
    first = max(0, order.index(floater) - MAX_COMPARED // 2)
    listed = [event.entrants[place] for place in order[first : first + MAX_COMPARED]]
    return {"compared": tuple([one.tpn for one in listed]), **rating_facts("compared", listed)}


def _lacking(group: ScoreGroupInProgress, below: PlayersBelowGroup, event: DubovEvent) -> tuple[PairingReason, ...]:
    """Explain which lower players have too few opponents among themselves, if any."""
    if not below.matching.deficiency:
        return ()
    facts = shortage_facts(event.company, below.matching, whole=True)
    players = facts.pop("blocked")
    more = facts.pop("more_blocked", 0)
    if not isinstance(players, tuple) or not isinstance(more, int):
        return ()
    why = make_reason(
        article_reference("6.4"),
        ReasonKind.LACK_OPPONENTS,
        *players,
        half_points=group.score,
        count=below.matching.deficiency,
        of=len(players) + more,
        bye=False,
    )
    return (with_facts(why, **facts),)


def _turns(group: ScoreGroupInProgress, below: PlayersBelowGroup, event: DubovEvent) -> dict[int, FloaterPriority]:
    """Return, in order, all who may float and have an opponent below.

    Players moved up, or for whom someone was moved up, may not float.
    """
    staying = bitmask_of(group.moved_up | group.supplied)
    nearest = below.nearest_residents()
    turns: dict[int, FloaterPriority] = {}
    for place in bitmask_members(group.member_mask & ~staying):
        opponents = event.company.complement_graph[place] & below.matching.alive
        if opponents:
            entrant = event.entrants[place]
            kind = _kind(came_down=place in group.came_down, has_opponent=bool(opponents & nearest))
            turns[place] = FloaterPriority(kind, entrant.rating, -entrant.scaled_average, -entrant.tpn)
    return dict(sorted(turns.items(), key=lambda turn: turn[1]))


def _kind(*, came_down: bool, has_opponent: bool) -> FloaterKind:
    if came_down:
        return FloaterKind.CAME_DOWN_WITH_OPPONENT if has_opponent else FloaterKind.CAME_DOWN_WITHOUT_OPPONENT
    return FloaterKind.STAYED_WITH_OPPONENT if has_opponent else FloaterKind.STAYED_WITHOUT_OPPONENT


def _single(
    turns: Mapping[int, FloaterPriority], group: ScoreGroupInProgress, below: PlayersBelowGroup, event: DubovEvent
) -> tuple[int, ...]:
    """Return the first player whose move alone completes both the group and those below. Empty if one is not enough."""
    if group.matching.deficiency != 1 or below.matching.deficiency != 1:
        return ()
    too_many = group.matching.decompose_gallai_edmonds().missable
    too_few = below.matching.decompose_gallai_edmonds().missable
    fitting = (place for place in turns if too_many >> place & 1 and event.company.complement_graph[place] & too_few)
    return next(((place,) for place in fitting), ())


def _superfluous(
    turns: Mapping[int, FloaterPriority], group: ScoreGroupInProgress, below: PlayersBelowGroup
) -> tuple[int, ...]:
    """Return the first set of players surplus in the group, if it completes those below, else an empty tuple.

    No smaller set would do. The sets a maximum matching leaves over are the bases of a matroid. So taking players in
    order finds the first.
    """
    with group.matching.rollback_on_exit():
        out = tuple(place for place in turns if group.matching.deficiency and group.matching.try_leave_exposed(place))
        if group.matching.deficiency:
            return ()
    with below.matching.rollback_on_exit():
        for place in out:
            below.matching.add_vertex(place)
        return () if below.matching.deficiency else out


def _wanted(
    turns: Mapping[int, FloaterPriority], group: ScoreGroupInProgress, below: PlayersBelowGroup
) -> tuple[int, ...]:
    """Return the first set that completes those below, if the group can do without it, else an empty tuple.

    Again a matroid: the sets that a matching of those below can take in.
    """
    with below.matching.rollback_on_exit():
        out = tuple(place for place in turns if below.matching.deficiency and _takes_in(below.matching, place))
        if below.matching.deficiency:
            return ()
    with group.matching.rollback_on_exit():
        for place in out:
            group.matching.remove_vertices(place)
        return () if group.matching.deficiency else out


def _takes_in(matching: MaximumMatching, place: int) -> bool:
    mark, before = matching.create_savepoint(), matching.deficiency
    if matching.add_vertex(place) < before:
        return True
    matching.rollback(mark)
    return False


def _why_others_stayed(
    turns: Mapping[int, FloaterPriority], out: Collection[int], group: ScoreGroupInProgress, event: DubovEvent
) -> list[PairingReason]:
    """Explain, for all who stay but come before the last floater in some test, what kept them."""
    last = max(out, key=turns.__getitem__)
    notes: list[PairingReason] = []
    for place, turn in turns.items():
        if place in out:
            continue
        if turn < turns[last]:
            cause = DecisionCause.BLOCKS_REST
        elif turn[1:] < turns[last][1:]:
            cause = DecisionCause.DISADVANTAGE
        else:
            continue
        pair = (event.entrants[place].tpn, event.entrants[last].tpn)
        facts: dict[str, ReasonFact] = {"test": turn.kind.name.lower()} if cause is DecisionCause.DISADVANTAGE else {}
        notes.append(make_reason(article_reference("6.4"), ReasonKind.STAYED, *pair, because=cause, **facts))
    return notes


class FloaterKind(IntEnum):
    """The kinds of floaters (6.4). The worst has the highest value."""

    STAYED_WITH_OPPONENT = 1
    STAYED_WITHOUT_OPPONENT = 2
    CAME_DOWN_WITH_OPPONENT = 3
    CAME_DOWN_WITHOUT_OPPONENT = 4


class FloaterPriority(NamedTuple):
    """The order of floaters (6.4): best kind, lowest rating, highest ARO, largest number."""

    kind: FloaterKind
    rating: int
    average: int
    tpn: int


def find_cheapest_floaters(
    turns: Mapping[int, FloaterPriority], group: ScoreGroupInProgress, below: PlayersBelowGroup, event: DubovEvent
) -> tuple[int, ...]:
    """Return the floaters of the pairing with the lowest floater cost, in the order of `turns`."""
    inside, outside = group.member_mask, below.matching.alive
    may_cross = bitmask_of(turns)
    neighbours = event.company.complement_graph
    allowed = [0] * len(neighbours)
    owned = [0] * len(neighbours)
    for place in bitmask_members(inside):
        owned[place] = neighbours[place] & outside if may_cross >> place & 1 else 0
        allowed[place] = neighbours[place] & inside | owned[place]
    for place in bitmask_members(outside):
        allowed[place] = neighbours[place] & (outside | may_cross)
    prices = [0] * len(neighbours)
    for place, price in _prices(turns).items():
        prices[place] = price
    start = _values_to_start_from(turns, prices, group, event)
    pairs = find_min_weight_matching(EdgeCosts(((0, allowed),), owned, prices), inside | outside, start)
    if pairs is None:
        raise ValueError("every step before has kept a legal round")
    crossing = {place for pair in pairs for place in pair if inside >> pair[0] & 1 != inside >> pair[1] & 1}
    return tuple(place for place in turns if place in crossing)


def _values_to_start_from(
    turns: Mapping[int, FloaterPriority], prices: Sequence[int], group: ScoreGroupInProgress, event: DubovEvent
) -> list[int]:
    """Return dual values close to the solution, as if those below could take in all surplus players.

    Players who could replace a floater get that floater's price, and the players they compete for its negative. If an
    odd cycle rules that out, the values stay 0.
    """
    values = [0] * len(prices)
    left = group.member_mask
    with group.matching.rollback_on_exit():
        out = [place for place in turns if group.matching.deficiency and group.matching.try_leave_exposed(place)]
        if group.matching.deficiency:
            return values
        for place in reversed(out):
            tree = AlternatingTree(event.company.complement_graph, group.matching.mate, place, left)
            tree.find_augmenting_path(0)
            if tree.outer.bit_count() == tree.inner.bit_count() + 1:
                left &= ~(tree.outer | tree.inner)
                for reached, value in ((tree.outer, 2 * prices[place]), (tree.inner, -2 * prices[place])):
                    for one in bitmask_members(reached):
                        values[one] = value
    return values


def _prices(turns: Mapping[int, FloaterPriority]) -> dict[int, int]:
    """Return each player's share of the tests as one number: a digit for each value, the first test highest.

    Of two lists of equal length, the one with more of the first value comes first, then of the second, and so on. So a
    player's value subtracts its digit. Each digit covers all players with the value, so none overflows. Each price
    exceeds all digits together, so that as few as possible cross.
    """
    parts = dict.fromkeys(turns, 0)
    digit = 1
    for test in ("tpn", "average", "rating"):
        for _, places in sorted(_by_value(turns, test).items(), reverse=True):
            for place in places:
                parts[place] -= digit
            digit *= len(places) + 1
    for _, places in sorted(_by_value(turns, "kind").items()):
        for place in places:
            parts[place] += digit
        digit *= len(places) + 1
    return {place: digit * 2 + part for place, part in parts.items()}


def _by_value(turns: Mapping[int, FloaterPriority], test: str) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, turn in turns.items():
        places.setdefault(getattr(turn, test), []).append(place)
    return places
