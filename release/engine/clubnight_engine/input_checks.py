"""Checks of what a program passes to the engine: types and shapes first, as programs outside it are not always typed.

`TournamentSnapshot.check_consistency` then compares the players' records with one another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from clubnight_engine.acceleration import ACCELERATIONS
from clubnight_engine.paired_round import PairedRound
from clubnight_engine.snapshot import (
    Colour,
    InvalidSnapshot,
    PairingCard,
    PairingNumber,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
    points_by_result_in_system,
    results_agree,
)

if TYPE_CHECKING:
    from clubnight_engine.simulator import SimulationPlan

MAX_NAMED = 5
"""How many players a message names."""
MAX_NUMBER, MAX_RATING = 99_999, 9999
"""The largest pairing number and rating that a report file can hold."""


def check_event(event: TournamentSnapshot, systems: Collection[str]) -> None:
    """Raise InvalidSnapshot unless all fields of the event have the right types, and its system is one of `systems`."""
    _expect(event, TournamentSnapshot, "the event")
    _expect(event.cards, tuple, "cards")
    _expect_whole(event.rounds_paired, "rounds_paired", 0)
    if event.rounds_announced is not None:
        _expect_whole(event.rounds_announced, "rounds_announced", 1)
    check_system(event.system, systems)
    if event.acceleration not in ("none", *ACCELERATIONS):
        raise InvalidSnapshot(
            f"unknown acceleration {event.acceleration!r}. Use one of: none, {', '.join(ACCELERATIONS)}"
        )
    _expect(event.first_colour, Colour, "first_colour")
    _expect(event.points, PointSystem, "points")
    _expect(event.forbidden_pairs, frozenset, "forbidden_pairs")
    for pair in event.forbidden_pairs:
        if not (isinstance(pair, frozenset) and len(pair) == 2 and {*map(type, pair)} == {int}):
            raise InvalidSnapshot(f"forbidden_pairs: expected frozensets of two pairing numbers, found {pair!r}")
    for card in event.cards:
        _check_card(card)


def _check_card(card: PairingCard) -> None:
    _expect(card, PairingCard, "cards")
    _expect_whole(card.tpn, "tpn", 1, MAX_NUMBER)
    where = f"player {card.tpn}"
    for name in ("name", "title"):
        _expect(getattr(card, name), str, f"{where}: {name}")
    if any(character < " " for character in card.name):
        raise InvalidSnapshot(f"{where}: the name {card.name!r} is not on one line")
    _expect_whole(card.rating, f"{where}: rating", 0, MAX_RATING)
    _expect(card.records, tuple, f"{where}: records")
    for number, record in enumerate(card.records, start=1):
        _check_record(record, f"{where}, round {number}")
    _expect(card.fictitious, tuple, f"{where}: fictitious")
    for half_points in card.fictitious:
        _expect_whole(half_points, f"{where}: fictitious", 0)
    if card.unavailable is not None:
        _check_record(card.unavailable, f"{where}: unavailable")
        if card.unavailable.opponent is not None or card.unavailable.result not in _UNAVAILABLE:
            raise InvalidSnapshot(
                f"{where}: unavailable is for a bye that was asked for or an absence, "
                f"not for {card.unavailable.result.name}"
            )


_UNAVAILABLE = {result for result in Result if result.is_requested_bye} | {
    Result.ABSENT,
    # A report file may state these of somebody who was not paired.
    Result.FORFEIT_WIN,
    Result.FORFEIT_LOSS,
}


def _check_record(record: RoundRecord, where: str) -> None:
    _expect(record, RoundRecord, where)
    _expect(record.result, Result, f"{where}: result")
    if record.opponent is not None:
        _expect_whole(record.opponent, f"{where}: opponent", 1)
    if record.colour is not None:
        _expect(record.colour, Colour, f"{where}: colour")


def check_round_belongs(paired: PairedRound, event: TournamentSnapshot) -> None:
    """Raise InvalidSnapshot unless this is a pairing of the event's next round, with exactly those who can play."""
    _expect(paired, PairedRound, "the paired round")
    if paired.round_number != event.round_number:
        raise InvalidSnapshot(
            f"this is a pairing of round {paired.round_number}, but the event's next round is {event.round_number}"
        )
    if paired.system != event.system:
        raise InvalidSnapshot(f"this is a pairing by {paired.system}, but the event's system is {event.system}")
    cards = {card.tpn: card for card in event.cards}
    seated = {*_seated(paired)}
    if strangers := seated - cards.keys():
        raise InvalidSnapshot(f"the pairing has {_players(strangers)}, not on the starting list")
    if left_out := {tpn for tpn, card in cards.items() if card.unavailable is None} - seated:
        raise InvalidSnapshot(f"the pairing leaves out {_players(left_out)}, not marked as unavailable. Pair again")
    # In a round robin the table also has those who are away.
    away = {tpn for tpn in seated if cards[tpn].unavailable is not None}
    if away and event.system != "round-robin":
        raise InvalidSnapshot(f"the pairing has {_players(away)}, marked as unavailable. Pair again")


def check_scores(paired: PairedRound, event: TournamentSnapshot) -> None:
    """Raise InvalidSnapshot if a player had another score when the round was paired."""
    worth = points_by_result_in_system(event.system, event.points)
    scores = {card.tpn: sum(worth[record.result] for record in card.records) for card in event.cards}
    for each in paired.scores:
        if scores.get(each.tpn) != each.score:
            raise InvalidSnapshot(
                f"player {each.tpn} had another score when this round was paired. Use the event that was paired"
            )


def check_results(results: object, paired: PairedRound, known: Mapping[str, tuple[Result, Result]]) -> None:
    """Raise InvalidSnapshot unless there is one possible result for each board, and for no other."""
    if not isinstance(results, Mapping):
        raise InvalidSnapshot(f"results: expected a mapping from boards to results, found {type(results).__name__}")
    boards = {game.board for game in paired.games}
    for board, result in results.items():
        if type(board) is not int or board not in boards:
            raise InvalidSnapshot(f"there is no board {board!r} in round {paired.round_number}")
        if isinstance(result, str):
            if result not in known:
                raise InvalidSnapshot(f"board {board}: unknown result {result!r}. Use one of: {', '.join(known)}")
        elif not (isinstance(result, tuple) and len(result) == 2 and all(isinstance(each, Result) for each in result)):
            raise InvalidSnapshot(f"board {board}: expected a text such as '1-0' or two Results, found {result!r}")
        elif not results_agree(*result):
            raise InvalidSnapshot(f"board {board}: {result[0].name} does not go with {result[1].name}")
    if missing := boards - results.keys():
        raise InvalidSnapshot(f"board {min(missing)} has no result")


def check_plan(plan: SimulationPlan, systems: Collection[str]) -> None:
    """Raise InvalidSnapshot unless the plan's numbers and shares can be."""
    from fractions import Fraction  # pairing a snapshot needs none

    check_system(plan.system, systems)
    for name, least in (("players", 1), ("rounds", 0), ("forbidden_pairs", 0)):
        _expect_whole(getattr(plan, name), name, least)
    for name in ("draws", "forfeits", "byes", "withdrawals", "late", "unrated", "turned"):
        share = getattr(plan, name)
        if not isinstance(share, int | Fraction) or not 0 <= share <= 1:
            raise InvalidSnapshot(f"{name}: expected a share from 0 to 1 such as Fraction(1, 10), found {share!r}")


def check_system(system: object, systems: Collection[str]) -> None:
    """Raise InvalidSnapshot unless the system is one of `systems`."""
    if system not in systems:
        raise InvalidSnapshot(f"unknown system {system!r}. Use one of: {', '.join(systems)}")


def _seated(paired: PairedRound) -> Iterator[PairingNumber]:
    for game in paired.games:
        yield from (game.white, game.black)
    if paired.bye:
        yield paired.bye.player


def _players(tpns: Iterable[PairingNumber]) -> str:
    ordered = sorted(tpns)
    listed = ", ".join(map(str, ordered[:MAX_NAMED]))
    return f"player{'s' * (len(ordered) > 1)} {listed}{' and others' if len(ordered) > MAX_NAMED else ''}"


def _expect(value: object, kind: type, what: str) -> None:
    if not isinstance(value, kind):
        raise InvalidSnapshot(f"{what}: expected {kind.__name__}, found {value!r:.60}")


def _expect_whole(value: object, what: str, least: int, most: int | None = None) -> None:
    """Raise InvalidSnapshot unless the value is a whole number in this range. True and False are none."""
    if type(value) is not int or value < least or (most is not None and value > most):
        span = f"from {least}" if most is None else f"from {least} to {most}"
        raise InvalidSnapshot(f"{what}: expected a whole number {span}, found {value!r:.60}")
