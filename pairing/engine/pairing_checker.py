"""Check of a paired event: pair every round again from the rounds before it and compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TypeAlias

from pairing.engine.acceleration import fictitious_points
from pairing.engine.legality import RuleBreach, find_rule_breaches
from pairing.engine.paired_round import PairedRound, PairingImpossible
from pairing.engine.rules.snapshot_before import snapshot_before_round
from pairing.engine.snapshot import Colour, PairingNumber, Result, RoundRecord, TournamentSnapshot
from pairing.engine.trf import EarlierPairingSystem

__all__ = [
    "PairingFunction",
    "RoundCheck",
    "RoundVerdict",
    "SeatedPair",
    "check_event_pairings",
    "check_round_pairings",
    "event_before_round",
    "infer_first_colour",
    "snapshot_before_round",
]

PairingFunction: TypeAlias = Callable[[TournamentSnapshot], PairedRound]
SeatedPair: TypeAlias = tuple[PairingNumber, PairingNumber]
"""White and black; the player and 0 for the pairing-allocated bye."""


class RoundVerdict(StrEnum):
    """The verdict on a round."""

    AGREES = "agrees"
    DIFFERS = "differs"
    """Legal, but not what the rules give."""
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCheck:
    """The check of one round: pairs that are only in the event, and pairs that only the system makes.

    `impossible_reason` is set if the system finds no legal round. `breaches` are the articles that the round breaks:
    then it is illegal, and not merely different. With `is_as_last_round` all this holds only if it was the last round,
    because the event's number of rounds is unknown.
    """

    round_number: int
    only_actual: tuple[SeatedPair, ...]
    only_expected: tuple[SeatedPair, ...]
    impossible_reason: str = ""
    breaches: tuple[RuleBreach, ...] = ()
    is_as_last_round: bool = False

    @property
    def verdict(self) -> RoundVerdict:
        if self.breaches:
            return RoundVerdict.ILLEGAL
        return RoundVerdict.AGREES if self.is_identical else RoundVerdict.DIFFERS

    @property
    def is_identical(self) -> bool:
        return not (self.only_actual or self.only_expected or self.impossible_reason)


def check_event_pairings(
    event: TournamentSnapshot,
    pair: PairingFunction,
    *,
    forbidden_in: Callable[[int], frozenset[frozenset[PairingNumber]]] | None = None,
    earlier: Sequence[EarlierPairingSystem] = (),
) -> Iterator[RoundCheck]:
    """Check every round already paired, round 1 first.

    `forbidden_in` gives the forbidden pairs of each round, if they change from round to round. `earlier` lists the
    systems that paired the first rounds; `pair` takes the system from the snapshot. Without a number of rounds, the
    latest round is also checked as the last, and the better check counts.
    """
    event = _with_fictitious_points(event)
    for number in range(1, event.rounds_paired + 1):
        before = event_before_round(event, number, forbidden_in=forbidden_in, earlier=earlier)
        check_round = partial(check_round_pairings, records=_records_of_round(event, number), pair=pair)
        check = check_round(before)
        if not check.is_identical and event.rounds_announced is None and number == event.rounds_paired:
            last = replace(check_round(replace(before, rounds_announced=number)), is_as_last_round=True)
            check = min(check, last, key=lambda each: _SEVERITY.index(each.verdict))
        yield check


_SEVERITY = (RoundVerdict.AGREES, RoundVerdict.DIFFERS, RoundVerdict.ILLEGAL)


def infer_first_colour(
    event: TournamentSnapshot,
    pair: PairingFunction,
    *,
    forbidden_in: Callable[[int], frozenset[frozenset[PairingNumber]]] | None = None,
    earlier: Sequence[EarlierPairingSystem] = (),
) -> Colour | None:
    """Return the initial colour that fits more boards of round 1, or None if round 1 does not show it.

    The other arguments are those of `check_event_pairings`.
    """
    if not event.rounds_paired:
        return None
    before = event_before_round(event, 1, forbidden_in=forbidden_in, earlier=earlier)
    records = _records_of_round(event, 1)
    white, black = (
        len(check_round_pairings(replace(before, first_colour=colour), records, pair).only_actual)
        for colour in (Colour.WHITE, Colour.BLACK)
    )
    return None if white == black else Colour.WHITE if white < black else Colour.BLACK


def event_before_round(
    event: TournamentSnapshot,
    number: int,
    *,
    forbidden_in: Callable[[int], frozenset[frozenset[PairingNumber]]] | None = None,
    earlier: Sequence[EarlierPairingSystem] = (),
) -> TournamentSnapshot:
    """Return the event before a round, with the forbidden pairs and the system of that round.

    The other arguments are those of `check_event_pairings`.
    """
    before = snapshot_before_round(_with_fictitious_points(event), number)
    if forbidden_in:
        before = replace(before, forbidden_pairs=forbidden_in(number))
    by = next((each for each in earlier if number <= each.last_round), None)
    return before if by is None else replace(before, system=by.system, procedure=by.procedure)


def _records_of_round(event: TournamentSnapshot, number: int) -> Mapping[PairingNumber, RoundRecord]:
    return {card.tpn: card.records[number - 1] for card in event.cards}


def check_round_pairings(
    before: TournamentSnapshot, records: Mapping[PairingNumber, RoundRecord], pair: PairingFunction
) -> RoundCheck:
    """Compare the round that `pair` makes with everyone's records for that round.

    If the records of a forfeited pairing do not give colours, either colouring agrees.
    """
    made = set(_made_pairs(records))
    broken = _breaches(before, records, made)
    try:
        rebuilt = set(_rebuilt_pairs(pair(before), records))
    except PairingImpossible as error:
        return RoundCheck(
            round_number=before.round_number,
            only_actual=tuple(sorted(made)),
            only_expected=(),
            impossible_reason=str(error),
            breaches=broken,
        )
    return RoundCheck(
        round_number=before.round_number,
        only_actual=tuple(sorted(made - rebuilt)),
        only_expected=tuple(sorted(rebuilt - made)),
        breaches=broken,
    )


def _breaches(
    before: TournamentSnapshot, records: Mapping[PairingNumber, RoundRecord], made: set[SeatedPair]
) -> tuple[RuleBreach, ...]:
    """Return the articles that the actual round breaks. Colours count where a game was played."""
    return find_rule_breaches(
        before,
        sorted(pair for pair in made if pair[1]),
        sorted(white for white, black in made if not black),
        coloured=frozenset(tpn for tpn, record in records.items() if record.is_played),
    )


def _with_fictitious_points(event: TournamentSnapshot) -> TournamentSnapshot:
    """Fix the acceleration's points as if entered manually: its groups were made once and are not checked again."""
    points = fictitious_points(event)
    if points is None:
        return event
    cards = (replace(card, fictitious=card.fictitious or tuple(points[card.tpn])) for card in event.cards)
    return replace(event, cards=tuple(cards), acceleration="none")


def _made_pairs(records: Mapping[PairingNumber, RoundRecord]) -> Iterator[SeatedPair]:
    for tpn, record in records.items():
        if record.result is Result.PAIRING_ALLOCATED_BYE:
            yield (tpn, 0)
        elif record.opponent is not None:
            yield _seated(tpn, record.opponent, records)


def _rebuilt_pairs(paired: PairedRound, records: Mapping[PairingNumber, RoundRecord]) -> Iterator[SeatedPair]:
    for game in paired.games:
        is_same_pair = records[game.white].opponent == game.black
        uncoloured = is_same_pair and records[game.white].colour is records[game.black].colour
        yield _without_colours(game.white, game.black) if uncoloured else (game.white, game.black)
    if paired.bye:
        yield (paired.bye.player, 0)


def _seated(one: PairingNumber, other: PairingNumber, records: Mapping[PairingNumber, RoundRecord]) -> SeatedPair:
    """Return the pair with White first, by either record's colour, or by number if neither has one."""
    colour, other_colour = records[one].colour, records[other].colour
    if colour is other_colour:
        return _without_colours(one, other)
    is_white = colour is Colour.WHITE or other_colour is Colour.BLACK
    return (one, other) if is_white else (other, one)


def _without_colours(one: PairingNumber, other: PairingNumber) -> SeatedPair:
    return (min(one, other), max(one, other))
