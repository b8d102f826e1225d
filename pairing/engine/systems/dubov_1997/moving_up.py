"""Articles 7.1, 7.2 and 2.5: players are moved up to complete a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pairing.engine.paired_round import Cause, Fact, Reason, ReasonKind, reason
from pairing.engine.rules.compatibility import Obstacle
from pairing.engine.rules.completion import leave_out_first
from pairing.engine.rules.field import Contender, Float
from pairing.engine.rules.matching import Matching, members
from pairing.engine.systems.dubov_1997.entrants import Entrant, larger_part, strength, suits
from pairing.engine.systems.dubov_1997.groups import Below, Departure, Event, Group, article, passed_over

# -- 7.1: players without an opponent ------------------------------------------------------------------------------


def supply_opponents(group: Group, below: Below, event: Event) -> None:
    """7.1: who has no opponent in his group gets one from below, or floats down as do floaters without one."""
    neighbours = event.company.neighbours
    alone = [place for place in members(group.matching.exposed) if not neighbours[place] & group.members]
    if not alone:
        return
    # All together, with every pair of a player and the one moved up for him playing each other.
    pairs = [*group.matching.pairs(), *below.matching.pairs()]
    together = Matching(neighbours, group.members | below.matching.alive, pairs)
    for place in alone:
        if place in group.came_down:
            _sink(place, group, below)
    residents = (place for place in alone if place not in group.came_down)
    for place in sorted(residents, key=lambda place: strength(event.entrants[place])):
        _supply(place, group, below, event, together)


def _supply(place: int, group: Group, below: Below, event: Event, together: Matching) -> None:
    tried: list[int] = []

    def candidates() -> Iterator[int]:
        fitting = event.entrants[place]
        for candidate in _from_below(below, lambda entrant: suits(fitting, entrant), event):
            if together.alive >> candidate & 1:
                tried.append(candidate)
                if bar_to_moving_up(event.entrants[candidate].contender, event) is None:
                    yield candidate

    chosen = together.pair_first(place, candidates())
    if chosen is None:
        _sink(place, group, below)
        return
    group.supplied.add(place)
    passed = [_not_supplied(place, candidate, event) for candidate in tried[:-1]]
    why = _moved_up("7.1", chosen, group, event, Cause.OPPONENT_WANTED, place)
    below.matching.set_aside(chosen)
    group.admit(chosen, (why, *passed))


def _not_supplied(place: int, candidate: int, event: Event) -> Reason:
    """Why a player below was not moved up for the one who wants an opponent."""
    wanting, other = event.entrants[place], event.entrants[candidate]
    bar = bar_to_moving_up(other.contender, event)
    if bar is None:
        return passed_over(wanting, other, "7.1", Cause.BLOCKS_REST)
    return reason(article("2.5"), ReasonKind.PASSED_OVER, wanting.tpn, other.tpn, because=bar.cause, **bar.facts)


def _sink(place: int, group: Group, below: Below) -> None:
    """6.4: who gets no opponent floats down."""
    group.dismiss(place, Departure("6.4", Cause.NO_OPPONENT))
    below.matching.bring_in(place)


# -- 7.2: an odd number --------------------------------------------------------------------------------------------


def complete_odd_group(group: Group, below: Below, event: Event) -> None:
    """7.2: the first player below with whom an odd group, and without whom all others, can be paired moves up."""
    if group.members.bit_count() % 2 == 0 or group.matching.deficiency > 1 or below.matching.deficiency > 1:
        return
    neighbours = event.company.neighbours
    open_to_him = group.matching.decompose().missable
    dominating = larger_part([event.entrants[place] for place in members(group.members)])
    tried: list[int] = []

    def candidates() -> Iterator[int]:
        for candidate in _from_below(below, lambda entrant: _is_of_minority(entrant, dominating), event):
            tried.append(candidate)
            if (
                neighbours[candidate] & open_to_him
                and bar_to_moving_up(event.entrants[candidate].contender, event) is None
            ):
                yield candidate

    chosen = leave_out_first(below.matching, candidates())
    if chosen is not None:
        passed = [_not_completing(candidate, chosen, group, event) for candidate in tried[:-1]]
        why = _moved_up("7.2", chosen, group, event, Cause.ODD_GROUP)
        group.admit(chosen, (why, *passed))


def _is_of_minority(entrant: Entrant, dominating: object) -> bool:
    """7.2: due the colour that fewer of the group are due; nobody is asked when equally many are due each."""
    return dominating is None or (entrant.due is not None and entrant.due is not dominating)


def _not_completing(candidate: int, chosen: int, group: Group, event: Event) -> Reason:
    """Why a player below was not moved up to complete the group."""
    pair = (event.entrants[candidate].tpn, event.entrants[chosen].tpn)
    if bar := bar_to_moving_up(event.entrants[candidate].contender, event):
        return reason(article("2.5"), ReasonKind.STAYED, *pair, because=bar.cause, **bar.facts)
    has_opponent = event.company.neighbours[candidate] & group.members
    cause = Cause.BLOCKS_REST if has_opponent else Cause.NO_OPPONENT
    return reason(article("7.2"), ReasonKind.STAYED, *pair, because=cause)


# -- Both ----------------------------------------------------------------------------------------------------------


def bar_to_moving_up(player: Contender, event: Event) -> Obstacle | None:
    """2.5: but for the last round nobody floats up twice running, nor more often than the limit."""
    if event.is_last_round:
        return None
    if player.floated(1) is Float.UP:
        return Obstacle(Cause.FLOATED_BEFORE, {"round": event.rounds_paired})
    upfloats = player.floats.count(Float.UP)
    if upfloats >= event.upfloat_limit:
        return Obstacle(Cause.FLOAT_LIMIT, {"floats": upfloats})
    return None


def _moved_up(number: str, place: int, group: Group, event: Event, cause: Cause, *wanting: int) -> Reason:
    facts: dict[str, Fact] = {
        "from_half_points": event.entrants[place].contender.pairing_score,
        "to_half_points": group.score,
        "direction": "up",
    }
    players = [event.entrants[one].tpn for one in (place, *wanting)]
    return reason(article(number), ReasonKind.FLOATED, *players, because=cause, **facts)


def _from_below(below: Below, passes: Callable[[Entrant], bool], event: Event) -> Iterator[int]:
    """7.1, 7.2: the nearest group first; in each those who pass the test of colour first, the strongest first."""
    for lower in below.groups:
        for wanted in (True, False):
            for place in lower.places:
                if passes(event.entrants[place]) is wanted and below.holds(place):
                    yield place
