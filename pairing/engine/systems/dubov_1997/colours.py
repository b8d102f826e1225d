"""Article 3: who gets which colour."""

from __future__ import annotations

from pairing.engine.paired_round import ColourCause
from pairing.engine.readings import FIRST_COLOURS, READINGS
from pairing.engine.rules.boards import ColouredPair
from pairing.engine.rules.claims import Claim, by_histories
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dubov_1997.averages import average_facts
from pairing.engine.systems.dubov_1997.entrants import Entrant
from pairing.engine.systems.dubov_1997.groups import Event, Pair, article, bound_by, so_read


def give_colours(pair: Pair, event: Event) -> ColouredPair:
    """The pair with its colours, and the reason for them after the pair's own."""
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
    return claim.over(rival.contender, article=article(claim.number), before=pair.reasons)


def _first_round(pair: Pair, event: Event) -> Claim | None:
    """5: the colours of the first round alternate from pair to pair, or by number where it is so read."""
    if pair.white is None:
        return None
    colour = Colour.WHITE if pair.white == pair.chooser else Colour.BLACK
    by_number = event.reads(FIRST_COLOURS, READINGS[FIRST_COLOURS].other)
    because = ColourCause.NUMBER_PARITY if by_number else ColourCause.ALTERNATE_PAIRS
    return Claim(event.entrants[pair.chooser].contender, colour, "5", because, so_read(pair.reading))


def _due(one: Entrant, other: Entrant) -> Claim | None:
    """3.1: each the colour he is due, where they do not ask for the same."""
    if one.due is other.due:
        return None
    if one.due is not None:
        because = ColourCause.BOTH_DUE if other.due is not None else ColourCause.ONLY_ONE_DUE
        return Claim(one.contender, one.due, "3.1", because)
    return Claim(other.contender, other.due, "3.1", ColourCause.ONLY_ONE_DUE) if other.due is not None else None


def _absolute(one: Entrant, other: Entrant) -> Claim | None:
    """2.3, 2.4: of two due the same colour the one who must have it gets it."""
    if one.is_bound == other.is_bound:
        return None
    bound = one if one.is_bound else other
    if bound.due is None:
        return None
    return Claim(bound.contender, bound.due, bound_by(bound.contender), ColourCause.ABSOLUTE)


def _difference(one: Entrant, other: Entrant) -> Claim | None:
    """3.2: the one with the greater difference of colours gets the colour both are due."""
    ones, others = (abs(entrant.contender.colour_difference) for entrant in (one, other))
    if one.due is None or ones == others:
        return None
    return Claim((one if ones > others else other).contender, one.due, "3.2", ColourCause.DIFFERENCE)


def _histories(one: Entrant, other: Entrant) -> Claim | None:
    """3.3: at the latest place where their histories differ, each gets the other colour than he had."""
    if one.due is None:
        return None
    return by_histories(one.contender, other.contender, "3.3")


def _average(one: Entrant, other: Entrant) -> Claim | None:
    """3.4: White to the higher ARO."""
    if one.scaled_average == other.scaled_average:
        return None
    higher = max(one, other, key=lambda entrant: entrant.scaled_average)
    return Claim(higher.contender, Colour.WHITE, "3.4", ColourCause.HIGHER_AVERAGE, average_facts(higher.average))


def _rating(one: Entrant, other: Entrant) -> Claim | None:
    """3.5: White to the lower rating."""
    if one.rating == other.rating:
        return None
    lower = min(one, other, key=lambda entrant: entrant.rating)
    return Claim(lower.contender, Colour.WHITE, "3.5", ColourCause.LOWER_RATING, {"rating": lower.rating})


def _number(one: Entrant, other: Entrant) -> Claim:
    """Where all else is equal, White to the larger number."""
    larger = max(one, other, key=lambda entrant: entrant.tpn)
    return Claim(larger.contender, Colour.WHITE, "3", ColourCause.LARGER_NUMBER)
