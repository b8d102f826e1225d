"""Articles 7.1, 7.2 and 2.5: players are moved up to complete a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import dropwhile, islice
from typing import NamedTuple

from pairing.engine.matching import Matching, members
from pairing.engine.paired_round import Cause, Fact, Reason, ReasonKind, reason
from pairing.engine.readings import COMPLETED, MOVED_UP, READINGS, SUPPLIED, stated
from pairing.engine.rules.compatibility import Obstacle
from pairing.engine.rules.completion import leave_out_first
from pairing.engine.rules.field import Contender, Float
from pairing.engine.systems.dubov_1997.averages import average_facts
from pairing.engine.systems.dubov_1997.entrants import Entrant, larger_part, strength, suits
from pairing.engine.systems.dubov_1997.groups import (
    Below,
    Departure,
    Event,
    Group,
    Lower,
    article,
    passed_over,
    upfloat_marks,
)

NEXT_GROUP = READINGS[SUPPLIED].other


class Lowers(NamedTuple):
    """Everyone below, and the next lower group as it stood when the turn of the group in hand began."""

    below: Below
    next_group: Lower | None


# -- 7.1: players without an opponent ------------------------------------------------------------------------------


def supply_opponents(group: Group, below: Below, event: Event) -> None:
    """7.1: who has no opponent in his group gets one from below, or floats down as do floaters without one."""
    neighbours = event.company.graph
    alone = [place for place in members(group.matching.exposed) if not neighbours[place] & group.members]
    if not alone:
        return
    # All together, with every pair of a player and the one moved up for him playing each other.
    pairs = [*group.matching.pairs(), *below.matching.pairs()]
    together = Matching(neighbours, group.members | below.matching.alive, pairs)
    for place in alone:
        if place in group.came_down:
            _sink(place, group, below)
    next_group = below.nearest()
    residents = (place for place in alone if place not in group.came_down)
    for place in sorted(residents, key=lambda place: strength(event.entrants[place])):
        _supply(place, group, Lowers(below, next_group), event, together)


def _supply(place: int, group: Group, lowers: Lowers, event: Event, together: Matching) -> None:
    below, next_group = lowers
    fits = partial(suits, event.entrants[place])
    only = next_group if event.reads(SUPPLIED, NEXT_GROUP) else None
    tried: list[int] = []

    def candidates(only: Lower | None) -> Iterator[int]:
        for candidate in _from_below(below, fits, event, only=only):
            if together.alive >> candidate & 1:
                tried.append(candidate)
                if bar_to_moving_up(event.entrants[candidate].contender, event) is None:
                    yield candidate

    chosen = together.pair_first(place, candidates(only))
    if chosen is None:
        deeper = only is not None and any(together.can_pair(place, candidate) for candidate in candidates(None))
        _sink(place, group, below, stated(SUPPLIED, NEXT_GROUP) if deeper else None)
        return
    group.supplied.add(place)
    passed = [_not_supplied(place, candidate, event) for candidate in tried[:-1]]
    why = _moved_up("7.1", chosen, group, event, Cause.OPPONENT_WANTED, place, beyond=next_group)
    behind = _who_stands_behind("7.1", chosen, below, fits, event, only)
    below.matching.set_aside(chosen)
    group.admit(chosen, (why, *passed, *behind))


def _not_supplied(place: int, candidate: int, event: Event) -> Reason:
    """Why a player below was not moved up for the one who wants an opponent."""
    wanting, other = event.entrants[place], event.entrants[candidate]
    bar = bar_to_moving_up(other.contender, event)
    if bar is None:
        return passed_over(wanting, other, "7.1", Cause.BLOCKS_REST)
    return reason(article("2.5"), ReasonKind.PASSED_OVER, wanting.tpn, other.tpn, because=bar.cause, **bar.facts)


def _sink(place: int, group: Group, below: Below, reading: str | None = None) -> None:
    """6.4: who gets no opponent floats down."""
    group.dismiss(place, Departure("6.4", Cause.NO_OPPONENT, reading=reading))
    below.matching.bring_in(place)


# -- 7.2: an odd number --------------------------------------------------------------------------------------------


def complete_odd_group(group: Group, below: Below, event: Event, next_group: Lower | None) -> None:
    """7.2: the first player below with whom an odd group, and without whom all others, can be paired moves up.

    `next_group` is the next lower one as it stood when the group's turn began.
    """
    if group.members.bit_count() % 2 == 0 or group.matching.deficiency > 1 or below.matching.deficiency > 1:
        return
    only = next_group if event.reads(COMPLETED, NEXT_GROUP) else None
    neighbours = event.company.graph
    open_to_him = group.matching.decompose().missable
    dominating = larger_part([event.entrants[place] for place in members(group.members)])
    fits = partial(_is_of_minority, dominating)
    tried: list[int] = []

    def candidates(only: Lower | None) -> Iterator[int]:
        for candidate in _from_below(below, fits, event, only=only):
            tried.append(candidate)
            if (
                neighbours[candidate] & open_to_him
                and bar_to_moving_up(event.entrants[candidate].contender, event) is None
            ):
                yield candidate

    chosen = leave_out_first(below.matching, candidates(only))
    if chosen is None and only is not None:
        with below.matching.trial():
            if leave_out_first(below.matching, candidates(None)) is not None:
                group.not_completed = stated(COMPLETED, NEXT_GROUP)
    if chosen is not None:
        passed = [_not_completing(candidate, chosen, group, event) for candidate in tried[:-1]]
        why = _moved_up("7.2", chosen, group, event, Cause.ODD_GROUP, beyond=next_group)
        group.admit(chosen, (why, *passed, *_who_stands_behind("7.2", chosen, below, fits, event, only)))


def _is_of_minority(dominating: object, entrant: Entrant) -> bool:
    """7.2: due the colour that fewer of the group are due; nobody is asked when equally many are due each."""
    return dominating is None or (entrant.due is not None and entrant.due is not dominating)


def _not_completing(candidate: int, chosen: int, group: Group, event: Event) -> Reason:
    """Why a player below was not moved up to complete the group."""
    pair = (event.entrants[candidate].tpn, event.entrants[chosen].tpn)
    if bar := bar_to_moving_up(event.entrants[candidate].contender, event):
        return reason(article("2.5"), ReasonKind.STAYED, *pair, because=bar.cause, **bar.facts)
    has_opponent = event.company.graph[candidate] & group.members
    cause = Cause.BLOCKS_REST if has_opponent else Cause.NO_OPPONENT
    return reason(article("7.2"), ReasonKind.STAYED, *pair, because=cause)


# -- Both ----------------------------------------------------------------------------------------------------------


def bar_to_moving_up(player: Contender, event: Event) -> Obstacle | None:
    """2.5: but for the last round nobody floats up twice running, nor more often than the limit."""
    if event.is_last_round:
        return None
    upfloats = event.upfloats(player)
    bar = _bar(upfloats, event)
    if bar is not None and event.moved_up is not None and _bar(upfloat_marks(player), event) is None:
        bar.facts["reading"] = stated(MOVED_UP, event.readings[MOVED_UP])
    return bar


def _bar(upfloats: Sequence[int], event: Event) -> Obstacle | None:
    if event.rounds_paired in upfloats:
        return Obstacle(Cause.FLOATED_BEFORE, {"round": event.rounds_paired, "direction": Float.UP.value})
    if len(upfloats) >= event.upfloat_limit:
        return Obstacle(Cause.FLOAT_LIMIT, {"floats": len(upfloats)})
    return None


def _moved_up(
    number: str, place: int, group: Group, event: Event, cause: Cause, *wanting: int, beyond: Lower | None
) -> Reason:
    """Who was moved up; a reading decided if he came from `beyond` the next group, or is barred by the float marks."""
    entrant = event.entrants[place]
    facts: dict[str, Fact] = {
        "from_half_points": entrant.contender.pairing_score,
        "to_half_points": group.score,
        "direction": "up",
        "rating": entrant.rating,
        **average_facts(entrant.average),
    }
    players = [event.entrants[one].tpn for one in (place, *wanting)]
    name = SUPPLIED if number == "7.1" else COMPLETED
    if beyond is not None and not beyond.mask >> place & 1:
        facts["reading"] = stated(name, event.readings[name])
    elif event.moved_up is not None and not event.is_last_round and _bar(upfloat_marks(entrant.contender), event):
        facts["reading"] = stated(MOVED_UP, event.readings[MOVED_UP])
    return reason(article(number), ReasonKind.FLOATED, *players, because=cause, **facts)


def _who_stands_behind(
    number: str, chosen: int, below: Below, fits: Callable[[Entrant], bool], event: Event, only: Lower | None
) -> Iterator[Reason]:
    """The next in the order of 7.1 and 7.2, and what decided between him and the one moved up."""
    waiting = dropwhile(lambda place: place != chosen, _from_below(below, fits, event, only=only, besides=chosen))
    follower = next(islice(waiting, 1, None), None)
    if follower is None:
        return
    one, other = event.entrants[chosen], event.entrants[follower]
    facts: dict[str, Fact] = {}
    if one.contender.pairing_score != other.contender.pairing_score:
        cause, facts = Cause.FARTHER_GROUP, {"half_points": other.contender.pairing_score}
    elif fits(one) != fits(other):
        cause = Cause.OTHER_COLOUR
    elif one.rating != other.rating:
        cause, facts = Cause.LOWER_RATING, {"rating": other.rating, "chosen_rating": one.rating}
    elif one.average != other.average:
        cause = Cause.HIGHER_AVERAGE
        facts = average_facts(other.average) | average_facts(one.average, of="chosen_average")
    else:
        cause = Cause.LOWER_NUMBER
    yield reason(article(number), ReasonKind.STAYED, other.tpn, one.tpn, because=cause, **facts)


def _from_below(
    below: Below,
    passes: Callable[[Entrant], bool],
    event: Event,
    *,
    only: Lower | None = None,
    besides: int | None = None,
) -> Iterator[int]:
    """7.1, 7.2: the nearest group first; in each those who pass the test of colour first, the strongest first.

    Those still below, and `besides` whom the matching there has just lost; of `only` one group where it is so read.
    """
    for lower in below.groups if only is None else (only,):
        for wanted in (True, False):
            for place in lower.places:
                if passes(event.entrants[place]) is wanted and (below.holds(place) or place == besides):
                    yield place
