"""Colour allocation (5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.paired_round import ColourCause, ReasonEntry
from pairing.engine.rule_interpretations import INITIAL_COLOUR, RULE_INTERPRETATIONS, format_interpretation
from pairing.engine.rules.board_order import ColouredPair
from pairing.engine.rules.colour_allocation import ColourClaim, claim_by_history, parity_facts
from pairing.engine.rules.colour_preferences import ColourPreference, PreferenceStrength
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour, PairingCard, PairingNumber, TournamentSnapshot
from pairing.engine.systems.dutch_2026.players import article_reference, rank_key

COUNT_STARTING_LIST = RULE_INTERPRETATIONS[INITIAL_COLOUR].alternative_value


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialColour:
    """The initial colour (5.1), and the numbers that decide who gets it.

    `positions` contains each player's position among those who have a pairing number: everyone who was paired in this
    or an earlier round. Players who have yet to arrive have none (C.04.2:2.4).
    """

    colour: Colour
    interpretation: str
    positions: Mapping[PairingNumber, int]

    @classmethod
    def from_snapshot(cls, snapshot: TournamentSnapshot) -> InitialColour:
        """Read the initial colour and everyone's position from a snapshot."""
        arrived = sorted(card.tpn for card in snapshot.cards if card.unavailable is None or _was_paired(card))
        return cls(
            colour=snapshot.first_colour,
            interpretation=snapshot.chosen_interpretation(INITIAL_COLOUR),
            positions={tpn: place for place, tpn in enumerate(arrived, start=1)},
        )

    def claim_for_player(self, player: PairingPlayer) -> ColourClaim:
        """Return the player's claim: the initial colour for an odd number, the opposite for an even one (5.2.5)."""
        listed, position = player.tpn, self.positions[player.tpn]
        number = listed if self.interpretation == COUNT_STARTING_LIST else position
        hangs_on_reading = (listed - position) % 2 != 0
        facts = parity_facts(number, self.colour)
        if hangs_on_reading:
            facts["reading"] = format_interpretation(INITIAL_COLOUR, self.interpretation)
        colour = self.colour if number % 2 else self.colour.opposite
        return ColourClaim(player, colour, "5.2.5", ColourCause.NUMBER_PARITY, facts)


def _was_paired(card: PairingCard) -> bool:
    """Return True if an earlier round paired the player: a game, played or forfeited, or the pairing-allocated bye."""
    return any(record.result.is_from_pairing for record in card.records)


def allocate_colours(
    one: PairingPlayer, other: PairingPlayer, reasons: tuple[ReasonEntry, ...], initial: InitialColour
) -> ColouredPair:
    """Return the pair with its colours. The reason for the colours follows the pair's other reasons."""
    higher, lower = (one, other) if rank_key(one) < rank_key(other) else (other, one)
    claim = find_colour_claim(higher, lower, initial)
    rival = lower if claim.player is higher else higher
    return claim.build_coloured_pair(rival, article=article_reference(claim.article_number), before=reasons)


def find_colour_claim(higher: PairingPlayer, lower: PairingPlayer, initial: InitialColour) -> ColourClaim:
    """Apply the first rule of 5.2 that decides."""
    his, theirs = higher.preference, lower.preference
    if his is not None and theirs is not None and his.colour is theirs.colour:
        return (
            _stronger(higher, his, lower, theirs)
            or _wider(higher, his, lower, theirs)
            or _histories(higher, lower)
            or ColourClaim(higher, his.colour, "5.2.4", ColourCause.HIGHER_PLAYER)
        )
    if his is not None:
        because = ColourCause.BOTH_DUE if theirs is not None else ColourCause.ONLY_ONE_DUE
        return ColourClaim(higher, his.colour, "5.2.1", because)
    if theirs is not None:
        return ColourClaim(lower, theirs.colour, "5.2.1", ColourCause.ONLY_ONE_DUE)
    return initial.claim_for_player(higher)


def _stronger(
    higher: PairingPlayer, his: ColourPreference, lower: PairingPlayer, theirs: ColourPreference
) -> ColourClaim | None:
    """Grant the stronger preference (5.2.2)."""
    if his.strength == theirs.strength:
        return None
    player, preference = (higher, his) if his.strength > theirs.strength else (lower, theirs)
    absolute = preference.strength is PreferenceStrength.ABSOLUTE
    return ColourClaim(player, preference.colour, "5.2.2", ColourCause.ABSOLUTE if absolute else ColourCause.STRONGER)


def _wider(
    higher: PairingPlayer, his: ColourPreference, lower: PairingPlayer, theirs: ColourPreference
) -> ColourClaim | None:
    """Of two absolute preferences, grant the one with the wider colour difference (5.2.2)."""
    wide, narrow = abs(higher.colour_difference), abs(lower.colour_difference)
    if wide == narrow or his.strength is not PreferenceStrength.ABSOLUTE:
        return None
    player, preference = (higher, his) if wide > narrow else (lower, theirs)
    return ColourClaim(player, preference.colour, "5.2.2", ColourCause.DIFFERENCE)


def _histories(higher: PairingPlayer, lower: PairingPlayer) -> ColourClaim | None:
    """Reverse the colours of the latest round in which they differed (5.2.3)."""
    return claim_by_history(higher, lower, "5.2.3")
