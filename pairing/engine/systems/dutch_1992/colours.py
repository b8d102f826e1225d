"""E: who gets which colour."""

from __future__ import annotations

from pairing.engine.paired_round import ColourCause
from pairing.engine.rules.board_order import ColouredPair
from pairing.engine.rules.colour_allocation import ColourClaim, claim_by_history, claim_by_number_parity
from pairing.engine.rules.colour_preferences import ColourPreference, PreferenceStrength
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dutch_1992.brackets import Pair, a2_sort_key, article_reference


def allocate_colours(pair: Pair, first_colour: Colour) -> ColouredPair:
    """The pair with its colours, and the reason for them after the pair's own. `first_colour` is TPN 1's of round 1."""
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
    """E4, round 1: with an odd TPN the colour drawn for TPN 1, with an even one the other."""
    return claim_by_number_parity(higher, first_colour, "E4")


def _stronger(
    higher: PairingPlayer, his: ColourPreference, lower: PairingPlayer, theirs: ColourPreference
) -> ColourClaim | None:
    """E2: the stronger preference; an absolute one, a strong one, a mild one."""
    if his.strength == theirs.strength:
        return None
    player, preference = (higher, his) if his.strength > theirs.strength else (lower, theirs)
    absolute = preference.strength is PreferenceStrength.ABSOLUTE
    because = ColourCause.ABSOLUTE if absolute else ColourCause.STRONGER
    return ColourClaim(player, preference.colour, "E2", because)


def _histories(higher: PairingPlayer, lower: PairingPlayer) -> ColourClaim | None:
    """E3, F3: alternate from the latest game in which they had different colours, gaps moved to the front."""
    return claim_by_history(higher, lower, "E3")


def _higher(higher: PairingPlayer, his: ColourPreference) -> ColourClaim:
    """E4: the higher player's preference."""
    return ColourClaim(higher, his.colour, "E4", ColourCause.HIGHER_PLAYER)
