"""Article 10: who floats out of a group that cannot be paired as it stands (9.3).

The set that floats is the first by five tests: as few as possible; disadvantage (10.9); those who floated in the
round before stay (10.10); due colours of those who stay (10.2); numbers (10.2 to 10.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairing.engine.matching import Matching, members
from pairing.engine.paired_round import Cause, Fact, Reason, ReasonKind, reason
from pairing.engine.rules.score_groups import ScoreGroup
from pairing.engine.systems.fide_1989.groups import RATING_LIMIT, Event, Floater, article
from pairing.engine.systems.fide_1989.outlook import Outlook, Quality
from pairing.engine.systems.fide_1989.several import choose_several


def send_out(outlook: Outlook, matching: Matching, following: ScoreGroup, event: Event) -> tuple[Floater, ...]:
    """Choose who floats to the `following` group, set them aside in the matching, and say why."""
    out = choose_outgoing(outlook, matching, event)
    stayed = _why_others_stayed(outlook, matching, out, event) if out else ()
    for place in out:
        matching.leave_out(place)
    return tuple(_floater(outlook, place, out, following, stayed) for place in out)


def choose_outgoing(outlook: Outlook, matching: Matching, event: Event) -> tuple[int, ...]:
    """The players who float out, as vertices of the outlook, by all tests. The matching is left as it was."""
    # Test 1: a maximum matching leaves the fewest over, and its decomposition tells who may be among them.
    count = matching.deficiency
    if not count:
        return ()
    missable = tuple(members(matching.decompose().missable))
    if len(missable) == count:
        return missable
    if count == 1:
        return (_choose_one(outlook, missable, event),)
    # 10.2: in maxi events without test 4.
    return choose_several(outlook, matching, missable, heed_colours=not event.maxi)


def _choose_one(outlook: Outlook, missable: Sequence[int], event: Event) -> int:
    """Tests 2 to 5 for a single floater."""
    hindrances = {place: outlook.hindrance(place) for place in missable}
    least = min(hindrances.values())
    left = sorted((place for place in missable if hindrances[place] == least), key=outlook.preference)
    by_number = left[0]
    by_colour = min(left, key=lambda place: outlook.imbalance((place,)))
    if event.maxi and outlook.rating_gap(by_colour, by_number) > RATING_LIMIT:
        return by_number
    return by_colour


def _floater(
    outlook: Outlook, place: int, out: Sequence[int], following: ScoreGroup, stayed: Iterable[Reason]
) -> Floater:
    """The player on his way, with all his reasons so far and those for leaving this group."""
    group = outlook.group
    player = outlook.company.players[place]
    number, cause = "11.4", Cause.BLOCKS_GROUP
    if not outlook.company.neighbours[place]:
        number, cause = "9.3", Cause.NO_OPPONENT
    elif len(out) == 1:
        number, cause = "9.3", Cause.ODD_GROUP
    why = reason(
        article(number),
        ReasonKind.FLOATED,
        player.tpn,
        from_half_points=group.score,
        to_half_points=following.score,
        direction="down" if group.side.pairs_down else "up",
        because=cause,
    )
    others = (note for note in stayed if note.players[1] == player.tpn)
    return Floater(player=player, origin=group.side, reasons=(*group.floats_of(player), why, *others))


def _why_others_stayed(outlook: Outlook, matching: Matching, out: Sequence[int], event: Event) -> tuple[Reason, ...]:
    """For all who stand before the last floater in the order of test 5 and stay: the first test that kept them."""
    floater = max(out, key=outlook.preference)
    others = tuple(place for place in out if place != floater)
    with matching.trial():
        for place in others:
            matching.leave_out(place)
        spared = matching.decompose().missable
    chosen = outlook.quality(out)
    places = range(len(outlook.company.players))
    before = places[floater + 1 :] if outlook.group.side.pairs_down else places[:floater]
    kept = sorted(set(before).difference(others), key=outlook.preference)
    notes = [_kept(outlook, place, floater, others, chosen, spared) for place in kept]
    if event.maxi and len(out) == 1:
        notes += _gap_note(outlook, floater, chosen, spared)
    return tuple(notes)


def _kept(outlook: Outlook, place: int, floater: int, others: tuple[int, ...], chosen: Quality, spared: int) -> Reason:
    """Why one player stays: what would be worse if he went in the floater's place."""
    pair = (outlook.company.players[place].tpn, outlook.company.players[floater].tpn)
    if not spared >> place & 1:
        return reason(article("9.3"), ReasonKind.STAYED, *pair, because=Cause.BLOCKS_GROUP)
    instead = outlook.quality((*others, place))
    if instead[:3] != chosen[:3]:
        return reason(article("10.9"), ReasonKind.STAYED, *pair, because=Cause.DISADVANTAGE)
    if instead.floated_before != chosen.floated_before:
        floats = outlook.company.players[place].floats
        floated: dict[str, Fact] = {"round": len(floats)}
        if floats[-1] is not None:
            floated["direction"] = floats[-1].value
        return reason(article("10.10"), ReasonKind.STAYED, *pair, because=Cause.FLOATED_BEFORE, **floated)
    return reason(article("10.2"), ReasonKind.STAYED, *pair, because=Cause.COLOUR_BALANCE)


def _gap_note(outlook: Outlook, floater: int, chosen: Quality, spared: int) -> list[Reason]:
    """10.2, maxi events: whom the colours would have sent but for his rating."""
    rivals = [
        place
        for place in members(spared)
        if outlook.quality((place,))[:4] == chosen[:4] and outlook.imbalance((place,)) < chosen.imbalance
    ]
    if not rivals:
        return []
    rival = min(rivals, key=lambda place: (outlook.imbalance((place,)), outlook.preference(place)))
    kept, gone = outlook.company.players[rival], outlook.company.players[floater]
    gap = outlook.rating_gap(rival, floater)
    return [reason(article("10.2"), ReasonKind.STAYED, kept.tpn, gone.tpn, because=Cause.RATING_GAP, gap=gap)]
