"""Who of two players gets which colour, by which article and why: what every system's colours come to."""

from __future__ import annotations

from typing import NamedTuple

from pairing.engine.paired_round import ColourCause, Fact, ReasonKind, reason
from pairing.engine.reason_runs import Told
from pairing.engine.rules.boards import ColouredPair
from pairing.engine.rules.colours import latest_difference
from pairing.engine.rules.field import Contender
from pairing.engine.snapshot import Colour


class Claim(NamedTuple):
    """A player gets this colour, by the article of this `number`; `facts` are those that show it."""

    player: Contender
    colour: Colour
    number: str
    because: ColourCause
    facts: dict[str, Fact] = {}

    def over(self, rival: Contender, *, article: str, before: tuple[Told, ...]) -> ColouredPair:
        """The two with their colours; the reason for them, which names the article, stands behind those before."""
        white, black = (self.player, rival) if self.colour is Colour.WHITE else (rival, self.player)
        why = reason(
            article,
            ReasonKind.COLOUR,
            white.tpn,
            black.tpn,
            because=self.because,
            claim=self.player.tpn,
            **self.facts,
        )
        return ColouredPair(white=white, black=black, reasons=(*before, why))


def by_histories(one: Contender, other: Contender, number: str) -> Claim | None:
    """At the latest place where their colours differ, each gets the other colour; None where they do not differ."""
    back = latest_difference(one.colours, other.colours)
    if back is None:
        return None
    return Claim(one, one.colours[-back].opposite, number, ColourCause.HISTORY, {"games_back": back})


def by_parity(player: Contender, first_colour: Colour, number: str) -> Claim:
    """With an odd TPN the colour of TPN 1 in round 1, with an even one the other."""
    colour = first_colour if player.tpn % 2 else first_colour.opposite
    return Claim(player, colour, number, ColourCause.NUMBER_PARITY)
