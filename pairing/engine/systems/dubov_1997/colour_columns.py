"""White-due and Black-due players in two columns of the same length (6.1, 7.3, 7.4 and 2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonKind, make_reason
from pairing.engine.rule_interpretations import COLUMN_BALANCE_TIE_ORDER, format_interpretation
from pairing.engine.snapshot import Colour
from pairing.engine.systems.dubov_1997.opponent_ratings import average_rating_facts
from pairing.engine.systems.dubov_1997.players import (
    BlackColumnKey,
    BlackToWhiteKey,
    DubovPlayer,
    WhiteColumnKey,
    WhiteToBlackKey,
    black_column_key,
    black_to_white_key,
    white_column_key,
    white_to_black_key,
)
from pairing.engine.systems.dubov_1997.procedure_state import DubovEvent, article_reference


class ColourColumns(NamedTuple):
    """The two columns of 6.2, by place, from the top; `notes` explains why some players are in theirs.

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
    for place in sorted(free, key=lambda place: (-entrants[place].rating, entrants[place].tpn)):
        colour = Colour.WHITE if len(whites) <= len(blacks) else Colour.BLACK
        (whites if colour is Colour.WHITE else blacks).append(place)
        notes[place] = (_in_column("6.1", place, colour, DecisionCause.NO_DUE_COLOUR, event),)
    return _in_rows(whites, blacks, notes, event)


def balance_colour_columns(places: Iterable[int], event: DubovEvent) -> ColourColumns:
    """Split the players, then move half the surplus of the longer column to the shorter (7.3, 7.4).

    Players with an absolute preference do not move (2.6).
    """
    entrants = event.entrants
    whites, blacks, notes, _ = split_into_colour_columns(places, event)
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
    moved = {event.company.places[entrant.tpn] for entrant in movable[:count]}
    turn: Callable[[DubovPlayer], WhiteToBlackKey | BlackToWhiteKey] = (
        white_to_black_key if surplus > 0 else black_to_white_key
    )
    otherwise = sorted(movable, key=lambda entrant: turn(entrant)._replace(place=entrant.alternative_balance_tie_break))
    likewise = {event.company.places[entrant.tpn] for entrant in otherwise[:count]}
    for place in moved:
        why = _in_column(number, place, colour, DecisionCause.COLOUR_BALANCE, event, so_read=place not in likewise)
        notes[place] = (*notes.get(place, ()), why)
    joined = list(moved)
    return _in_rows(
        [place for place in whites if place not in moved] + (joined if colour is Colour.WHITE else []),
        [place for place in blacks if place not in moved] + (joined if colour is Colour.BLACK else []),
        notes,
        event,
    )


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
    """Sort a column; also return the players whose position depends on the interpretation."""
    entrants = event.entrants

    def otherwise(place: int) -> WhiteColumnKey | BlackColumnKey:
        return key(entrants[place])._replace(place=entrants[place].alternative_order_tie_break)

    row = tuple(sorted(places, key=lambda place: key(entrants[place])))
    return row, frozenset(one for one, other in zip(row, sorted(row, key=otherwise), strict=True) if one != other)


def _in_column(
    number: str, place: int, colour: Colour, cause: DecisionCause, event: DubovEvent, *, so_read: bool = False
) -> PairingReason:
    entrant = event.entrants[place]
    return make_reason(
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
