"""Articles 6.1, 7.3, 7.4 and 2.6: white-due and black-due players in two columns of the same length."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pairing.engine.paired_round import Cause, Reason, ReasonKind, reason
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dubov_1997.averages import average_facts
from pairing.engine.systems.dubov_1997.entrants import black_row, leaves_black, leaves_white, white_row
from pairing.engine.systems.dubov_1997.groups import Event, article


class Columns(NamedTuple):
    """The two columns of 6.2, by place, each from its top; `notes` says of some why they are in theirs."""

    whites: tuple[int, ...]
    blacks: tuple[int, ...]
    notes: dict[int, tuple[Reason, ...]]


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
    whites, blacks, notes = two_columns(places, event)
    surplus = (len(whites) - len(blacks)) // 2
    if surplus > 0:
        movable = sorted((entrants[place] for place in whites if not entrants[place].is_bound), key=leaves_white)
        number, colour, count = "7.3", Colour.BLACK, surplus
    else:
        movable = sorted((entrants[place] for place in blacks if not entrants[place].is_bound), key=leaves_black)
        number, colour, count = "7.4", Colour.WHITE, -surplus
    moved = {event.company.places[entrant.tpn] for entrant in movable[:count]}
    for place in moved:
        notes[place] = (*notes.get(place, ()), _in_column(number, place, colour, Cause.COLOUR_BALANCE, event))
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
    entrants = event.entrants
    return Columns(
        whites=tuple(sorted(whites, key=lambda place: white_row(entrants[place]))),
        blacks=tuple(sorted(blacks, key=lambda place: black_row(entrants[place]))),
        notes=notes,
    )


def _in_column(number: str, place: int, colour: Colour, cause: Cause, event: Event) -> Reason:
    entrant = event.entrants[place]
    return reason(
        article(number),
        ReasonKind.COLUMN,
        entrant.tpn,
        colour=colour.value,
        because=cause,
        **average_facts(entrant.average),
    )
