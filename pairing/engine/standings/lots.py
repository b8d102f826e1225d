"""Drawing of lots: the Dutch system of 1992, F10, and FIDE Handbook C.07, article 4.2."""

from __future__ import annotations

from pairing.engine.standings.codes import TieBreakCode
from pairing.engine.standings.columns import NO_VALUE, Column, ordered, plain_column
from pairing.engine.standings.facts import StandingsFacts


def lot(facts: StandingsFacts, code: TieBreakCode) -> Column:
    """LOT: the places drawn, once and outside: here they are data. Players without a lot stay tied."""
    return plain_column(
        {tpn: ordered(facts.lots[tpn], descending=False) if tpn in facts.lots else NO_VALUE for tpn in facts.outcomes}
    )
