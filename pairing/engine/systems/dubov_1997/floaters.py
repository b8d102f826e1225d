"""Article 6.4: who floats down from a group that cannot be paired as it stands.

The set is the first by these tests: as few as possible; the fewest of the worst kinds; the list of ratings; that of
AROs; that of numbers. Most often players taken in order give it; `crossings` where they do not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pairing.engine.matching import Matching, mask_of, members
from pairing.engine.paired_round import Cause, Reason, ReasonKind, reason
from pairing.engine.systems.dubov_1997.crossings import Kind, Turn, cheapest_crossing
from pairing.engine.systems.dubov_1997.groups import Below, Departure, Event, Group, article


def send_down(group: Group, below: Below, event: Event) -> None:
    """Choose who floats down, so that the group and all below it can be paired, and dismiss them with their reasons."""
    if not group.matching.deficiency and not below.matching.deficiency:
        return
    turns = _turns(group, below, event)
    out = (
        _single(turns, group, below, event)
        or _superfluous(turns, group, below)
        or _wanted(turns, group, below)
        or cheapest_crossing(turns, group, below, event)
    )
    notes = _why_others_stayed(turns, out, group, event)
    cause = Cause.ODD_GROUP if group.members.bit_count() % 2 and len(out) == 1 else Cause.BLOCKS_REST
    for place in out:
        others = tuple(note for note in notes if note.players[1] == event.entrants[place].tpn)
        group.dismiss(place, Departure("6.4", cause, others, group.not_completed))
        below.matching.bring_in(place)


def _turns(group: Group, below: Below, event: Event) -> dict[int, Turn]:
    """All who may float and have an opponent below, in their order; nobody moved up, nor for whom somebody was."""
    staying = mask_of(group.moved_up | group.supplied)
    nearest = below.nearest_residents()
    turns: dict[int, Turn] = {}
    for place in members(group.members & ~staying):
        opponents = event.company.graph[place] & below.matching.alive
        if opponents:
            entrant = event.entrants[place]
            kind = _kind(came_down=place in group.came_down, has_opponent=bool(opponents & nearest))
            turns[place] = Turn(kind, entrant.rating, -entrant.scaled_average, -entrant.tpn)
    return dict(sorted(turns.items(), key=lambda turn: turn[1]))


def _kind(*, came_down: bool, has_opponent: bool) -> Kind:
    if came_down:
        return Kind.CAME_DOWN_WITH_OPPONENT if has_opponent else Kind.CAME_DOWN_WITHOUT_OPPONENT
    return Kind.STAYED_WITH_OPPONENT if has_opponent else Kind.STAYED_WITHOUT_OPPONENT


def _single(turns: Mapping[int, Turn], group: Group, below: Below, event: Event) -> tuple[int, ...]:
    """The first who alone is one too many in the group and one too few below; nobody where one is not enough."""
    if group.matching.deficiency != 1 or below.matching.deficiency != 1:
        return ()
    too_many = group.matching.decompose().missable
    too_few = below.matching.decompose().missable
    fitting = (place for place in turns if too_many >> place & 1 and event.company.graph[place] & too_few)
    return next(((place,) for place in fitting), ())


def _superfluous(turns: Mapping[int, Turn], group: Group, below: Below) -> tuple[int, ...]:
    """The first set of those whom the group has too many, if it does for those below; else nobody.

    No smaller set would do. The sets that a maximum matching leaves over are the bases of a matroid: taking players in
    order finds the first of them.
    """
    with group.matching.trial():
        out = tuple(place for place in turns if group.matching.deficiency and group.matching.leave_out(place))
        if group.matching.deficiency:
            return ()
    with below.matching.trial():
        for place in out:
            below.matching.bring_in(place)
        return () if below.matching.deficiency else out


def _wanted(turns: Mapping[int, Turn], group: Group, below: Below) -> tuple[int, ...]:
    """The first set of those who just complete those below, if the group can do without them; else nobody.

    A matroid again: that of the sets which a matching of those below can take in.
    """
    with below.matching.trial():
        out = tuple(place for place in turns if below.matching.deficiency and _takes_in(below.matching, place))
        if below.matching.deficiency:
            return ()
    with group.matching.trial():
        for place in out:
            group.matching.set_aside(place)
        return () if group.matching.deficiency else out


def _takes_in(matching: Matching, place: int) -> bool:
    mark, before = matching.mark(), matching.deficiency
    if matching.bring_in(place) < before:
        return True
    matching.rollback(mark)
    return False


def _why_others_stayed(turns: Mapping[int, Turn], out: Collection[int], group: Group, event: Event) -> list[Reason]:
    """For everyone who stays though he stands before the last floater in some test: what kept him."""
    last = max(out, key=turns.__getitem__)
    notes: list[Reason] = []
    for place, turn in turns.items():
        if place in out:
            continue
        if turn < turns[last]:
            cause = Cause.BLOCKS_REST
        elif turn[1:] < turns[last][1:]:
            cause = Cause.DISADVANTAGE
        else:
            continue
        pair = (event.entrants[place].tpn, event.entrants[last].tpn)
        notes.append(reason(article("6.4"), ReasonKind.STAYED, *pair, because=cause))
    return notes
