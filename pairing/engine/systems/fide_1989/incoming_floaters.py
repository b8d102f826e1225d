"""Incoming floaters (10.5 to 10.8), who are paired before the rest of their new group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, islice

from pairing.engine.matching import MaximumMatching
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonKind, make_reason, with_facts
from pairing.engine.rules.compatibility import CompatibilityGraph, find_pairing_obstacle
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.rules.rejected_candidates import candidate_facts, candidates_near_opponent, take_later_candidates
from pairing.engine.systems.fide_1989.procedure_state import (
    MAX_RATING_GAP,
    Fide1989Event,
    Floater,
    MedianSide,
    Pair,
    ScoreBracket,
    article_reference,
    barring_article,
    sort_floaters,
)


def pair_incoming_floaters(
    group: ScoreBracket, company: CompatibilityGraph, matching: MaximumMatching, event: Fide1989Event
) -> Iterator[Pair]:
    """Pair the floaters that stay, in the order of 10.6 and 10.7. Their pairs are removed from the matching."""
    for floater in sort_floaters(group.incoming):
        if matching.alive >> company.places[floater.player.tpn] & 1:
            yield _pair_floater(floater, group, company, matching, event)


def _pair_floater(
    floater: Floater, group: ScoreBracket, company: CompatibilityGraph, matching: MaximumMatching, event: Fide1989Event
) -> Pair:
    """Pair a floater with the first of their lists (10.8) who leaves the rest of the group pairable."""
    lists = _opponents(floater, group, company, matching, event)
    tried: list[PairingPlayer] = []

    def record_tried_places() -> Iterator[int]:
        for candidate in chain.from_iterable(lists):
            tried.append(candidate)
            yield company.places[candidate.tpn]

    matching.fix_first_possible_pair(company.places[floater.player.tpn], record_tried_places())
    *passed, chosen = tried
    rest = (one.tpn for one in islice(chain.from_iterable(lists), len(tried), None))
    later = take_later_candidates(rest, sum(map(len, lists)) - len(tried))
    listed = candidates_near_opponent([one.tpn for one in passed], chosen.tpn, later)
    ends = accumulate(len(names) for names in lists)
    step = next(number for number, end in enumerate(ends, start=1) if len(tried) <= end)
    why = make_reason(
        article_reference("10.8"),
        ReasonKind.OPPONENT,
        floater.player.tpn,
        chosen.tpn,
        step=f"list {step}",
        place=len(tried),
    )
    why = with_facts(
        why,
        **candidate_facts(listed, later),
        sections=tuple([len(names) for names in lists]),
        order="colour" if floater.origin is MedianSide.ABOVE else "colour_up",
    )
    if event.is_maxi:
        ratings = {one.tpn: one.rating for one in chain.from_iterable(lists)}
        why = with_facts(why, near_ratings=tuple([ratings[tpn] for tpn in listed]))
    over = tuple(_passed_over(floater.player, candidate, event) for candidate in passed)
    return Pair(floater.player, chosen, group, (why, *over))


def _passed_over(player: PairingPlayer, candidate: PairingPlayer, event: Fide1989Event) -> PairingReason:
    between = find_pairing_obstacle(player, candidate, any_colour=event.any_colour)
    cause, facts = between or (DecisionCause.BLOCKS_GROUP, {})
    number = barring_article(between.cause) if between else "10.8"
    return make_reason(
        article_reference(number), ReasonKind.PASSED_OVER, player.tpn, candidate.tpn, because=cause, **facts
    )


def _opponents(
    floater: Floater, group: ScoreBracket, company: CompatibilityGraph, matching: MaximumMatching, event: Fide1989Event
) -> tuple[list[PairingPlayer], list[PairingPlayer], list[PairingPlayer]]:
    """Return the floater's three lists of unpaired players."""
    smallest_first = floater.origin is MedianSide.ABOVE

    def sort_by_number(players: Sequence[PairingPlayer]) -> list[PairingPlayer]:
        left = (one for one in players if matching.alive >> company.places[one.tpn] & 1)
        return sorted(left, key=lambda one: one.number, reverse=not smallest_first)

    residents = sort_by_number(group.residents)
    alternating = [one for one in residents if _alternates(floater.player, one)]
    if event.is_maxi:
        alternating = _near_head(floater.player, residents, alternating, company, matching)
    preferred = {one.tpn for one in alternating}
    others = [one for one in residents if one.tpn not in preferred]
    far = sort_by_number([one.player for one in group.incoming if one.origin is not floater.origin])
    near = sort_by_number([one.player for one in group.incoming if one.origin is floater.origin])
    return alternating, others, [one for one in far + near if one is not floater.player]


def _alternates(player: PairingPlayer, resident: PairingPlayer) -> bool:
    """Return True unless both are due the same colour."""
    due = player.due_colour
    return due is None or resident.due_colour is not due


def _near_head(
    player: PairingPlayer,
    residents: Sequence[PairingPlayer],
    alternating: Sequence[PairingPlayer],
    company: CompatibilityGraph,
    matching: MaximumMatching,
) -> list[PairingPlayer]:
    """In maxi events, keep only players rated near the first resident the floater could take (10.8)."""
    place = company.places[player.tpn]
    head = next((one for one in residents if matching.can_pair(place, company.places[one.tpn])), None)
    if head is None:
        return list(alternating)
    return [one for one in alternating if abs(one.rating - head.rating) <= MAX_RATING_GAP]
