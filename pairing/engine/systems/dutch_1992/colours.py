"""Colour allocation (E)."""

from __future__ import annotations

from pairing.engine.paired_round import ColourCause
from pairing.engine.rules.board_order import ColouredPair
from pairing.engine.rules.colour_allocation import ColourClaim, claim_by_history, claim_by_number_parity
from pairing.engine.rules.colour_preferences import ColourPreference, PreferenceStrength
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dutch_1992.brackets import Pair, a2_sort_key, article_reference


def allocate_colours(pair: Pair, first_colour: Colour) -> ColouredPair:
    """Return the pair with its colours and the reason for them. `first_colour` is TPN 1's colour in round 1."""
    higher, lower = sorted((pair.chooser, pair.opponent), key=a2_sort_key)
    claim = _claim(higher, lower, first_colour)
    rival = lower if claim.player is higher else higher
    return claim.build_coloured_pair(rival, article=article_reference(claim.article_number), before=pair.reasons)


def _claim(higher: PairingPlayer, lower: PairingPlayer, first_colour: Colour) -> ColourClaim:
    his, theirs = higher.preference, lower.preference
    if his is not None and theirs is not None:
        if his.colour is not theirs.colour:
            return ColourClaim(higher, his.colour, "E1", ColourCause.BOTH_DUE)
        return _stronger(higher, his, lower, theirs) or _histories(higher, lower) or _higher(higher, his)
    if his is not None:
        return ColourClaim(higher, his.colour, "E1", ColourCause.ONLY_ONE_DUE)
    if theirs is not None:
        return ColourClaim(lower, theirs.colour, "E1", ColourCause.ONLY_ONE_DUE)
    return _drawn(higher, first_colour)


def _drawn(higher: PairingPlayer, first_colour: Colour) -> ColourClaim:
    """Give an odd TPN the colour drawn for TPN 1, an even one the other (E4, round 1)."""
    return claim_by_number_parity(higher, first_colour, "E4")


def _stronger(
    higher: PairingPlayer, his: ColourPreference, lower: PairingPlayer, theirs: ColourPreference
) -> ColourClaim | None:
    """Grant the stronger preference (E2): absolute, strong, mild."""
    if his.strength == theirs.strength:
        return None
    player, preference = (higher, his) if his.strength > theirs.strength else (lower, theirs)
    absolute = preference.strength is PreferenceStrength.ABSOLUTE
    because = ColourCause.ABSOLUTE if absolute else ColourCause.STRONGER
    return ColourClaim(player, preference.colour, "E2", because)


def _histories(higher: PairingPlayer, lower: PairingPlayer) -> ColourClaim | None:
    """Alternate from the latest game with different colours (E3, F3), gaps moved to the front."""
    return claim_by_history(higher, lower, "E3")


def _higher(higher: PairingPlayer, his: ColourPreference) -> ColourClaim:
    """Grant the higher player's preference (E4)."""
    return ColourClaim(higher, his.colour, "E4", ColourCause.HIGHER_PLAYER)
