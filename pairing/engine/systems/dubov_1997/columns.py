"""Articles 6.1, 7.3, 7.4 and 2.6: white-due and black-due players in two columns of the same length."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pairing.engine.paired_round import Cause, Reason, ReasonKind, reason
from pairing.engine.readings import COLUMNS, stated
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dubov_1997.averages import average_facts
from pairing.engine.systems.dubov_1997.entrants import (
    BlackRow,
    Entrant,
    LeavesBlack,
    LeavesWhite,
    WhiteRow,
    black_row,
    leaves_black,
    leaves_white,
    white_row,
)
from pairing.engine.systems.dubov_1997.groups import Event, article


class Columns(NamedTuple):
    """The two columns of 6.2, by place, each from its top; `notes` says of some why they are in theirs.

    `otherwise` are those who would stand elsewhere in their column if 6.2 were read otherwise.
    """

    whites: tuple[int, ...]
    blacks: tuple[int, ...]
    notes: dict[int, tuple[Reason, ...]]
    otherwise: frozenset[int]


def two_columns(places: Iterable[int], event: Event) -> Columns:
    """6.1, 6.2: the players by the colours they are due.

    Who is due none goes to the shorter column, to the white one where they are equal: the highest rating first.
    """
    entrants = event.entrants
    whites: list[int] = []
    blacks: list[int] = []
    free: list[int] = []
    for place in places:
        due = entrants[place].due
        (free if due is None else whites if due is Colour.WHITE else blacks).append(place)
    notes: dict[int, tuple[Reason, ...]] = {}
    for place in sorted(free, key=lambda place: (-entrants[place].rating, entrants[place].tpn)):
        colour = Colour.WHITE if len(whites) <= len(blacks) else Colour.BLACK
        (whites if colour is Colour.WHITE else blacks).append(place)
        notes[place] = (_in_column("6.1", place, colour, Cause.NO_DUE_COLOUR, event),)
    return _in_rows(whites, blacks, notes, event)


def equal_columns(places: Iterable[int], event: Event) -> Columns:
    """7.3, 7.4: as above, and half the surplus of the longer column moved to the shorter.

    2.6: those who must have their colour are passed over.
    """
    entrants = event.entrants
    whites, blacks, notes, _ = two_columns(places, event)
    surplus = (len(whites) - len(blacks)) // 2
    if surplus > 0:
        movable = sorted((entrants[place] for place in whites if not entrants[place].is_bound), key=leaves_white)
        number, colour, count = "7.3", Colour.BLACK, surplus
    else:
        movable = sorted((entrants[place] for place in blacks if not entrants[place].is_bound), key=leaves_black)
        number, colour, count = "7.4", Colour.WHITE, -surplus
    moved = {event.company.places[entrant.tpn] for entrant in movable[:count]}
    turn: Callable[[Entrant], LeavesWhite | LeavesBlack] = leaves_white if surplus > 0 else leaves_black
    otherwise = sorted(movable, key=lambda entrant: turn(entrant)._replace(place=entrant.other_in_columns))
    likewise = {event.company.places[entrant.tpn] for entrant in otherwise[:count]}
    for place in moved:
        why = _in_column(number, place, colour, Cause.COLOUR_BALANCE, event, so_read=place not in likewise)
        notes[place] = (*notes.get(place, ()), why)
    joined = list(moved)
    return _in_rows(
        [place for place in whites if place not in moved] + (joined if colour is Colour.WHITE else []),
        [place for place in blacks if place not in moved] + (joined if colour is Colour.BLACK else []),
        notes,
        event,
    )


def _in_rows(
    whites: Iterable[int], blacks: Iterable[int], notes: dict[int, tuple[Reason, ...]], event: Event
) -> Columns:
    """6.2: both columns in their orders."""
    first, moved_first = _row(whites, white_row, event)
    second, moved_second = _row(blacks, black_row, event)
    return Columns(whites=first, blacks=second, notes=notes, otherwise=moved_first | moved_second)


def _row(
    places: Iterable[int], key: Callable[[Entrant], WhiteRow | BlackRow], event: Event
) -> tuple[tuple[int, ...], frozenset[int]]:
    """A column from its top, and those who stood elsewhere in it if equal ones were told apart the other way."""
    entrants = event.entrants

    def otherwise(place: int) -> WhiteRow | BlackRow:
        return key(entrants[place])._replace(place=entrants[place].other_in_rows)

    row = tuple(sorted(places, key=lambda place: key(entrants[place])))
    return row, frozenset(one for one, other in zip(row, sorted(row, key=otherwise), strict=True) if one != other)


def _in_column(number: str, place: int, colour: Colour, cause: Cause, event: Event, *, so_read: bool = False) -> Reason:
    entrant = event.entrants[place]
    return reason(
        article(number),
        ReasonKind.COLUMN,
        entrant.tpn,
        colour=colour.value,
        because=cause,
        **average_facts(entrant.average),
        **({"reading": stated(COLUMNS, event.readings[COLUMNS])} if so_read else {}),
    )
