"""Drawing of lots: the Dutch system of 1992, F10, and FIDE Handbook C.07, article 4.2."""

from __future__ import annotations

from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.inputs import StandingsInputs
from pairing.engine.standings.tie_break_codes import TieBreakCode
from pairing.engine.standings.tie_break_columns import NO_VALUE, TieBreakColumn, column_without_working, ordering_value


def drawn_lot_number(facts: StandingsInputs, code: TieBreakCode, groups: TiedGroups) -> TieBreakColumn:
    """LOT: the smaller number comes first. Lots are drawn outside the program, once; here they are data.

    Only players still tied have a value; those among them without a lot stay tied, behind the others.
    """
    values = dict.fromkeys(facts.outcomes_by_player, NO_VALUE)
    for group in groups:
        if len(group) > 1:
            values |= {tpn: ordering_value(facts.lots[tpn], descending=False) for tpn in group if tpn in facts.lots}
    return column_without_working(values)
