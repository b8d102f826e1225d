"""Colour allocation (article 3)."""

from __future__ import annotations

from pairing.engine.paired_round import ColourCause, ReasonFact
from pairing.engine.rule_interpretations import FIRST_ROUND_COLOURS, RULE_INTERPRETATIONS
from pairing.engine.rules.board_order import ColouredPair
from pairing.engine.rules.colour_allocation import ColourClaim, claim_by_history, parity_facts
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dubov_1997.players import DubovPlayer, average_rating_facts
from pairing.engine.systems.dubov_1997.procedure_state import (
    DubovEvent,
    Pair,
    absolute_colour_article,
    article_reference,
    interpretation_facts,
)


def allocate_colours(pair: Pair, event: DubovEvent) -> ColouredPair:
    """Return the pair with its colours. The reason for the colours follows the pair's other reasons."""
    one, other = event.entrants[pair.chooser], event.entrants[pair.opponent]
    claim = (
        _first_round(pair, event)
        or _due(one, other)
        or _absolute(one, other)
        or _difference(one, other)
        or _histories(one, other)
        or _average(one, other)
        or _rating(one, other)
        or _number(one, other)
    )
    rival = other if claim.player is one.contender else one
    return claim.build_coloured_pair(
        rival.contender, article=article_reference(claim.article_number), before=pair.reasons
    )


def _first_round(pair: Pair, event: DubovEvent) -> ColourClaim | None:
    """Alternate colours from pair to pair in round 1 (5), or by number in the other interpretation."""
    if pair.white is None:
        return None
    colour = Colour.WHITE if pair.white == pair.chooser else Colour.BLACK
    by_number = event.has_interpretation(
        FIRST_ROUND_COLOURS, RULE_INTERPRETATIONS[FIRST_ROUND_COLOURS].alternative_value
    )
    because = ColourCause.NUMBER_PARITY if by_number else ColourCause.ALTERNATE_PAIRS
    chooser = event.entrants[pair.chooser].contender
    facts = interpretation_facts(pair.interpretation)
    if by_number:
        facts |= parity_facts(chooser.tpn, event.first_colour)
    return ColourClaim(chooser, colour, "5", because, facts)


def _due(one: DubovPlayer, other: DubovPlayer) -> ColourClaim | None:
    """Give both players their due colours if they differ (3.1)."""
    if one.due_colour is other.due_colour:
        return None
    if one.due_colour is not None:
        because = ColourCause.BOTH_DUE if other.due_colour is not None else ColourCause.ONLY_ONE_DUE
        return ColourClaim(one.contender, one.due_colour, "3.1", because)
    return (
        ColourClaim(other.contender, other.due_colour, "3.1", ColourCause.ONLY_ONE_DUE)
        if other.due_colour is not None
        else None
    )


def _absolute(one: DubovPlayer, other: DubovPlayer) -> ColourClaim | None:
    """Of two players due the same colour, grant the one with an absolute preference (2.3, 2.4)."""
    if one.has_absolute_preference == other.has_absolute_preference:
        return None
    bound = one if one.has_absolute_preference else other
    if bound.due_colour is None:
        return None
    return ColourClaim(
        bound.contender, bound.due_colour, absolute_colour_article(bound.contender), ColourCause.ABSOLUTE
    )


def _difference(one: DubovPlayer, other: DubovPlayer) -> ColourClaim | None:
    """Grant the due colour of both to the player with the greater colour difference (3.2)."""
    ones, others = (abs(entrant.contender.colour_difference) for entrant in (one, other))
    if one.due_colour is None or ones == others:
        return None
    return ColourClaim((one if ones > others else other).contender, one.due_colour, "3.2", ColourCause.DIFFERENCE)


def _histories(one: DubovPlayer, other: DubovPlayer) -> ColourClaim | None:
    """Reverse the colours at the latest place where their histories differ (3.3)."""
    if one.due_colour is None:
        return None
    return claim_by_history(one.contender, other.contender, "3.3")


def _average(one: DubovPlayer, other: DubovPlayer) -> ColourClaim | None:
    """Give White to the higher ARO (3.4)."""
    if one.scaled_average == other.scaled_average:
        return None
    higher = max(one, other, key=lambda entrant: entrant.scaled_average)
    lower = other if higher is one else one
    facts = average_rating_facts(higher.average) | average_rating_facts(lower.average, of="other_average")
    return ColourClaim(higher.contender, Colour.WHITE, "3.4", ColourCause.HIGHER_AVERAGE, facts)


def _rating(one: DubovPlayer, other: DubovPlayer) -> ColourClaim | None:
    """Give White to the lower rating (3.5)."""
    if one.rating == other.rating:
        return None
    lower, higher = sorted((one, other), key=lambda entrant: entrant.rating)
    facts: dict[str, ReasonFact] = {"rating": lower.rating, "other_rating": higher.rating}
    return ColourClaim(lower.contender, Colour.WHITE, "3.5", ColourCause.LOWER_RATING, facts)


def _number(one: DubovPlayer, other: DubovPlayer) -> ColourClaim:
    """Give White to the larger number if all else is equal."""
    larger = max(one, other, key=lambda entrant: entrant.tpn)
    return ColourClaim(larger.contender, Colour.WHITE, "3", ColourCause.LARGER_NUMBER)
