"""An event written game by game, independent of any pairing system."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from pairing.engine.snapshot import Colour, PairingCard, PairingNumber, Result, RoundRecord, TournamentSnapshot

_POINTS = {2: (Result.WIN, Result.LOSS), 1: (Result.DRAW, Result.DRAW), 0: (Result.LOSS, Result.WIN)}
_BYES = {2: Result.FULL_POINT_BYE, 1: Result.HALF_POINT_BYE, 0: Result.ZERO_POINT_BYE}


class Sketch:
    """Players 1 to n with descending ratings, and their records so far."""

    def __init__(self, players: int) -> None:
        self._records: dict[PairingNumber, list[RoundRecord]] = {tpn: [] for tpn in range(1, players + 1)}
        self._forbidden: set[frozenset[PairingNumber]] = set()
        self._gone: set[PairingNumber] = set()

    def game(self, white: PairingNumber, black: PairingNumber, half_points: int = 1) -> None:
        """A game in which White scored so many half points."""
        of_white, of_black = _POINTS[half_points]
        self._records[white].append(RoundRecord(result=of_white, opponent=black, colour=Colour.WHITE))
        self._records[black].append(RoundRecord(result=of_black, opponent=white, colour=Colour.BLACK))

    def bye(self, player: PairingNumber, half_points: int) -> None:
        """A requested bye, worth so many half points."""
        self._records[player].append(RoundRecord(result=_BYES[half_points]))

    def last_colour(self, player: PairingNumber) -> Colour | None:
        """The colour of the player's latest record."""
        return self._records[player][-1].colour if self._records[player] else None

    def forbid(self, one: PairingNumber, other: PairingNumber) -> None:
        """The two must not meet."""
        self._forbidden.add(frozenset((one, other)))

    def forbid_among(self, players: Iterable[PairingNumber]) -> None:
        """No two of these may meet."""
        self._forbidden.update(frozenset(pair) for pair in combinations(players, 2))

    def withdraw(self, players: Iterable[PairingNumber]) -> None:
        """These are no longer paired."""
        self._gone.update(players)

    def event(self, system: str, *, rounds: int | None) -> TournamentSnapshot:
        """The event before its next round. Raises InvalidSnapshot if the records contradict each other."""
        away = RoundRecord(result=Result.ZERO_POINT_BYE)
        snapshot = TournamentSnapshot(
            cards=tuple(
                PairingCard(
                    tpn=tpn,
                    name=f"Player {tpn:04}",
                    rating=max(2600 - tpn, 1000),
                    records=tuple(records),
                    unavailable=away if tpn in self._gone else None,
                )
                for tpn, records in self._records.items()
            ),
            rounds_paired=len(self._records[1]),
            rounds_announced=rounds,
            forbidden_pairs=frozenset(self._forbidden),
            system=system,
        )
        snapshot.check_consistency()
        return snapshot
