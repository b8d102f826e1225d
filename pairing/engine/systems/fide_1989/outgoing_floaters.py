"""Outgoing floaters (article 10) of a group that cannot be paired completely (9.3).

The set is the first by five tests: fewest floaters; disadvantage (10.9); players who floated in the previous round stay
(10.10); due colours of those who stay (10.2); numbers (10.2 to 10.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairing.engine.matching import MaximumMatching, bitmask_members
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.engine.rules.score_groups import ScoreGroup
from pairing.engine.systems.fide_1989.article_10_tests import FloaterSetPenalty, FloaterTests
from pairing.engine.systems.fide_1989.multiple_floaters import choose_multiple_floaters
from pairing.engine.systems.fide_1989.procedure_state import MAX_RATING_GAP, Fide1989Event, Floater, article_reference


def send_out_floaters(
    outlook: FloaterTests, matching: MaximumMatching, following: ScoreGroup, event: Fide1989Event
) -> tuple[Floater, ...]:
    """Choose the floaters to the `following` group, remove them from the matching, and give the reasons."""
    out = choose_outgoing_floaters(outlook, matching, event)
    stayed = _why_others_stayed(outlook, matching, out, event) if out else ()
    for place in out:
        matching.try_leave_out(place)
    return tuple(_floater(outlook, place, out, following, stayed) for place in out)


def choose_outgoing_floaters(outlook: FloaterTests, matching: MaximumMatching, event: Fide1989Event) -> tuple[int, ...]:
    """Return the floaters by all tests, as vertices of the outlook. The matching is left unchanged."""
    # Test 1: a maximum matching leaves the fewest over. Its decomposition shows who may be among them.
    count = matching.deficiency
    if not count:
        return ()
    missable = tuple(bitmask_members(matching.decompose_gallai_edmonds().missable))
    if len(missable) == count:
        return missable
    if count == 1:
        return (_choose_one(outlook, missable, event),)
    # 10.2: in maxi events without test 4.
    return choose_multiple_floaters(outlook, matching, missable, heed_colours=not event.is_maxi)


def _choose_one(outlook: FloaterTests, missable: Sequence[int], event: Fide1989Event) -> int:
    """Apply tests 2 to 5 to a single floater."""
    hindrances = {place: outlook.single_floater_penalty(place) for place in missable}
    least = min(hindrances.values())
    left = sorted((place for place in missable if hindrances[place] == least), key=outlook.float_order_key)
    by_number = left[0]
    by_colour = min(left, key=lambda place: outlook.colour_imbalance((place,)))
    if event.is_maxi and outlook.rating_gap(by_colour, by_number) > MAX_RATING_GAP:
        return by_number
    return by_colour


def _floater(
    outlook: FloaterTests, place: int, out: Sequence[int], following: ScoreGroup, stayed: Iterable[PairingReason]
) -> Floater:
    """Return the floater with all earlier reasons and those for leaving this group."""
    group = outlook.group
    player = outlook.company.players[place]
    number, cause = "11.4", DecisionCause.BLOCKS_GROUP
    if not outlook.company.neighbour_masks[place]:
        number, cause = "9.3", DecisionCause.NO_OPPONENT
    elif len(out) == 1:
        number, cause = "9.3", DecisionCause.ODD_GROUP
    why = make_reason(
        article_reference(number),
        ReasonKind.FLOATED,
        player.tpn,
        from_half_points=group.score,
        to_half_points=following.score,
        direction="down" if group.side.is_paired_downwards else "up",
        because=cause,
    )
    others = (note for note in stayed if note.players[1] == player.tpn)
    return Floater(player=player, origin=group.side, reasons=(*group.float_reasons(player), why, *others))


def _why_others_stayed(
    outlook: FloaterTests, matching: MaximumMatching, out: Sequence[int], event: Fide1989Event
) -> tuple[PairingReason, ...]:
    """For each player before the last floater in the order of test 5 who stays, give the first test that kept them."""
    floater = max(out, key=outlook.float_order_key)
    others = tuple(place for place in out if place != floater)
    with matching.temporary_changes():
        for place in others:
            matching.try_leave_out(place)
        spared = matching.decompose_gallai_edmonds().missable
    chosen = outlook.floater_set_penalty(out)
    places = range(len(outlook.company.players))
    before = places[floater + 1 :] if outlook.group.side.is_paired_downwards else places[:floater]
    kept = sorted(set(before).difference(others), key=outlook.float_order_key)
    notes = [_kept(outlook, place, floater, others, chosen, spared) for place in kept]
    if event.is_maxi and len(out) == 1:
        notes += _gap_note(outlook, floater, chosen, spared)
    return tuple(notes)


def _kept(
    outlook: FloaterTests, place: int, floater: int, others: tuple[int, ...], chosen: FloaterSetPenalty, spared: int
) -> PairingReason:
    """Explain what would be worse if this player floated instead."""
    pair = (outlook.company.players[place].tpn, outlook.company.players[floater].tpn)
    if not spared >> place & 1:
        return make_reason(article_reference("9.3"), ReasonKind.STAYED, *pair, because=DecisionCause.BLOCKS_GROUP)
    instead = outlook.floater_set_penalty((*others, place))
    if instead[:3] != chosen[:3]:
        return make_reason(article_reference("10.9"), ReasonKind.STAYED, *pair, because=DecisionCause.DISADVANTAGE)
    if instead.floated_before != chosen.floated_before:
        floats = outlook.company.players[place].floats
        floated: dict[str, ReasonFact] = {"round": len(floats)}
        if floats[-1] is not None:
            floated["direction"] = floats[-1].value
        return make_reason(
            article_reference("10.10"), ReasonKind.STAYED, *pair, because=DecisionCause.FLOATED_BEFORE, **floated
        )
    return make_reason(article_reference("10.2"), ReasonKind.STAYED, *pair, because=DecisionCause.COLOUR_BALANCE)


def _gap_note(outlook: FloaterTests, floater: int, chosen: FloaterSetPenalty, spared: int) -> list[PairingReason]:
    """Explain who would have floated for the colours in a maxi event but for the rating gap (10.2)."""
    rivals = [
        place
        for place in bitmask_members(spared)
        if outlook.floater_set_penalty((place,))[:4] == chosen[:4]
        and outlook.colour_imbalance((place,)) < chosen.imbalance
    ]
    if not rivals:
        return []
    rival = min(rivals, key=lambda place: (outlook.colour_imbalance((place,)), outlook.float_order_key(place)))
    kept, gone = outlook.company.players[rival], outlook.company.players[floater]
    gap = outlook.rating_gap(rival, floater)
    return [
        make_reason(
            article_reference("10.2"), ReasonKind.STAYED, kept.tpn, gone.tpn, because=DecisionCause.RATING_GAP, gap=gap
        )
    ]
