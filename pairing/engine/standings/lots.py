"""Drawing of lots: the Dutch system of 1992, F10, and FIDE Handbook C.07, article 4.2."""

from __future__ import annotations

from pairing.engine.standings.codes import TieBreakCode
from pairing.engine.standings.columns import NO_VALUE, Column, ordered, plain_column
from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.facts import StandingsFacts


def lot(facts: StandingsFacts, code: TieBreakCode, groups: TiedGroups) -> Column:
    """LOT: the numbers drawn, once and outside: here they are data. The smaller stands first.

    Only players tied so far have a value; those of them without a lot stay tied, behind the others.
    """
    values = dict.fromkeys(facts.outcomes, NO_VALUE)
    for group in groups:
        if len(group) > 1:
            values |= {tpn: ordered(facts.lots[tpn], descending=False) for tpn in group if tpn in facts.lots}
    return plain_column(values)
