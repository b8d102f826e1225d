"""The closed list of tie-breaks. A new one is one function in a module of this folder and one line here.

Tests then ask for what it needs elsewhere: its words, its twin and its row in docs/systems/tie-breaks.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pairing.engine.points import points_written
from pairing.engine.snapshot import PointSystem
from pairing.engine.standings import buchholz, direct_encounter, fide_1989, jahr, koya, lots, own_record, ratings
from pairing.engine.standings.codes import TieBreakCode, read_code
from pairing.engine.standings.columns import Column
from pairing.engine.standings.direct_encounter import TiedGroups
from pairing.engine.standings.facts import StandingsFacts

TieBreak: TypeAlias = Callable[[StandingsFacts, TieBreakCode], Column]
"""A tie-break of every player by himself, whoever is tied with whom."""
TieBreakAmongTied: TypeAlias = Callable[[StandingsFacts, TieBreakCode, TiedGroups], Column]
"""A tie-break that looks at the players tied so far (C.07, type A)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What is known of a tie-break: the document with its article, how it is worked out, the modifiers it takes."""

    article: str
    column: TieBreakAmongTied
    modifiers: str = ""
    needs_usual_points: bool = False
    """Its document counts a win 1, a draw ½ and a loss nothing; 2, 1 and 0 are those counted in halves."""


def _of_each(tie_break: TieBreak) -> TieBreakAmongTied:
    return lambda facts, code, groups: tie_break(facts, code)


TIE_BREAKS: Mapping[str, Rule] = {
    "PTS": Rule(article="points", column=_of_each(own_record.points)),
    "DE": Rule(article="C.07 6", column=direct_encounter.direct_encounter, modifiers="P"),
    "WIN": Rule(article="C.07 7.1", column=_of_each(own_record.number_of_wins)),
    "WON": Rule(article="C.07 7.2", column=_of_each(own_record.games_won)),
    "BPG": Rule(article="C.07 7.3", column=_of_each(own_record.games_with_black)),
    "BWG": Rule(article="C.07 7.4", column=_of_each(own_record.games_won_with_black)),
    "PS": Rule(article="C.07 7.5", column=_of_each(own_record.progressive_scores), modifiers="C"),
    "REP": Rule(article="C.07 7.6", column=_of_each(own_record.rounds_elected_to_play)),
    "STD": Rule(article="C.07 7.7", column=_of_each(own_record.standard_points)),
    "TPN": Rule(article="C.07 7.8", column=_of_each(own_record.pairing_number), modifiers="R"),
    "BH": Rule(article="C.07 8.1", column=_of_each(buchholz.buchholz), modifiers="CMPFV"),
    "AOB": Rule(article="C.07 8.2", column=_of_each(buchholz.average_of_opponents_buchholz), modifiers="PFV"),
    "FB": Rule(article="C.07 8.3", column=_of_each(buchholz.fore_buchholz), modifiers="CMPV"),
    "SB": Rule(article="C.07 9.1", column=_of_each(buchholz.sonneborn_berger), modifiers="CMPV"),
    "KS": Rule(article="C.07 9.2", column=_of_each(koya.koya), modifiers="L"),
    "ARO": Rule(article="C.07 10.1", column=_of_each(ratings.average_rating_of_opponents), modifiers="CMU"),
    "TPR": Rule(article="C.07 10.2", column=_of_each(ratings.tournament_performance_rating), modifiers="U"),
    "PTP": Rule(article="C.07 10.3", column=_of_each(ratings.perfect_tournament_performance), modifiers="U"),
    "APRO": Rule(article="C.07 10.4", column=_of_each(ratings.average_performance_of_opponents), modifiers="U"),
    "APPO": Rule(article="C.07 10.5", column=_of_each(ratings.average_perfect_performance_of_opponents), modifiers="U"),
    "RTNG": Rule(article="C.07 10.6", column=_of_each(ratings.rating), modifiers="RU"),
    "SOB": Rule(article="C.07 before 2023", column=_of_each(buchholz.sum_of_buchholz), modifiers="PFV"),
    "G": Rule(article="Szachy 3/1981 1", column=_of_each(jahr.game_points), needs_usual_points=True),
    "T": Rule(article="Szachy 3/1981 6", column=_of_each(jahr.total_points), needs_usual_points=True),
    "E": Rule(article="Szachy 3/1981 6", column=_of_each(jahr.exact_value), needs_usual_points=True),
    "16": Rule(article="fide-1989 16", column=_of_each(fide_1989.article_16), needs_usual_points=True),
    "16A": Rule(article="fide-1989 16 a", column=_of_each(fide_1989.ratings_of_opponents)),
    "16B": Rule(article="fide-1989 16 b", column=_of_each(fide_1989.progressive_scores), needs_usual_points=True),
    "DE1": Rule(
        article="dutch-1992 F10",
        column=direct_encounter.direct_encounter_for_first_place,
        needs_usual_points=True,
    ),
    "AR": Rule(article="dutch-1992 F10, dubov-1997 9", column=_of_each(ratings.exact_average_rating)),
    "LOT": Rule(article="dutch-1992 F10", column=lots.lot),
}

TIE_BREAKS_OF_SYSTEM: Mapping[str, tuple[str, ...]] = {
    "jahr": ("T", "E"),
    "fide-1989": ("16",),
    "dutch-1992": ("DE1", "AR", "LOT"),
    "dubov-1997": ("AR",),
    "dutch-2026": ("BH/C1", "BH", "DE"),
    "round-robin": ("DE", "WIN", "SB", "KS"),
}
"""What each system's document breaks ties by; a round robin as its regulations usually say."""


class UnknownTieBreak(ValueError):
    """A code that there is not: an unknown name, or a modifier that the tie-break does not take."""

    def __init__(self, code: str, *, takes: str | None = None) -> None:
        self.code = code
        self.takes = takes
        known = f"known are {', '.join(TIE_BREAKS)}" if takes is None else _modifiers_text(takes)
        super().__init__(f"unknown tie-break {code!r}; {known}")


class TieBreaksNeedUsualPoints(ValueError):
    """Tie-breaks, `codes`, whose documents count 1, ½ and 0, in an event that counts otherwise."""

    def __init__(self, codes: Iterable[str], points: PointSystem) -> None:
        self.codes = tuple(codes)
        super().__init__(
            f"{', '.join(self.codes)}: by the document a win is worth 1 point, a draw 0.5 and a loss none; "
            f"the event counts {points_written(points)}"
        )


def check_tie_breaks(texts: Iterable[str], points: PointSystem) -> tuple[TieBreakCode, ...]:
    """The codes of an ordered list, which an event that counts so can use.

    Raises UnknownTieBreak and TieBreaksNeedUsualPoints.
    """
    codes = parse_tie_breaks(texts)
    if points.scale is None:
        unfit = [str(code) for code in codes if TIE_BREAKS[code.name].needs_usual_points]
        if unfit:
            raise TieBreaksNeedUsualPoints(unfit, points)
    return codes


def parse_tie_breaks(texts: Iterable[str]) -> tuple[TieBreakCode, ...]:
    """The codes of an ordered list, in whatever case they are written. Raises UnknownTieBreak."""
    return tuple(parse_tie_break(text) for text in texts)


def parse_tie_break(text: str) -> TieBreakCode:
    """One code, `BH/C1` as `bh-c1`. Raises UnknownTieBreak."""
    read = read_code(text)
    if read is None or read[0].name not in TIE_BREAKS:
        raise UnknownTieBreak(text)
    code, letters = read
    takes = TIE_BREAKS[code.name].modifiers
    if not letters <= set(takes):
        raise UnknownTieBreak(text, takes=takes)
    return code


def is_tie_break(text: str) -> bool:
    """Whether there is such a code."""
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
