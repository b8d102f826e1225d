"""Colour allocation (article 12)."""

from __future__ import annotations

from pairing.engine.paired_round import ColourCause
from pairing.engine.rules.board_order import ColouredPair
from pairing.engine.rules.colour_allocation import ColourClaim, claim_by_history, claim_by_number_parity
from pairing.engine.rules.compatibility import absolute_colour
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour
from pairing.engine.systems.fide_1989.procedure_state import Fide1989Event, MedianSide, Pair, article_reference


def allocate_colours(pair: Pair, event: Fide1989Event) -> ColouredPair:
    """Return the pair with its colours. The reason for the colours follows the pair's other reasons."""
    one, other = sorted((pair.chooser, pair.opponent), key=lambda player: player.number)
    claim = (
        _absolute(one, other)
        or _due(one, other, event)
        or _histories(one, other)
        or _identical(one, other, pair.group.side)
        or _neither_due(one, event)
    )
    rival = other if claim.player is one else one
    return claim.build_coloured_pair(rival, article=article_reference(claim.article_number), before=pair.reasons)


def _absolute(one: PairingPlayer, other: PairingPlayer) -> ColourClaim | None:
    """Give the only player of the two with an absolute preference their colour (12.1 b, 12.3)."""
    ones, others = absolute_colour(one), absolute_colour(other)
    if ones is not None and others is None:
        return ColourClaim(one, ones, _must(one, ones), ColourCause.ABSOLUTE)
    if others is not None and ones is None:
        return ColourClaim(other, others, _must(other, others), ColourCause.ABSOLUTE)
    return None


def _must(player: PairingPlayer, colour: Colour) -> str:
    """Return 12.3 for a colour due after two games running with the other, 12.1 b if only the difference demands it."""
    running = player.colours[-1] is player.colours[-2] is colour.opposite
    return "12.3" if running else "12.1 b"


def _due(one: PairingPlayer, other: PairingPlayer, event: Fide1989Event) -> ColourClaim | None:
    """Give both players their due colours if they differ (12.5 in odd rounds, 12.6 in even ones)."""
    ones, others = one.due_colour, other.due_colour
    if ones is others:
        return None
    number = "12.5" if event.round_number % 2 else "12.6"
    if ones is not None:
        because = ColourCause.BOTH_DUE if others is not None else ColourCause.ONLY_ONE_DUE
        return ColourClaim(one, ones, number, because)
    return ColourClaim(other, others, number, ColourCause.ONLY_ONE_DUE) if others is not None else None


def _histories(one: PairingPlayer, other: PairingPlayer) -> ColourClaim | None:
    """Both are due the same colour (12.4): reverse their colours at the latest place where their histories differ."""
    if one.due_colour is None:
        return None
    return claim_by_history(one, other, "12.4")


def _identical(one: PairingPlayer, other: PairingPlayer, side: MedianSide) -> ColourClaim | None:
    """Identical histories (12.4): grant the smaller number's due colour at or above the median, the larger's below."""
    if one.due_colour is None or other.due_colour is None:
        return None
    if side is MedianSide.BELOW:
        numbers = (other.number, one.number)
        return ColourClaim(other, other.due_colour, "12.4", ColourCause.LOWER_PLAYER, {"numbers": numbers})
    numbers = (one.number, other.number)
    return ColourClaim(one, one.due_colour, "12.4", ColourCause.HIGHER_PLAYER, {"numbers": numbers})


def _neither_due(one: PairingPlayer, event: Fide1989Event) -> ColourClaim:
    """Give the smaller number TPN 1's colour of round 1 if their TPN is odd, else the other (14.2)."""
    return claim_by_number_parity(one, event.first_colour, "14.2")
