"""White-due and Black-due players in two columns of the same length (6.1, 7.3, 7.4 and 2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from pairing.engine.matching import MaximumMatching, MinConflictMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason, with_facts
from pairing.engine.rule_interpretations import ARO_TIE_ORDER, COLUMN_BALANCE_TIE_ORDER, format_interpretation
from pairing.engine.rules.compatibility import CompatibilityGraph, leftover_pair_facts
from pairing.engine.rules.rejected_candidates import candidate_facts, candidates_near_opponent, take_later_candidates
from pairing.engine.rules.shared_facts import floater_facts
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber
from pairing.engine.systems.dubov_1997.players import (
    BlackColumnKey,
    BlackToWhiteKey,
    DubovPlayer,
    WhiteColumnKey,
    WhiteToBlackKey,
    average_rating_facts,
    black_column_key,
    black_to_white_key,
    rating_facts,
    white_column_key,
    white_to_black_key,
)
from pairing.engine.systems.dubov_1997.procedure_state import (
    DubovEvent,
    Pair,
    ScoreGroupInProgress,
    article_reference,
    explain_rejected_candidate,
)

MAX_LISTED_ROWS = 10
"""How many rows of the columns are listed for one pair."""

MAX_COMPARED = 6
"""How many of the players who were compared for a move to the other column are listed."""


class ColourColumns(NamedTuple):
    """The two columns of 6.2, by place, from the top. `notes` explains why some players are in their column.

    `interpretation_dependent` are the players whose position depends on the interpretation of 6.2.
    """

    whites: tuple[int, ...]
    blacks: tuple[int, ...]
    notes: dict[int, tuple[PairingReason, ...]]
    interpretation_dependent: frozenset[int]


def split_into_colour_columns(places: Iterable[int], event: DubovEvent) -> ColourColumns:
    """Split the players by due colour (6.1, 6.2).

    Players due no colour join the shorter column, highest rating first. White's column counts as shorter if they are
    equal.
    """
    entrants = event.entrants
    whites: list[int] = []
    blacks: list[int] = []
    free: list[int] = []
    for place in places:
        due = entrants[place].due_colour
        (free if due is None else whites if due is Colour.WHITE else blacks).append(place)
    notes: dict[int, tuple[PairingReason, ...]] = {}
    free.sort(key=lambda place: (-entrants[place].rating, entrants[place].tpn))
    for number, place in enumerate(free):
        colour = Colour.WHITE if len(whites) <= len(blacks) else Colour.BLACK
        (whites if colour is Colour.WHITE else blacks).append(place)
        compared = [entrants[one] for one in free[max(0, number - MAX_COMPARED // 2) :]]
        notes[place] = (_in_column("6.1", place, colour, DecisionCause.NO_DUE_COLOUR, event, compared),)
    return _in_rows(whites, blacks, notes, event)


def balance_colour_columns(places: Iterable[int], score: HalfPoints, event: DubovEvent) -> ColourColumns:
    """Split the group with this score, then move half the surplus of the longer column to the shorter (7.3, 7.4).

    Players with an absolute preference do not move (2.6).
    """
    entrants = event.entrants
    members = [entrants[place] for place in places]
    whites, blacks, notes, _ = split_into_colour_columns([event.company.places[one.tpn] for one in members], event)
    surplus = (len(whites) - len(blacks)) // 2
    if surplus > 0:
        movable = sorted(
            (entrants[place] for place in whites if not entrants[place].has_absolute_preference), key=white_to_black_key
        )
        number, colour, count = "7.3", Colour.BLACK, surplus
    else:
        movable = sorted(
            (entrants[place] for place in blacks if not entrants[place].has_absolute_preference), key=black_to_white_key
        )
        number, colour, count = "7.4", Colour.WHITE, -surplus
    stay = [
        entrants[place].tpn for place in (whites if surplus > 0 else blacks) if entrants[place].has_absolute_preference
    ]
    stayed: dict[str, ReasonFact] = {"must_stay": tuple(stay[:MAX_COMPARED])} if stay else {}
    moved = {event.company.places[entrant.tpn] for entrant in movable[:count]}
    turn: Callable[[DubovPlayer], WhiteToBlackKey | BlackToWhiteKey] = (
        white_to_black_key if surplus > 0 else black_to_white_key
    )
    otherwise = sorted(movable, key=lambda entrant: turn(entrant)._replace(place=entrant.alternative_balance_tie_break))
    likewise = {event.company.places[entrant.tpn] for entrant in otherwise[:count]}
    for index, entrant in enumerate(movable[:count]):
        place = event.company.places[entrant.tpn]
        compared = movable[max(0, index - MAX_COMPARED // 2) :]
        so_read = place not in likewise
        why = _in_column(number, place, colour, DecisionCause.COLOUR_BALANCE, event, compared, so_read=so_read)
        counted = due_colour_counts(members) | floater_facts((one.contender for one in members), score)
        why = with_facts(why, **counted, **stayed, movers=len(movable[:count]))
        notes[place] = (*notes.get(place, ()), why)
    joined = list(moved)
    return _in_rows(
        [place for place in whites if place not in moved] + (joined if colour is Colour.WHITE else []),
        [place for place in blacks if place not in moved] + (joined if colour is Colour.BLACK else []),
        notes,
        event,
    )


def due_colour_counts(entrants: Iterable[DubovPlayer]) -> dict[str, ReasonFact]:
    """Return how many players are due White and Black, as the facts of a reason."""
    due = [entrant.due_colour for entrant in entrants]
    return {"due_white": due.count(Colour.WHITE), "due_black": due.count(Colour.BLACK)}


def _in_rows(
    whites: Iterable[int], blacks: Iterable[int], notes: dict[int, tuple[PairingReason, ...]], event: DubovEvent
) -> ColourColumns:
    """Sort both columns (6.2)."""
    first, moved_first = _row(whites, white_column_key, event)
    second, moved_second = _row(blacks, black_column_key, event)
    return ColourColumns(whites=first, blacks=second, notes=notes, interpretation_dependent=moved_first | moved_second)


def _row(
    places: Iterable[int], key: Callable[[DubovPlayer], WhiteColumnKey | BlackColumnKey], event: DubovEvent
) -> tuple[tuple[int, ...], frozenset[int]]:
    """Sort a column. Also return the players whose position depends on the interpretation."""
    entrants = event.entrants

    def alternative_sort_key(place: int) -> WhiteColumnKey | BlackColumnKey:
        return key(entrants[place])._replace(place=entrants[place].alternative_order_tie_break)

    row = tuple(sorted(places, key=lambda place: key(entrants[place])))
    return row, frozenset(
        one for one, other in zip(row, sorted(row, key=alternative_sort_key), strict=True) if one != other
    )


def _in_column(
    number: str,
    place: int,
    colour: Colour,
    cause: DecisionCause,
    event: DubovEvent,
    compared: Sequence[DubovPlayer],
    *,
    so_read: bool = False,
) -> PairingReason:
    """Explain why a player is in a column they are not due. `compared` are those who could be, the first one first."""
    entrant = event.entrants[place]
    why = make_reason(
        article_reference(number),
        ReasonKind.COLUMN,
        entrant.tpn,
        colour=colour.value,
        because=cause,
        **average_rating_facts(entrant.average),
        **(
            {
                "reading": format_interpretation(
                    COLUMN_BALANCE_TIE_ORDER, event.interpretations[COLUMN_BALANCE_TIE_ORDER]
                )
            }
            if so_read
            else {}
        ),
    )
    listed = compared[:MAX_COMPARED]
    return with_facts(why, compared=tuple([one.tpn for one in listed]), **rating_facts("compared", listed))


def pair_colour_columns(columns: ColourColumns, group: ScoreGroupInProgress, event: DubovEvent) -> Iterator[Pair]:
    """Pair White-due players in turn with the first possible opponent, then the remaining Black-due ones (6.2, 6.3)."""
    rows = _Rows(columns, group, event)
    whites, blacks = list(columns.whites), list(columns.blacks)
    while whites:
        chooser = whites.pop(0)
        yield rows.pair_chooser(chooser, blacks, whites)
    while blacks:
        chooser = blacks.pop(0)
        yield rows.pair_chooser(chooser, blacks, [])


class _Rows:
    """Builds pairs with reasons from the turns of the columns."""

    def __init__(self, columns: ColourColumns, group: ScoreGroupInProgress, event: DubovEvent) -> None:
        self._columns = columns
        self._group = group
        self._event = event
        # The remaining players get their own numbers, which keeps bitmasks short.
        places = [*bitmask_members(group.matching.alive)]
        self._numbers = {place: number for number, place in enumerate(places)}
        self._company = CompatibilityGraph([event.entrants[place].contender for place in places])
        whites, blacks = (
            bitmask_of(self._numbers[place] for place in line) for line in (columns.whites, columns.blacks)
        )
        self._clashes = MinConflictMatching(self._company.neighbour_masks, whites, blacks)
        self._rows = {place: row for line in (columns.whites, columns.blacks) for row, place in enumerate(line)}
        self._listed: dict[int, PairingReason] = {}
        self._paired: list[tuple[PairingNumber, PairingNumber]] = []
        # Compatibility only, updated only when a refusal needs an explanation.
        self._matching: MaximumMatching = group.matching
        self._to_set_aside: list[tuple[int, int]] = []

    def pair_chooser(self, chooser: int, first: list[int], then: list[int]) -> Pair:
        """Pair a player with the first in `first`, or else `then`, who leaves the rest with the fewest clashes (6.3).

        The opponent is removed from their list.
        """
        tried = 0
        # With the opponent chosen here, this is the fewest pairs that must be made inside a column.
        counts: dict[str, ReasonFact] = {
            "in_column": self._clashes.min_conflicts,
            "of": self._clashes.alive.bit_count() // 2,
        }

        def candidates() -> Iterator[int]:
            nonlocal tried
            for candidate in chain(first, then):
                tried += 1
                yield self._numbers[candidate]

        self._clashes.fix_first_possible_pair(self._numbers[chooser], candidates())
        passed = [*islice(chain(first, then), tried - 1)]
        later = take_later_candidates(islice(chain(first, then), tried, None), len(first) + len(then) - tried)
        line, index = (first, tried - 1) if tried <= len(first) else (then, tried - 1 - len(first))
        opponent = line.pop(index)
        over = self._passed_over(chooser, passed, counts)
        self._to_set_aside.append((chooser, opponent))
        one, other = self._event.entrants[chooser], self._event.entrants[opponent]
        so_read = bool(self._columns.interpretation_dependent & {chooser, opponent})
        why = make_reason(
            article_reference("6.3" if over or line is then else "6.2"),
            ReasonKind.OPPONENT,
            one.tpn,
            other.tpn,
            step="correction" if over or line is then else "first try",
            place=tried,
            **(
                {"reading": format_interpretation(ARO_TIE_ORDER, self._event.interpretations[ARO_TIE_ORDER])}
                if so_read
                else {}
            ),
        )
        listed = [self._event.entrants[place].tpn for place in candidates_near_opponent(passed, opponent, later)]
        rows = self._list_rows(chooser, opponent)
        seen = {*rows.players}
        before = [pair for pair in self._paired[-2 * MAX_LISTED_ROWS :] if not seen.isdisjoint(pair)]
        self._paired.append((one.tpn, other.tpn))
        facts: dict[str, ReasonFact] = {"paired_before": tuple(chain.from_iterable(before))} if before else {}
        why = with_facts(why, **candidate_facts(listed, later), **facts)
        notes = self._columns.notes
        reasons = (*notes.get(chooser, ()), *notes.get(opponent, ()), rows, why, *over)
        return Pair(chooser, opponent, self._group, reasons)

    def _list_rows(self, chooser: int, opponent: int) -> PairingReason:
        """List the columns: all rows of a short one, else those around the pair."""
        whites, blacks, _, _ = self._columns
        count = max(len(whites), len(blacks))
        first = 0
        if count > MAX_LISTED_ROWS:
            middle = (self._rows[chooser] + self._rows[opponent]) // 2
            first = min(max(0, middle - MAX_LISTED_ROWS // 2), count - MAX_LISTED_ROWS)
        if first not in self._listed:
            upper, lower = (
                [self._event.entrants[place] for place in line[first : first + MAX_LISTED_ROWS]]
                for line in (whites, blacks)
            )
            listed = (*upper, *lower)
            self._listed[first] = make_reason(
                article_reference("6.2"),
                ReasonKind.COLUMNS,
                *(one.tpn for one in listed),
                whites=len(upper),
                first=first + 1,
                of=count,
                **floater_facts((one.contender for one in listed), self._group.score),
                **rating_facts("", listed),
            )
        return self._listed[first]

    def _passed_over(
        self, chooser: int, passed: list[int], counts: Mapping[str, ReasonFact]
    ) -> tuple[PairingReason, ...]:
        entrants = self._event.entrants
        compatible = self._company.neighbour_masks[self._numbers[chooser]]
        leave_a_rest = 0
        if any(compatible >> self._numbers[candidate] & 1 for candidate in passed):
            leave_a_rest = self._partners(chooser)

        def explain_rejection(candidate: int) -> PairingReason:
            one, other = entrants[chooser], entrants[candidate]
            if leave_a_rest >> candidate & 1:
                return explain_rejected_candidate(one, other, "6.3", DecisionCause.MORE_CLASHES, **counts)
            return explain_rejected_candidate(
                one, other, "6.3", DecisionCause.BLOCKS_GROUP, **self._last_two(chooser, candidate)
            )

        return tuple(explain_rejection(candidate) for candidate in passed)

    def _last_two(self, chooser: int, candidate: int) -> dict[str, ReasonFact]:
        """Return the last two players who would be left with each other, if four are left."""
        left = [*bitmask_members(self._matching.alive & ~(1 << chooser | 1 << candidate))]
        if self._to_set_aside or len(left) != 2:
            return {}
        return leftover_pair_facts(*(self._event.entrants[one].contender for one in left))

    def _partners(self, chooser: int) -> int:
        """Bitmask of the chooser's possible partners if colours are ignored."""
        for one, other in self._to_set_aside:
            self._matching.remove_vertices(one, other)
        self._to_set_aside.clear()
        return self._matching.possible_partners(chooser)
