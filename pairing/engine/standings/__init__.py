"""Standings: players by their points, then by any list of tie-breaks, each value with its working.

`docs/systems/tie-breaks.md` gives every article with its function, and how it is read where it is open.
"""

from pairing.engine.standings.catalogue import (
    TIE_BREAKS,
    TIE_BREAKS_OF_SYSTEM,
    TieBreaksNeedUsualPoints,
    UnknownTieBreak,
    check_tie_breaks,
    is_tie_break,
    parse_tie_break,
    parse_tie_breaks,
)
from pairing.engine.standings.codes import Edition, TieBreakCode
from pairing.engine.standings.columns import Cut, TieBreakValue, WorkingRow, halves
from pairing.engine.standings.ranking import Ranking, Standing, Working, explain, rank_players
from pairing.engine.standings.unplayed import Basis

__all__ = [
    "TIE_BREAKS",
    "TIE_BREAKS_OF_SYSTEM",
    "Basis",
    "Cut",
    "Edition",
    "Ranking",
    "Standing",
    "TieBreakCode",
    "TieBreakValue",
    "TieBreaksNeedUsualPoints",
    "UnknownTieBreak",
    "Working",
    "WorkingRow",
    "check_tie_breaks",
    "explain",
    "halves",
    "is_tie_break",
    "parse_tie_break",
    "parse_tie_breaks",
    "rank_players",
]
