"""Facts from the records of an event, in the common terms of all systems, calculated the slow way.

The literal twins stand on this page alone: they take the input types of the engine and none of its rules.
Points are whole numbers of half points, colours the letters "w" and "b", players their TPN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from pairing.engine.snapshot import PairingCard, Result, RoundRecord, TournamentSnapshot

Pairing = tuple[tuple[tuple[int, int], ...], int | None]
"""A paired round as plain data: ((white, black), ...) in the order of the boards, and the player with the bye."""

Fictitious = Mapping[int, tuple[int, ...]]
"""TPN: the player's fictitious half points in round 1, 2, ..., the round to be paired."""

HALF_POINTS = {"1": 2, "W": 2, "+": 2, "F": 2, "=": 1, "D": 1, "H": 1, "*": 1, "0": 0, "L": 0, "-": 0, "Z": 0, " ": 0}
PLAYED = frozenset("1=0WDL*")
OTHER = {"w": "b", "b": "w"}

Thing = TypeVar("Thing")


class NoLegalRound(Exception):
    """There is no legal pairing of these players."""


class Facts:
    """The facts of a snapshot; `bye_worth` is the value of a pairing-allocated bye in half points."""

    def __init__(self, snapshot: TournamentSnapshot, fictitious: Fictitious, bye_worth: int) -> None:
        self.snapshot = snapshot
        self.fictitious = fictitious
        self.bye_worth = bye_worth
        self.cards: dict[int, PairingCard] = {card.tpn: card for card in snapshot.cards}
        self.round_number = snapshot.rounds_paired + 1
        self.is_last_round = self.round_number == snapshot.rounds_announced
        self.to_pair = frozenset(tpn for tpn, card in self.cards.items() if card.unavailable is None)
        self.rating = {tpn: card.rating for tpn, card in self.cards.items()}
        self.colours = {tpn: _colour_history(card) for tpn, card in self.cards.items()}
        self.opponents = {tpn: _opponents_met(card) for tpn, card in self.cards.items()}
        self.difference = {tpn: history.count("w") - history.count("b") for tpn, history in self.colours.items()}
        self.absolute = {tpn: absolute_preference(history) for tpn, history in self.colours.items()}
        self.read_otherwise = frozenset(name for name, _ in snapshot.interpretations)
        self.pairing_score = {tpn: self.pairing_score_in(tpn, self.round_number) for tpn in self.cards}

    def points_after(self, tpn: int, rounds: int) -> int:
        """Real points after so many rounds."""
        return sum(points(record, self.bye_worth) for record in self.cards[tpn].records[:rounds])

    def pairing_score_in(self, tpn: int, round_number: int) -> int:
        """The score with which the player was paired in that round: points before it and fictitious points in it."""
        given = self.fictitious.get(tpn, ())
        return self.points_after(tpn, round_number - 1) + (given[round_number - 1] if given else 0)

    def met(self, a: int, b: int) -> bool:
        return b in self.opponents[a]

    def forbidden(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.snapshot.forbidden_pairs

    def float_in(self, tpn: int, round_number: int) -> str | None:
        """ "down", "up" or None: how the player floated in that round."""
        if not 1 <= round_number < self.round_number:
            return None
        record = self.cards[tpn].records[round_number - 1]
        if record.result is Result.PAIRING_ALLOCATED_BYE:
            return "down"
        if record.opponent is None:
            return None
        own = self.pairing_score_in(tpn, round_number)
        opposite = self.pairing_score_in(record.opponent, round_number)
        return "down" if own > opposite else "up" if own < opposite else None

    def had(self, tpn: int, results: str) -> bool:
        """Whether the player has one of these result letters in any round."""
        return any(record.result.value in results for record in self.cards[tpn].records)

    def in_board_order(self, games: Iterable[tuple[int, int]], rank: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
        """Games (white, black) in board order; `rank` is the system's own order, 1 the highest."""

        def place(game: tuple[int, int]) -> tuple[int, int, int]:
            higher = min(game, key=lambda tpn: (-self.pairing_score[tpn], rank[tpn]))
            total = sum(self.pairing_score[tpn] for tpn in game)
            return -self.pairing_score[higher], -total, rank[higher]

        return tuple(sorted(games, key=place))


def points(record: RoundRecord, bye_worth: int) -> int:
    """The half points from a round."""
    return bye_worth if record.result is Result.PAIRING_ALLOCATED_BYE else HALF_POINTS[record.result.value]


def is_played(record: RoundRecord) -> bool:
    return record.result.value in PLAYED


def absolute_preference(history: str) -> str | None:
    """The colour that a player with these colours must have next, or None; the difference takes precedence."""
    difference = history.count("w") - history.count("b")
    if difference >= 2:
        return "b"
    if difference <= -2:
        return "w"
    if len(history) >= 2 and history[-1] == history[-2]:
        return OTHER[history[-1]]
    return None


def fewest(things: Iterable[Thing], key: Callable[[Thing], object]) -> list[Thing]:
    """All items with the smallest key."""
    listed = list(things)
    smallest = min(map(key, listed))  # type: ignore[type-var]
    return [thing for thing in listed if key(thing) == smallest]


def _colour_history(card: PairingCard) -> str:
    return "".join(record.colour.value for record in card.records if is_played(record) and record.colour is not None)


def _opponents_met(card: PairingCard) -> frozenset[int]:
    return frozenset(r.opponent for r in card.records if is_played(r) and r.opponent is not None)
