"""Colour allocation for every system: who gets which colour, by which article, and why."""

from __future__ import annotations

from typing import NamedTuple

from pairing.engine.paired_round import ColourCause, ReasonEntry, ReasonFact, ReasonKind, make_single_reason
from pairing.engine.rules.board_order import ColouredPair
from pairing.engine.rules.colour_preferences import latest_differing_game
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import Colour


class ColourClaim(NamedTuple):
    """A player's claim to a colour under the article `article_number`. `facts` support it."""

    player: PairingPlayer
    colour: Colour
    article_number: str
    because: ColourCause
    facts: dict[str, ReasonFact] = {}

    def build_coloured_pair(
        self, rival: PairingPlayer, *, article: str, before: tuple[ReasonEntry, ...]
    ) -> ColouredPair:
        """Return the two players with their colours. The reason for the colours follows the reasons in `before`."""
        white, black = (self.player, rival) if self.colour is Colour.WHITE else (rival, self.player)
        facts: dict[str, ReasonFact] = {
            "claim": self.player.tpn,
            "white_colours": _colour_letters(white),
            "black_colours": _colour_letters(black),
        }
        due = white.due_colour
        if due is not None and due is black.due_colour:
            facts["both_due"] = due.value
        if self.because is ColourCause.HIGHER_PLAYER and "numbers" not in self.facts and white.number == white.tpn:
            facts |= {"white_half_points": white.pairing_score, "black_half_points": black.pairing_score}
        why = make_single_reason(
            article, ReasonKind.COLOUR, white.tpn, black.tpn, because=self.because, **self.facts, **facts
        )
        return ColouredPair(white=white, black=black, reasons=(*before, why))


def _colour_letters(player: PairingPlayer) -> str:
    """Return the colours of the played games, earliest first, as letters: "wbw"."""
    return "".join(["w" if colour is Colour.WHITE else "b" for colour in player.colours])


def claim_by_history(one: PairingPlayer, other: PairingPlayer, number: str) -> ColourClaim | None:
    """Return the claim from the latest round in which the two players had different colours, or None."""
    back = latest_differing_game(one.colours, other.colours)
    if back is None:
        return None
    return ColourClaim(one, one.colours[-back].opposite, number, ColourCause.HISTORY, {"games_back": back})


def claim_by_number_parity(player: PairingPlayer, first_colour: Colour, number: str) -> ColourClaim:
    """Return the claim to TPN 1's colour in round 1 for an odd TPN, else to the other colour."""
    colour = first_colour if player.tpn % 2 else first_colour.opposite
    return ColourClaim(player, colour, number, ColourCause.NUMBER_PARITY, parity_facts(player.tpn, first_colour))


def parity_facts(number: int, first_colour: Colour) -> dict[str, ReasonFact]:
    """Return the number that decided, and the colour drawn for odd numbers."""
    return {"number": number, "first_colour": first_colour.value}
