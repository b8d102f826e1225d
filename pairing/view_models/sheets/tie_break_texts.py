"""Tie-breaks in words: the heading and meaning of a column, and the working of a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import accumulate

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from pairing.engine.snapshot import PairingNumber, Result, RoundRecord
from pairing.engine.standings import (
    KEIZER_TIE_BREAKS,
    CutReason,
    TieBreakBasis,
    TieBreakCode,
    TieBreakWorkingRow,
    parse_tie_break,
)
from pairing.engine.systems.keizer import explain_change, parse_keizer_options
from pairing.explanations.keizer_sentences import change_sentences, describe_keizer_options
from pairing.explanations.reason_sentences import points_text
from pairing.view_models.standings.event_standings import EventStandings
from tournaments.models import Entry

TIE_BREAK_HEADINGS: Mapping[str, str | Promise] = {
    "PTS": gettext_lazy("Points"),
    "16": gettext_lazy("Art. 16"),
    "16A": gettext_lazy("Ratings"),
    "16B": gettext_lazy("Progr."),
    "DE1": gettext_lazy("Games"),
    "LOT": gettext_lazy("Lot"),
    "KT": pgettext_lazy("Keizer system", "Total"),
    "KV": pgettext_lazy("Keizer system", "Value"),
    "KP": gettext_lazy("Points"),
    "KG": gettext_lazy("Games"),
}
"""Headings that differ from the code."""

TIE_BREAK_MEANINGS: Mapping[str, str | Promise] = {
    "PTS": gettext_lazy("points from games and byes"),
    "DE": gettext_lazy("direct encounter: place among the tied players in the games between them, or 0 if undecided"),
    "WIN": gettext_lazy("number of wins, including forfeit wins and full-point byes"),
    "WON": gettext_lazy("games won over the board"),
    "BPG": gettext_lazy("games played with Black"),
    "BWG": gettext_lazy("games won with Black"),
    "PS": gettext_lazy("progressive score: the sum of the scores after each round"),
    "REP": gettext_lazy("rounds without a requested bye or forfeit loss"),
    "STD": gettext_lazy("standard points: 1 for scoring more than the opponent, ½ for the same"),
    "TPN": gettext_lazy("pairing number, from the starting list"),
    "BH": gettext_lazy("Buchholz: the sum of the opponents' scores"),
    "AOB": gettext_lazy("average Buchholz of the opponents"),
    "FB": gettext_lazy("Fore Buchholz: Buchholz as if every game of the last round were drawn"),
    "SOB": gettext_lazy("sum of the opponents' Buchholz"),
    "SB": gettext_lazy("Sonneborn-Berger: each opponent's score times the points scored against them"),
    "KS": gettext_lazy("Koya: points against opponents who scored at least half of the possible points"),
    "ARO": gettext_lazy("average rating of the opponents, rounded to a whole number"),
    "TPR": gettext_lazy("tournament performance rating"),
    "PTP": gettext_lazy("perfect tournament performance: the lowest rating that would be expected to make this score"),
    "APRO": gettext_lazy("average performance rating of the opponents"),
    "APPO": gettext_lazy("average perfect performance of the opponents"),
    "RTNG": gettext_lazy("rating"),
    "G": gettext_lazy("game points: 1, ½ or 0 per game, and ½ for the bye"),
    "T": gettext_lazy("total points: game points plus, for each game, a tenth of the opponent's total at the time"),
    "E": gettext_lazy("exact value: the sum of the opponents' totals, not divided by 10 or rounded"),
    "16": gettext_lazy("article 16: the opponents' ratings, or progressive scores if a player is unrated"),
    "16A": gettext_lazy("sum of the opponents' ratings, without the lowest"),
    "16B": gettext_lazy("progressive scores: the sum of the scores after each round"),
    "DE1": gettext_lazy("for first place: points in the games between the tied players"),
    "AR": gettext_lazy("average rating of the opponents, not rounded"),
    "KT": gettext_lazy("the player's own value, plus what each round is worth at the current values"),
    "KV": gettext_lazy("what a win against this player is worth"),
    "KP": gettext_lazy("points from games over the board"),
    "KG": gettext_lazy("games played over the board"),
    "LOT": gettext_lazy("number drawn by lot, if nothing else decides (the smallest number ranks first)"),
}
"""The meaning of each tie-break, by its code without modifiers."""

_BASES: Mapping[TieBreakBasis, str | Promise] = {
    TieBreakBasis.OPPONENT: "",
    TieBreakBasis.ADJUSTED_OPPONENT: gettext_lazy("this opponent's byes in the last rounds count as draws"),
    TieBreakBasis.SCHEDULED_OPPONENT: gettext_lazy("not played, but counts as a game"),
    TieBreakBasis.DUMMY: gettext_lazy("not played: dummy opponent with the player's own score"),
    TieBreakBasis.DUMMY_AS_OPPONENT: gettext_lazy(
        "not played: dummy opponent, with the player's own score but no more than this opponent's"
    ),
    TieBreakBasis.DUMMY_AS_DRAWS: gettext_lazy(
        "not played: dummy opponent, with the player's own score but no more than for drawing every round"
    ),
    TieBreakBasis.OWN: "",
    TieBreakBasis.KEIZER_SELF: gettext_lazy("the player's own value"),
    TieBreakBasis.KEIZER_GAME: "",
    TieBreakBasis.KEIZER_FORFEIT_WIN: gettext_lazy("win by forfeit"),
    TieBreakBasis.KEIZER_FORFEIT_LOSS: gettext_lazy("forfeit loss"),
    TieBreakBasis.KEIZER_WITHDRAWN: gettext_lazy("opponent withdrew"),
    TieBreakBasis.KEIZER_BYE: gettext_lazy("bye"),
    TieBreakBasis.KEIZER_EXCUSED: gettext_lazy("absent with notice"),
    TieBreakBasis.KEIZER_ABSENT: gettext_lazy("absent without notice"),
    TieBreakBasis.KEIZER_DUTY: gettext_lazy("playing for the club"),
    TieBreakBasis.KEIZER_LATE: gettext_lazy("before a late entry"),
    TieBreakBasis.NOT_MET: gettext_lazy("have not met"),
}
_GAME_RESULTS: Mapping[Result | None, str | Promise] = {
    **dict.fromkeys((Result.WIN, Result.UNRATED_WIN), gettext_lazy("win")),
    **dict.fromkeys((Result.DRAW, Result.UNRATED_DRAW), gettext_lazy("draw")),
    **dict.fromkeys((Result.LOSS, Result.UNRATED_LOSS), gettext_lazy("loss")),
}
_CUTS: Mapping[CutReason, str | Promise] = {
    CutReason.LOW: gettext_lazy("cut: least significant value"),
    CutReason.HIGH: gettext_lazy("cut: most significant value"),
    CutReason.BELOW_LIMIT: gettext_lazy("below the limit"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakWorkingTextRow:
    """One line of a tie-break's calculation. Strings are empty and numbers None if there is nothing to show."""

    round: int | None
    opponent: str
    opponent_entry: int | None
    opponent_tpn: PairingNumber | None
    remark: str
    counted: Decimal | None
    points: str
    value: Decimal | None
    is_cut: bool
    share: str = ""
    """In a Keizer season: the share of `counted` that is added."""
    sum_so_far: Decimal | None = None
    """In a Keizer season: what the rows add up to, down to this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakWorkingText:
    """The calculation of one value: a section of the player's tie-break page."""

    code: str
    meaning: str
    article: str
    text: str
    rows: tuple[TieBreakWorkingTextRow, ...]
    changes: tuple[str, ...] = ()
    """In a Keizer season: what changed since the round before, in sentences."""
    scoring: tuple[tuple[str, str], ...] = ()
    """In a Keizer season: what each result is worth."""

    @property
    def heading(self) -> str | Promise:
        """The official code or, in a Keizer season, the column's heading. Keizer columns have no official codes."""
        return tie_break_heading(self.code) if self.code in KEIZER_TIE_BREAKS else self.code

    @property
    def has_shares(self) -> bool:
        return any(row.share for row in self.rows)


def tie_break_heading(code: str) -> str | Promise:
    """Return a column's heading: the official code with its modifiers, or a word if there is none."""
    return TIE_BREAK_HEADINGS.get(code, code)


def tie_break_meaning(code: str) -> str:
    """Return the meaning of a column, with the effects of its modifiers."""
    parsed = parse_tie_break(code)
    return "; ".join([str(TIE_BREAK_MEANINGS[parsed.name]), *_modifiers(parsed)])


def tie_break_workings_of_player(table: EventStandings, tpn: PairingNumber) -> tuple[TieBreakWorkingText, ...]:
    """Return the calculation of each of a player's values, in column order. No queries."""
    entries = {table.pairing_numbers[row.entry.pk]: row.entry for row in table.rows}
    records = next(card.records for card in table.ranking.snapshot.cards if card.tpn == tpn)
    made = []
    for place, code in enumerate(table.columns):
        if code in KEIZER_TIE_BREAKS - {"KT"}:
            # These add nothing up.
            continue
        working = table.ranking.explain_value(place, tpn)
        made.append(
            TieBreakWorkingText(
                code=code,
                meaning=tie_break_meaning(code),
                article=working.article,
                text="–" if working.value.number is None else number_format(Decimal(working.value.display_text)),
                rows=_with_sums(
                    _aligned(
                        [
                            _sheet_row(row, entries, records, table.first_round - 1)
                            for row in working.rows
                            if _says_anything(row)
                        ]
                    )
                ),
                changes=_changes(table, tpn) if code == "KT" else (),
                scoring=_scoring(table) if code == "KT" else (),
            )
        )
    return tuple(made)


def _changes(table: EventStandings, tpn: PairingNumber) -> tuple[str, ...]:
    snapshot = table.ranking.snapshot
    change = explain_change(snapshot, parse_keizer_options(snapshot.options), tpn)
    names = {table.pairing_numbers[row.entry.pk]: row.entry.name for row in table.rows}
    return tuple(change_sentences(change, tpn, names, rounds_before=table.first_round - 1)) if change else ()


def _scoring(table: EventStandings) -> tuple[tuple[str, str], ...]:
    return tuple(describe_keizer_options(parse_keizer_options(table.ranking.snapshot.options)))


def _with_sums(rows: Sequence[TieBreakWorkingTextRow]) -> tuple[TieBreakWorkingTextRow, ...]:
    """Return the rows of a Keizer total with the sum down to each."""
    if not any(row.share for row in rows):
        return tuple(rows)
    sums = accumulate(row.value or Decimal(0) for row in rows)
    return tuple(replace(row, sum_so_far=so_far) for row, so_far in zip(rows, sums, strict=True))


def _says_anything(row: TieBreakWorkingRow) -> bool:
    """Return False for a round without an opponent that adds nothing, such as one still being played."""
    return row.opponent is not None or bool(row.counted or row.points or row.value)


def _sheet_row(
    row: TieBreakWorkingRow, entries: Mapping[PairingNumber, Entry], records: Sequence[RoundRecord], rounds_before: int
) -> TieBreakWorkingTextRow:
    opponent = None if row.opponent is None else entries.get(row.opponent)
    said = [str(_BASES[row.basis]), str(_CUTS[row.cut]) if row.cut else ""]
    if row.basis is TieBreakBasis.KEIZER_GAME and row.round:
        said.append(str(_GAME_RESULTS.get(records[row.round - 1].result, "")))
    return TieBreakWorkingTextRow(
        round=row.round and row.round + rounds_before,
        opponent="" if opponent is None else opponent.name,
        opponent_entry=None if opponent is None else opponent.pk,
        opponent_tpn=row.opponent,
        remark="; ".join(filter(None, said)),
        counted=row.counted,
        points="" if row.points is None else points_text(int(2 * row.points)),
        value=row.value,
        is_cut=row.cut is not None,
        share="" if row.share is None else str(row.share),
    )


def _aligned(rows: Sequence[TieBreakWorkingTextRow]) -> tuple[TieBreakWorkingTextRow, ...]:
    """Return the rows with the same number of decimals throughout each column."""
    counted = _unit(row.counted for row in rows)
    value = _unit(row.value for row in rows)
    return tuple(
        replace(
            row,
            counted=None if row.counted is None else row.counted.quantize(counted),
            value=None if row.value is None else row.value.quantize(value),
        )
        for row in rows
    )


def _unit(numbers: Iterable[Decimal | None]) -> Decimal:
    """Return the unit of the last decimal place of the longest number."""
    exponents = [int(number.as_tuple().exponent) for number in numbers if number is not None]
    return Decimal(1).scaleb(min(exponents, default=0))


def _modifiers(code: TieBreakCode) -> list[str]:
    words = []
    if code.cut_high:
        words.append(_("cut: lowest %(count)s and highest %(count)s") % {"count": code.cut_high})
    elif code.cut_low:
        words.append(_("cut: lowest %(count)s") % {"count": code.cut_low})
    if code.limit:
        words.append(_("limit change in half points: %(halves)s") % {"halves": f"{code.limit:+}"})
    if code.forfeits_as_played:
        words.append(_("forfeits count as games"))
    if code.fore:
        words.append(_("as if every game of the last round were drawn"))
    if code.reverse:
        words.append(_("in reverse order"))
    if code.unrated is not None:
        words.append(_("unrated players count as %(rating)s") % {"rating": code.unrated})
    if code.edition:
        words.append(_("FIDE rules in force from %(day)s") % {"day": code.edition.value})
    return words
