"""The complete list of tie-breaks. A new one is one function in a module of this folder and one line here.

Tests then require the rest: its words, its literal transcription and its row in docs/arbiter/tie-breaks.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pairing.engine.point_systems import format_point_system
from pairing.engine.snapshot import PointSystem
from pairing.engine.standings import (
    buchholz,
    direct_encounter,
    historic_tie_breaks,
    keizer_totals,
    own_record,
    rating_tie_breaks,
)
from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.inputs import StandingsInputs
from pairing.engine.standings.tie_break_codes import TieBreakCode, parse_tie_break_code
from pairing.engine.standings.tie_break_columns import TieBreakColumn

TieBreakFunction: TypeAlias = Callable[[StandingsInputs, TieBreakCode], TieBreakColumn]
"""A tie-break of each player alone, regardless of ties."""
TiedGroupsTieBreakFunction: TypeAlias = Callable[[StandingsInputs, TieBreakCode, TiedGroups], TieBreakColumn]
"""A tie-break that looks at the players tied so far (C.07, type A)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakRule:
    """A tie-break: its document and article, its function, and the modifiers it allows."""

    article: str
    compute_column: TiedGroupsTieBreakFunction
    allowed_modifiers: str = ""
    needs_standard_points: bool = False
    """True if its document fixes the points 1, ½ and 0; a fixed multiple of them will do."""


def _of_each(tie_break: TieBreakFunction) -> TiedGroupsTieBreakFunction:
    return lambda facts, code, groups: tie_break(facts, code)


TIE_BREAKS: Mapping[str, TieBreakRule] = {
    "PTS": TieBreakRule(article="points", compute_column=_of_each(own_record.points_scored)),
    "DE": TieBreakRule(article="C.07 6", compute_column=direct_encounter.direct_encounter, allowed_modifiers="P"),
    "WIN": TieBreakRule(article="C.07 7.1", compute_column=_of_each(own_record.number_of_wins)),
    "WON": TieBreakRule(article="C.07 7.2", compute_column=_of_each(own_record.games_won)),
    "BPG": TieBreakRule(article="C.07 7.3", compute_column=_of_each(own_record.games_played_with_black)),
    "BWG": TieBreakRule(article="C.07 7.4", compute_column=_of_each(own_record.games_won_with_black)),
    "PS": TieBreakRule(
        article="C.07 7.5", compute_column=_of_each(own_record.progressive_scores), allowed_modifiers="C"
    ),
    "REP": TieBreakRule(article="C.07 7.6", compute_column=_of_each(own_record.rounds_elected_to_play)),
    "STD": TieBreakRule(article="C.07 7.7", compute_column=_of_each(own_record.standard_points)),
    "TPN": TieBreakRule(article="C.07 7.8", compute_column=_of_each(own_record.pairing_number), allowed_modifiers="R"),
    "BH": TieBreakRule(article="C.07 8.1", compute_column=_of_each(buchholz.buchholz_score), allowed_modifiers="CMPFV"),
    "AOB": TieBreakRule(
        article="C.07 8.2", compute_column=_of_each(buchholz.average_buchholz_of_opponents), allowed_modifiers="PFV"
    ),
    "FB": TieBreakRule(
        article="C.07 8.3", compute_column=_of_each(buchholz.fore_buchholz_score), allowed_modifiers="CMPV"
    ),
    "SB": TieBreakRule(
        article="C.07 9.1", compute_column=_of_each(buchholz.sonneborn_berger_score), allowed_modifiers="CMPV"
    ),
    "KS": TieBreakRule(article="C.07 9.2", compute_column=_of_each(own_record.koya_score), allowed_modifiers="L"),
    "ARO": TieBreakRule(
        article="C.07 10.1",
        compute_column=_of_each(rating_tie_breaks.average_rating_of_opponents),
        allowed_modifiers="CMU",
    ),
    "TPR": TieBreakRule(
        article="C.07 10.2",
        compute_column=_of_each(rating_tie_breaks.tournament_performance_rating),
        allowed_modifiers="U",
    ),
    "PTP": TieBreakRule(
        article="C.07 10.3",
        compute_column=_of_each(rating_tie_breaks.perfect_tournament_performance),
        allowed_modifiers="U",
    ),
    "APRO": TieBreakRule(
        article="C.07 10.4",
        compute_column=_of_each(rating_tie_breaks.average_performance_of_opponents),
        allowed_modifiers="U",
    ),
    "APPO": TieBreakRule(
        article="C.07 10.5",
        compute_column=_of_each(rating_tie_breaks.average_perfect_performance_of_opponents),
        allowed_modifiers="U",
    ),
    "RTNG": TieBreakRule(
        article="C.07 10.6", compute_column=_of_each(rating_tie_breaks.player_rating), allowed_modifiers="RU"
    ),
    "SOB": TieBreakRule(
        article="C.07 before 2023", compute_column=_of_each(buchholz.sum_of_opponents_buchholz), allowed_modifiers="PFV"
    ),
    "G": TieBreakRule(
        article="Szachy 3/1981, art. 1",
        compute_column=_of_each(historic_tie_breaks.jahr_game_points),
        needs_standard_points=True,
    ),
    "T": TieBreakRule(
        article="Szachy 3/1981, art. 6",
        compute_column=_of_each(historic_tie_breaks.jahr_total_points),
        needs_standard_points=True,
    ),
    "E": TieBreakRule(
        article="Szachy 3/1981, art. 6",
        compute_column=_of_each(historic_tie_breaks.jahr_exact_value),
        needs_standard_points=True,
    ),
    "16": TieBreakRule(
        article="fide-1989 16",
        compute_column=_of_each(historic_tie_breaks.fide_1989_article_16),
        needs_standard_points=True,
    ),
    "16A": TieBreakRule(
        article="fide-1989 16 a", compute_column=_of_each(historic_tie_breaks.reduced_sums_of_opponent_ratings)
    ),
    "16B": TieBreakRule(
        article="fide-1989 16 b",
        compute_column=_of_each(historic_tie_breaks.reduced_sums_of_progressive_scores),
        needs_standard_points=True,
    ),
    "DE1": TieBreakRule(
        article="dutch-1992 F10",
        compute_column=direct_encounter.direct_encounter_for_first_place,
        needs_standard_points=True,
    ),
    "AR": TieBreakRule(
        article="dutch-1992 F10, dubov-1997 9", compute_column=_of_each(rating_tie_breaks.exact_average_rating)
    ),
    "KT": TieBreakRule(article="keizer 2.1", compute_column=_of_each(keizer_totals.keizer_total)),
    "KV": TieBreakRule(article="keizer 1.1", compute_column=_of_each(keizer_totals.keizer_value)),
    "KP": TieBreakRule(article="keizer 2.2", compute_column=_of_each(keizer_totals.points_from_games)),
    "KG": TieBreakRule(article="keizer 2.2", compute_column=_of_each(keizer_totals.games_played)),
    "LOT": TieBreakRule(article="dutch-1992 F10", compute_column=own_record.drawn_lot_number),
}

DEFAULT_TIE_BREAKS_BY_SYSTEM: Mapping[str, tuple[str, ...]] = {
    "jahr": ("T", "E"),
    "fide-1989": ("16",),
    "dutch-1992": ("DE1", "AR", "LOT"),
    "dubov-1997": ("AR",),
    "dutch-2026": ("BH/C1", "BH", "DE"),
    "round-robin": ("DE", "WIN", "SB", "KS"),
    "keizer": ("KT", "KV", "KP", "KG"),
}
"""The tie-breaks of each system's document; for a round robin the usual ones of its regulations."""

KEIZER_TIE_BREAKS = frozenset({"KT", "KV", "KP", "KG"})
"""For Keizer seasons only."""


class UnknownTieBreak(ValueError):
    """Raised if there is no such code: the name is unknown, or the tie-break does not allow the modifier."""

    def __init__(self, code: str, *, takes: str | None = None) -> None:
        self.code = code
        self.takes = takes
        known = f"known are {', '.join(TIE_BREAKS)}" if takes is None else _modifiers_text(takes)
        super().__init__(f"unknown tie-break {code!r}; {known}")


class TieBreaksNeedStandardPoints(ValueError):
    """Raised if the documents of these tie-breaks (`codes`) count 1, ½ and 0 but the event uses other points."""

    def __init__(self, codes: Iterable[str], points: PointSystem) -> None:
        self.codes = tuple(codes)
        super().__init__(
            f"{', '.join(self.codes)}: by the document a win is worth 1 point, a draw 0.5 and a loss none; "
            f"the event counts {format_point_system(points)}"
        )


def check_tie_breaks_for_points(texts: Iterable[str], points: PointSystem) -> tuple[TieBreakCode, ...]:
    """Return the codes in an ordered list, if an event with these points can use them.

    Raises UnknownTieBreak if there is no such code, and TieBreaksNeedStandardPoints if one does not support the points.
    """
    codes = parse_tie_breaks(texts)
    if points.scale_factor is None:
        unfit = [str(code) for code in codes if TIE_BREAKS[code.name].needs_standard_points]
        if unfit:
            raise TieBreaksNeedStandardPoints(unfit, points)
    return codes


def parse_tie_breaks(texts: Iterable[str]) -> tuple[TieBreakCode, ...]:
    """Parse an ordered list of codes, in upper or lower case. Raises UnknownTieBreak if one does not exist."""
    return tuple(parse_tie_break(text) for text in texts)


def parse_tie_break(text: str) -> TieBreakCode:
    """Parse one code, such as `bh-c1` for `BH/C1`. Raises UnknownTieBreak if there is none."""
    read = parse_tie_break_code(text)
    if read is None or read[0].name not in TIE_BREAKS:
        raise UnknownTieBreak(text)
    code, letters = read
    takes = TIE_BREAKS[code.name].allowed_modifiers
    if not letters <= set(takes):
        raise UnknownTieBreak(text, takes=takes)
    return code


def is_known_tie_break(text: str) -> bool:
    """Return True if the code exists."""
    try:
        parse_tie_break(text)
    except UnknownTieBreak:
        return False
    return True


_MODIFIERS = {"C": "/C1", "M": "/M1", "L": "/L+1", "P": "/P", "F": "/F", "R": "/R", "U": "/U1400", "V": "/V1"}


def _modifiers_text(takes: str) -> str:
    if not takes:
        return "it takes no modifiers"
    return f"it takes {', '.join(_MODIFIERS[letter] for letter in takes)}"
