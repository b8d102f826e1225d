"""5: who gets which colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.paired_round import ColourCause, Fact
from pairing.engine.readings import INITIAL_COLOUR, READINGS, stated
from pairing.engine.reason_runs import Told
from pairing.engine.rules.boards import ColouredPair
from pairing.engine.rules.claims import Claim, by_histories
from pairing.engine.rules.colours import ColourPreference, PreferenceStrength
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour, PairingNumber, TournamentSnapshot
from pairing.engine.systems.dutch_2026.players import article, rank

PRESENT = READINGS[INITIAL_COLOUR].other


@dataclass(frozen=True, slots=True, kw_only=True)
class Initial:
    """The initial colour (5.1), and by which numbers it is given: those of the list, or `present` where they differ."""

    colour: Colour
    reading: str
    present: Mapping[PairingNumber, int]

    @classmethod
    def of(cls, snapshot: TournamentSnapshot) -> Initial:
        """In round 1 those who are present may be counted; later everybody has his number."""
        here = sorted(card.tpn for card in snapshot.cards if card.unavailable is None)
        first = {tpn: place for place, tpn in enumerate(here, start=1)} if not snapshot.rounds_paired else {}
        return cls(colour=snapshot.first_colour, reading=snapshot.reading(INITIAL_COLOUR), present=first)

    def claim(self, player: Contender) -> Claim:
        """5.2.5: the initial colour for an odd number, the other for an even one."""
        listed, present = player.tpn, self.present.get(player.tpn, player.tpn)
        number = present if self.reading == PRESENT else listed
        hangs_on_reading = (listed - present) % 2 != 0
        facts: dict[str, Fact] = {"reading": stated(INITIAL_COLOUR, self.reading)} if hangs_on_reading else {}
        colour = self.colour if number % 2 else self.colour.opposite
        return Claim(player, colour, "5.2.5", ColourCause.NUMBER_PARITY, facts)


def give_colours(one: Contender, other: Contender, reasons: tuple[Told, ...], initial: Initial) -> ColouredPair:
    """The pair with its colours, and the reason for them after its own."""
    higher, lower = (one, other) if rank(one) < rank(other) else (other, one)
    claim = claim_of(higher, lower, initial)
    rival = lower if claim.player is higher else higher
    return claim.over(rival, article=article(claim.number), before=reasons)


def claim_of(higher: Contender, lower: Contender, initial: Initial) -> Claim:
    """5.2: the first of its rules that decides."""
    his, theirs = higher.preference, lower.preference
    if his is not None and theirs is not None and his.colour is theirs.colour:
        return (
            _stronger(higher, his, lower, theirs)
            or _wider(higher, his, lower, theirs)
            or _histories(higher, lower)
            or Claim(higher, his.colour, "5.2.4", ColourCause.HIGHER_PLAYER)
        )
    if his is not None:
        because = ColourCause.BOTH_DUE if theirs is not None else ColourCause.ONLY_ONE_DUE
        return Claim(higher, his.colour, "5.2.1", because)
    if theirs is not None:
        return Claim(lower, theirs.colour, "5.2.1", ColourCause.ONLY_ONE_DUE)
    return initial.claim(higher)


def _stronger(higher: Contender, his: ColourPreference, lower: Contender, theirs: ColourPreference) -> Claim | None:
    """5.2.2: the stronger preference."""
    if his.strength == theirs.strength:
        return None
    player, preference = (higher, his) if his.strength > theirs.strength else (lower, theirs)
    absolute = preference.strength is PreferenceStrength.ABSOLUTE
    return Claim(player, preference.colour, "5.2.2", ColourCause.ABSOLUTE if absolute else ColourCause.STRONGER)


def _wider(higher: Contender, his: ColourPreference, lower: Contender, theirs: ColourPreference) -> Claim | None:
    """5.2.2: of two absolute preferences the wider colour difference."""
    wide, narrow = abs(higher.colour_difference), abs(lower.colour_difference)
    if wide == narrow or his.strength is not PreferenceStrength.ABSOLUTE:
        return None
    player, preference = (higher, his) if wide > narrow else (lower, theirs)
    return Claim(player, preference.colour, "5.2.2", ColourCause.DIFFERENCE)


def _histories(higher: Contender, lower: Contender) -> Claim | None:
    """5.2.3: the colours of the latest games in which they differed, turned round."""
    return by_histories(higher, lower, "5.2.3")
