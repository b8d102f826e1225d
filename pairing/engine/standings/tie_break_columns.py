"""A tie-break as a column of a table: a value for every player, each with its working."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from pairing.engine.snapshot import HalfPoints, PairingNumber
from pairing.engine.standings.inputs import TieBreakBasis
from pairing.engine.standings.tie_break_codes import TieBreakCode


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakValue:
    """A player's value for a tie-break.

    `key` decides, compared from its first number on, the greater the better; an empty one loses against all others.
    `number` is the value shown in a table, to `decimals` places; None if there is nothing to show.
    """

    key: tuple[int | Fraction, ...]
    number: Decimal | None
    decimals: int

    @property
    def display_text(self) -> str:
        return "-" if self.number is None else f"{self.number:.{self.decimals}f}"

    def __str__(self) -> str:
        return self.display_text


NO_VALUE = TieBreakValue(key=(), number=None, decimals=0)


class TieBreakContribution(NamedTuple):
    """One of the values that make up a tie-break.

    `weight` decides cuts (C.07, 14.1): the opponent's score or rating, or the round. `value` is added up. `points` are
    the player's own half points of the round where they matter.
    """

    round: int
    opponent: PairingNumber | None
    weight: int
    value: int
    basis: TieBreakBasis
    is_voluntary: bool = False
    points: HalfPoints | None = None


TermsByPlayer: TypeAlias = Callable[[PairingNumber], Sequence[TieBreakContribution]]
"""A player's terms, made on demand: storing them for everyone would cost more than it saves."""


class CutReason(Enum):
    """The reason why a value does not count."""

    LOW = "low"
    HIGH = "high"
    BELOW_LIMIT = "below_limit"
    """The opponent's score is below Koya's limit."""


KeptAndCutTerms: TypeAlias = tuple[Sequence[TieBreakContribution], Sequence[tuple[TieBreakContribution, CutReason]]]
"""The terms that count, and those that do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakWorkingRow:
    """A row in the calculation: the round, the player whose score or rating is used, and the value added.

    - `counted`: that score or rating
    - `points`: the player's own points of the round, None where they do not matter
    - `share`: in a Keizer season, the share of `counted` that is added
    - `value`: the amount to be added
    - `cut`: the reason why it is not added, None if it is
    """

    round: int | None
    opponent: PairingNumber | None
    basis: TieBreakBasis
    counted: Decimal | None
    points: Decimal | None
    value: Decimal | None
    cut: CutReason | None = None
    share: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakColumn:
    """A tie-break's value for every player on the starting list. `working_rows` returns one player's calculation."""

    values: Mapping[PairingNumber, TieBreakValue]
    working_rows: Callable[[PairingNumber], tuple[TieBreakWorkingRow, ...]]


def build_column(
    players: Iterable[PairingNumber],
    terms_of: TermsByPlayer,
    fold: Callable[[Sequence[TieBreakContribution]], TieBreakValue],
    cut: Callable[[Sequence[TieBreakContribution]], KeptAndCutTerms],
    *,
    weights: int = 2,
    values: int = 2,
) -> TieBreakColumn:
    """Build a column. `fold` makes each value from the terms that `cut` leaves.

    `weights` and `values` are the units of a point in them: 2 for half points, 1 for ratings.
    """

    def rows(tpn: PairingNumber) -> tuple[TieBreakWorkingRow, ...]:
        terms = terms_of(tpn)
        dropped = {id(term): why for term, why in cut(terms)[1]}
        return tuple(
            TieBreakWorkingRow(
                round=term.round,
                opponent=term.opponent,
                basis=term.basis,
                counted=Decimal(term.weight) / weights,
                points=None if term.points is None else Decimal(term.points) / 2,
                value=Decimal(term.value) / values,
                cut=dropped.get(id(term)),
            )
            for term in terms
        )

    return TieBreakColumn(values={tpn: fold(cut(terms_of(tpn))[0]) for tpn in players}, working_rows=rows)


def column_without_working(values: Mapping[PairingNumber, TieBreakValue]) -> TieBreakColumn:
    """Return a column without calculations, for values that are on the starting list or drawn by lot."""
    return TieBreakColumn(values=values, working_rows=lambda tpn: ())


def no_cuts(terms: Sequence[TieBreakContribution]) -> KeptAndCutTerms:
    """Keep all terms."""
    return terms, ()


def cuts_for_code(code: TieBreakCode) -> Callable[[Sequence[TieBreakContribution]], KeptAndCutTerms]:
    """Return the cuts for a code's modifiers under articles 14.1 to 14.4 and 16.5."""
    if not code.cut_low:
        return no_cuts
    return lambda terms: cut_extreme_terms(terms, low=code.cut_low, high=code.cut_high)


def cut_extreme_terms(terms: Sequence[TieBreakContribution], *, low: int, high: int) -> KeptAndCutTerms:
    """Cut the least significant terms, then the most significant (14.1 to 14.4). Return the kept and the cut terms."""
    kept = list(terms)
    dropped = []
    for _ in range(min(low, len(kept))):
        least = _to_cut_low(kept)
        kept.remove(least)
        dropped.append((least, CutReason.LOW))
    for _ in range(min(high, len(kept))):
        most = max(kept, key=_significance)
        kept.remove(most)
        dropped.append((most, CutReason.HIGH))
    return kept, dropped


def _significance(term: TieBreakContribution) -> tuple[int, int]:
    """Return a sort key: the opponent's score, then the value to be added (14.1.1)."""
    return term.weight, term.value


def _to_cut_low(terms: Sequence[TieBreakContribution]) -> TieBreakContribution:
    """Article 16.5: the lowest value of voluntary unplayed rounds, unless the least significant value is higher."""
    least = min(terms, key=_significance)
    voluntary = [term for term in terms if term.is_voluntary]
    if voluntary:
        lowest = min(voluntary, key=lambda term: (term.value, term.weight))
        if lowest.value >= least.value:
            return lowest
    return least


def make_sum_function(*, parts: int, decimals: int) -> Callable[[Sequence[TieBreakContribution]], TieBreakValue]:
    """Return a function that adds up terms, which are counted in `parts` of a point (2: half points)."""

    def sum_terms(terms: Sequence[TieBreakContribution]) -> TieBreakValue:
        value = sum([term.value for term in terms])
        return TieBreakValue(key=(value,), number=Decimal(value) / parts, decimals=decimals)

    return sum_terms


def whole_number_value(number: int) -> TieBreakValue:
    """Return the value of a whole number, such as a rating."""
    return TieBreakValue(key=(number,), number=Decimal(number), decimals=0)


def sort_value(number: int, *, descending: bool) -> TieBreakValue:
    """Return a whole number as a value by which players are sorted, in ascending or descending order."""
    return TieBreakValue(key=(number if descending else -number,), number=Decimal(number), decimals=0)


def half_points_value(half_points: HalfPoints) -> TieBreakValue:
    """Return the value of points, with one decimal."""
    return TieBreakValue(key=(half_points,), number=Decimal(half_points) / 2, decimals=1)


def exact_value(number: Fraction, *, decimals: int) -> TieBreakValue:
    """Return the value of a fraction, compared exactly and shown rounded."""
    shown = round_half_up(number.numerator * 10**decimals, number.denominator)
    return TieBreakValue(key=(number,), number=Decimal(shown).scaleb(-decimals), decimals=decimals)


def round_half_up(numerator: int, denominator: int) -> int:
    """Return the quotient as the nearest whole number, with halves rounded up (C.07, 10.1)."""
    return (2 * numerator + denominator) // (2 * denominator)
