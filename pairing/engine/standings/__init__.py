"""Standings: players by their points, then by any list of tie-breaks, each value with its working.

`docs/arbiter/tie-breaks.md` gives every article with its function, and our reading where it is open.
"""

from pairing.engine.standings.inputs import TieBreakBasis
from pairing.engine.standings.rank_check import WrongRank, find_wrong_ranks
from pairing.engine.standings.ranking import (
    PlayerStanding,
    Ranking,
    TieBreakWorking,
    explain_tie_break_value,
    rank_players,
)
from pairing.engine.standings.tie_break_codes import TieBreakCode, TieBreakEdition
from pairing.engine.standings.tie_break_columns import CutReason, TieBreakValue, TieBreakWorkingRow, half_points_value
from pairing.engine.standings.tie_break_registry import (
    DEFAULT_TIE_BREAKS_BY_SYSTEM,
    KEIZER_TIE_BREAKS,
    TIE_BREAKS,
    TieBreaksNeedStandardPoints,
    UnknownTieBreak,
    check_tie_breaks_for_points,
    is_known_tie_break,
    parse_tie_break,
    parse_tie_breaks,
)

__all__ = [
    "DEFAULT_TIE_BREAKS_BY_SYSTEM",
    "KEIZER_TIE_BREAKS",
    "TIE_BREAKS",
    "CutReason",
    "PlayerStanding",
    "Ranking",
    "TieBreakBasis",
    "TieBreakCode",
    "TieBreakEdition",
    "TieBreakValue",
    "TieBreakWorking",
    "TieBreakWorkingRow",
    "TieBreaksNeedStandardPoints",
    "UnknownTieBreak",
    "WrongRank",
    "check_tie_breaks_for_points",
    "explain_tie_break_value",
    "find_wrong_ranks",
    "half_points_value",
    "is_known_tie_break",
    "parse_tie_break",
    "parse_tie_breaks",
    "rank_players",
]
