"""Upfloaters (7.1, 7.2 and 2.5), who are moved up to complete a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import dropwhile, islice, zip_longest
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, bitmask_members
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason, with_facts
from pairing.engine.rule_interpretations import (
    ODD_GROUP_UPFLOATER_SOURCE,
    RULE_INTERPRETATIONS,
    UPFLOAT_COUNTING,
    UPFLOATER_SOURCE,
    format_interpretation,
)
from pairing.engine.rules.compatibility import PairingObstacle, leave_out_first_possible
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.rules.rejected_candidates import take_later_candidates
from pairing.engine.rules.shared_facts import floater_facts
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dubov_1997.column_pairing import due_colour_counts, split_into_colour_columns
from pairing.engine.systems.dubov_1997.players import (
    DubovPlayer,
    average_rating_facts,
    compared_facts,
    has_compatible_due_colour,
    majority_due_colour,
    strength_key,
)
from pairing.engine.systems.dubov_1997.procedure_state import (
    DownfloatExplanation,
    DubovEvent,
    LowerScoreGroup,
    Pair,
    PlayersBelowGroup,
    ScoreGroupInProgress,
    article_reference,
    explain_candidates,
    explain_rejected_candidate,
    rounds_with_upfloat_mark,
)

NEXT_GROUP_ONLY = RULE_INTERPRETATIONS[UPFLOATER_SOURCE].alternative_value


class LowerGroupsSnapshot(NamedTuple):
    """Everyone below the current group, and the next lower group, at the start of the current group's turn."""

    below: PlayersBelowGroup
    next_group: LowerScoreGroup | None


# -- 7.1: players without an opponent ------------------------------------------------------------------------------


def supply_opponents(group: ScoreGroupInProgress, below: PlayersBelowGroup, event: DubovEvent) -> None:
    """Give residents without an opponent one from below, or let them float down (7.1). Downfloaters float again."""
    neighbours = event.company.complement_graph
    alone = [place for place in bitmask_members(group.matching.exposed) if not neighbours[place] & group.member_mask]
    if not alone:
        return
    # One matching of everyone, so that all players and those moved up for them play each other.
    pairs = [*group.matching.matched_pairs(), *below.matching.matched_pairs()]
    together = MaximumMatching(neighbours, group.member_mask | below.matching.alive, pairs)
    for place in alone:
        if place in group.came_down:
            _sink(place, group, below)
    next_group = below.nearest_group()
    residents = (place for place in alone if place not in group.came_down)
    for place in sorted(residents, key=lambda place: strength_key(event.entrants[place])):
        _supply(place, group, LowerGroupsSnapshot(below, next_group), event, together)


def _supply(
    place: int, group: ScoreGroupInProgress, lowers: LowerGroupsSnapshot, event: DubovEvent, together: MaximumMatching
) -> None:
    below, next_group = lowers
    fits = partial(has_compatible_due_colour, event.entrants[place])
    only = next_group if event.has_interpretation(UPFLOATER_SOURCE, NEXT_GROUP_ONLY) else None
    tried: list[int] = []

    def candidates(only: LowerScoreGroup | None) -> Iterator[int]:
        for candidate in _from_below(below, fits, event, only=only):
            if together.alive >> candidate & 1:
                tried.append(candidate)
                if find_upfloat_obstacle(event.entrants[candidate].contender, event) is None:
                    yield candidate

    chosen = together.fix_first_possible_pair(place, candidates(only))
    if chosen is None:
        deeper = only is not None and any(together.can_pair(place, candidate) for candidate in candidates(None))
        # With `deeper`, others were tried last.
        _sink(
            place,
            group,
            below,
            format_interpretation(UPFLOATER_SOURCE, NEXT_GROUP_ONLY) if deeper else None,
            () if deeper else tuple(_not_moved_up(place, candidate, event) for candidate in tried[:MAX_TRIED]),
        )
        return
    group.supplied.add(place)
    passed = [_not_supplied(place, candidate, event) for candidate in tried[:-1]]
    why = _moved_up("7.1", chosen, group, event, DecisionCause.OPPONENT_WANTED, place, beyond=next_group)
    behind = [*_who_stands_behind("7.1", chosen, below, fits, event, only, wanting=1 << place)]
    why = with_facts(why, **_compared(tried, behind, event), **_colour_facts(event.entrants[place].due_colour))
    behind = [_with_colour(note, event.entrants[place].due_colour) for note in behind]
    below.matching.remove_vertices(chosen)
    group.admit_upfloater(chosen, (why, *passed, *behind))


def _may_come(place: int, wanting: int, event: DubovEvent) -> bool:
    """Return True if a lower player may be moved up and may play one of the players in the bitmask `wanting`."""
    may_play = event.company.complement_graph[place] & wanting
    return bool(may_play) and find_upfloat_obstacle(event.entrants[place].contender, event) is None


def _not_supplied(place: int, candidate: int, event: DubovEvent) -> PairingReason:
    """Explain why a lower player was not moved up for the player who needs an opponent."""
    wanting, other = event.entrants[place], event.entrants[candidate]
    bar = find_upfloat_obstacle(other.contender, event)
    if bar is None:
        return explain_rejected_candidate(wanting, other, "7.1", DecisionCause.BLOCKS_REST)
    return make_reason(
        article_reference("2.5"), ReasonKind.PASSED_OVER, wanting.tpn, other.tpn, because=bar.cause, **bar.facts
    )


def _not_moved_up(place: int, candidate: int, event: DubovEvent) -> PairingReason:
    """Explain why a lower player was not moved up, where nobody was."""
    return with_facts(_not_supplied(place, candidate, event), not_moved_up=True)


def _sink(
    place: int,
    group: ScoreGroupInProgress,
    below: PlayersBelowGroup,
    reading: str | None = None,
    not_moved_up: tuple[PairingReason, ...] = (),
) -> None:
    """Let a player without an opponent float down (6.4)."""
    group.dismiss_downfloater(
        place, DownfloatExplanation("6.4", DecisionCause.NO_OPPONENT, not_moved_up, interpretation=reading)
    )
    below.matching.add_vertex(place)


# -- 7.2: an odd number --------------------------------------------------------------------------------------------


def complete_odd_group(
    group: ScoreGroupInProgress, below: PlayersBelowGroup, event: DubovEvent, next_group: LowerScoreGroup | None
) -> None:
    """Move up the first lower player who makes an odd group even and leaves all others pairable (7.2).

    `next_group` is the next lower group at the start of the group's turn.
    """
    if group.member_mask.bit_count() % 2 == 0 or group.matching.deficiency > 1 or below.matching.deficiency > 1:
        return
    only = next_group if event.has_interpretation(ODD_GROUP_UPFLOATER_SOURCE, NEXT_GROUP_ONLY) else None
    neighbours = event.company.complement_graph
    open_to_him = group.matching.decompose_gallai_edmonds().missable
    dominating = majority_due_colour([event.entrants[place] for place in bitmask_members(group.member_mask)])
    fits = partial(_is_of_minority, dominating)
    tried: list[int] = []

    def candidates(only: LowerScoreGroup | None) -> Iterator[int]:
        for candidate in _from_below(below, fits, event, only=only):
            tried.append(candidate)
            if (
                neighbours[candidate] & open_to_him
                and find_upfloat_obstacle(event.entrants[candidate].contender, event) is None
            ):
                yield candidate

    chosen = leave_out_first_possible(below.matching, candidates(only))
    if chosen is None and only is not None:
        with below.matching.rollback_on_exit():
            if leave_out_first_possible(below.matching, candidates(None)) is not None:
                group.not_completed = format_interpretation(ODD_GROUP_UPFLOATER_SOURCE, NEXT_GROUP_ONLY)
    if chosen is not None:
        passed = [_not_completing(candidate, chosen, group, event) for candidate in tried[:-1]]
        behind = [*_who_stands_behind("7.2", chosen, below, fits, event, only, wanting=group.member_mask)]
        members = [event.entrants[place] for place in bitmask_members(group.member_mask)]
        why = _moved_up("7.2", chosen, group, event, DecisionCause.ODD_GROUP, beyond=next_group)
        why = with_facts(
            why,
            **_compared(tried, behind, event),
            **_colour_facts(dominating),
            **due_colour_counts(members),
            **floater_facts((one.contender for one in members), group.score),
        )
        behind = [_with_colour(note, dominating) for note in behind]
        group.admit_upfloater(chosen, (why, *passed, *behind))


def _is_of_minority(dominating: object, entrant: DubovPlayer) -> bool:
    """Return True if the player is due the colour fewer of the group are due, or if there is no majority (7.2)."""
    return dominating is None or (entrant.due_colour is not None and entrant.due_colour is not dominating)


def _not_completing(candidate: int, chosen: int, group: ScoreGroupInProgress, event: DubovEvent) -> PairingReason:
    """Explain why a lower player was not moved up to complete the group."""
    pair = (event.entrants[candidate].tpn, event.entrants[chosen].tpn)
    if bar := find_upfloat_obstacle(event.entrants[candidate].contender, event):
        return make_reason(article_reference("2.5"), ReasonKind.STAYED, *pair, because=bar.cause, **bar.facts)
    has_opponent = event.company.complement_graph[candidate] & group.member_mask
    cause = DecisionCause.BLOCKS_REST if has_opponent else DecisionCause.NO_OPPONENT
    return make_reason(article_reference("7.2"), ReasonKind.STAYED, *pair, because=cause)


# -- Both ----------------------------------------------------------------------------------------------------------


MAX_TRIED = 5
"""How many of those who could have moved up are listed, up to the one who did."""


def _compared(tried: Sequence[int], behind: Sequence[PairingReason], event: DubovEvent) -> dict[str, ReasonFact]:
    """Return those who could move up in their order: the last tried, the one chosen, and the next."""
    following = [event.company.places[note.players[0]] for note in behind]
    return compared_facts([event.entrants[place] for place in (*tried[-MAX_TRIED:], *following)])


def _colour_facts(colour: Colour | None) -> dict[str, ReasonFact]:
    """Return the colour that those who need an opponent are due, as a fact."""
    return {"due": colour.value} if colour else {}


def _with_colour(note: PairingReason, due: Colour | None) -> PairingReason:
    """Add the colour that was needed to the reason why the next candidate was not moved up for another."""
    if due is None or note.get_fact("because") is not DecisionCause.OTHER_COLOUR:
        return note
    return with_facts(note, colour=due.opposite.value)


def find_upfloat_obstacle(player: PairingPlayer, event: DubovEvent) -> PairingObstacle | None:
    """Return what rules out an upfloat (2.5): an upfloat in the round before, or the limit. None in the last round."""
    if event.is_last_round:
        return None
    upfloats = event.upfloat_rounds(player)
    bar = _bar(upfloats, event)
    if bar is not None and event.counted_upfloats is not None and _bar(rounds_with_upfloat_mark(player), event) is None:
        bar.facts["reading"] = format_interpretation(UPFLOAT_COUNTING, event.interpretations[UPFLOAT_COUNTING])
    return bar


def _bar(upfloats: Sequence[int], event: DubovEvent) -> PairingObstacle | None:
    if event.rounds_paired in upfloats:
        return PairingObstacle(
            DecisionCause.FLOATED_BEFORE, {"round": event.rounds_paired, "direction": FloatDirection.UP.value}
        )
    if len(upfloats) >= event.upfloat_limit:
        return PairingObstacle(DecisionCause.FLOAT_LIMIT, {"floats": len(upfloats)})
    return None


def _moved_up(
    number: str,
    place: int,
    group: ScoreGroupInProgress,
    event: DubovEvent,
    cause: DecisionCause,
    *wanting: int,
    beyond: LowerScoreGroup | None,
) -> PairingReason:
    """Explain who was moved up. Add the interpretation if it decided.

    It did if the player came from `beyond` the next group, or would be barred by the float marks.
    """
    entrant = event.entrants[place]
    facts: dict[str, ReasonFact] = {
        "from_half_points": entrant.contender.pairing_score,
        "to_half_points": group.score,
        "direction": "up",
        "rating": entrant.rating,
        **average_rating_facts(entrant.average),
    }
    players = [event.entrants[one].tpn for one in (place, *wanting)]
    name = UPFLOATER_SOURCE if number == "7.1" else ODD_GROUP_UPFLOATER_SOURCE
    if beyond is not None and not beyond.mask >> place & 1:
        facts["reading"] = format_interpretation(name, event.interpretations[name])
    elif (
        event.counted_upfloats is not None
        and not event.is_last_round
        and _bar(rounds_with_upfloat_mark(entrant.contender), event)
    ):
        facts["reading"] = format_interpretation(UPFLOAT_COUNTING, event.interpretations[UPFLOAT_COUNTING])
    return make_reason(article_reference(number), ReasonKind.FLOATED, *players, because=cause, **facts)


def _who_stands_behind(
    number: str,
    chosen: int,
    below: PlayersBelowGroup,
    fits: Callable[[DubovPlayer], bool],
    event: DubovEvent,
    only: LowerScoreGroup | None,
    *,
    wanting: int,
) -> Iterator[PairingReason]:
    """Explain what decided between the upfloater and the next candidate who could play one of `wanting` (7.1, 7.2)."""
    waiting = dropwhile(lambda place: place != chosen, _from_below(below, fits, event, only=only, besides=chosen))
    follower = next((place for place in islice(waiting, 1, None) if _may_come(place, wanting, event)), None)
    if follower is None:
        return
    one, other = event.entrants[chosen], event.entrants[follower]
    facts: dict[str, ReasonFact] = {}
    if one.contender.pairing_score != other.contender.pairing_score:
        cause, facts = DecisionCause.FARTHER_GROUP, {"half_points": other.contender.pairing_score}
    elif fits(one) != fits(other):
        cause = DecisionCause.OTHER_COLOUR
    elif one.rating != other.rating:
        cause, facts = DecisionCause.LOWER_RATING, {"rating": other.rating, "chosen_rating": one.rating}
    elif one.average != other.average:
        cause = DecisionCause.HIGHER_AVERAGE
        facts = average_rating_facts(other.average) | average_rating_facts(one.average, of="chosen_average")
    else:
        cause = DecisionCause.LOWER_NUMBER
    yield make_reason(article_reference(number), ReasonKind.STAYED, other.tpn, one.tpn, because=cause, **facts)


def _from_below(
    below: PlayersBelowGroup,
    passes: Callable[[DubovPlayer], bool],
    event: DubovEvent,
    *,
    only: LowerScoreGroup | None = None,
    besides: int | None = None,
) -> Iterator[int]:
    """Yield lower players, nearest group first. In each, compatible colours first, then the strongest (7.1, 7.2).

    Yields players still below, and `besides`, whom the matching has just removed. `only` limits them to one group in
    that interpretation.
    """
    for lower in below.groups if only is None else (only,):
        for wanted in (True, False):
            for place in lower.places:
                if passes(event.entrants[place]) is wanted and (below.has_player(place) or place == besides):
                    yield place


def pair_incoming_floaters(group: ScoreGroupInProgress, event: DubovEvent) -> Iterator[Pair]:
    """Pair the floaters, White-due and Black-due in turn (8.1). Their pairs are removed from the group's matching."""
    floaters = [place for place in bitmask_members(group.member_mask) if place in group.came_down]
    columns = split_into_colour_columns(floaters, event)
    # Turns do not change when a floater is another's opponent: the longer column continues alone.
    for turn in zip_longest(columns.whites, columns.blacks):
        for floater in turn:
            if floater is not None and group.member_mask >> floater & 1:
                yield _pair_floater(floater, group, event)


def _pair_floater(floater: int, group: ScoreGroupInProgress, event: DubovEvent) -> Pair:
    """Pair a floater with the first who leaves the rest pairable (8.2). Another floater is the last resort."""
    tried: list[int] = []

    order = _opponents(floater, group, event)

    def candidates() -> Iterator[int]:
        for candidate in order:
            tried.append(candidate)
            yield candidate

    group.matching.fix_first_possible_pair(floater, candidates())
    *passed, chosen = tried
    later = take_later_candidates(order[len(tried) :], len(order) - len(tried))
    one, other = event.entrants[floater], event.entrants[chosen]
    why = make_reason(
        article_reference("8.2"),
        ReasonKind.OPPONENT,
        one.tpn,
        other.tpn,
        step="floater",
        place=len(tried),
        rating=other.rating,
        **explain_candidates(passed, chosen, later, event),
    )
    over = (
        explain_rejected_candidate(one, event.entrants[candidate], "8.2", DecisionCause.BLOCKS_GROUP)
        for candidate in passed
    )
    return Pair(floater, chosen, group, (why, *over))


def _opponents(floater: int, group: ScoreGroupInProgress, event: DubovEvent) -> list[int]:
    """Return non-floaters before floaters, in each part compatible colours first, then the strongest (8.2)."""
    entrants = event.entrants
    left = sorted(bitmask_members(group.member_mask & ~(1 << floater)), key=lambda place: strength_key(entrants[place]))
    parts: dict[tuple[bool, bool], list[int]] = {}
    for place in left:
        part = (place in group.came_down, not has_compatible_due_colour(entrants[floater], entrants[place]))
        parts.setdefault(part, []).append(place)
    return [place for part in sorted(parts) for place in parts[part]]
