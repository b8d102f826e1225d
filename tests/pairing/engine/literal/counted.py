"""The points for results in events with point systems of their own."""

from __future__ import annotations

from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal.acceleration import fictitious_points
from tests.pairing.engine.literal.facts import Facts


def fictitious_in(snapshot: TournamentSnapshot) -> dict[int, tuple[int, ...]]:
    """Fictitious points; Baku's whole point is worth a win, its half point a draw."""
    given = fictitious_points(snapshot, snapshot.points.pairing_allocated_bye)
    worth = {2: snapshot.points.win, 1: snapshot.points.draw, 0: 0}
    for card in snapshot.cards:
        if snapshot.acceleration == "baku" and not card.fictitious:
            given[card.tpn] = tuple(worth[points] for points in given[card.tpn])
    return given


class Counted(Facts):
    """The facts of an event with a point system of its own."""

    def points_after(self, tpn: int, rounds: int) -> int:
        return sum(self.worth(record.result.value) for record in self.cards[tpn].records[:rounds])

    def worth(self, letter: str) -> int:
        points = self.snapshot.points
        if letter == "U":
            return points.pairing_allocated_bye
        if letter in "1W+F":
            return points.win
        if letter in "=DH*":
            return points.draw
        return points.loss if letter in "0L" else points.absence

    def parity_number(self, tpn: int) -> int:
        """5.2.5: the place among those paired in this round or an earlier one; read otherwise, the number on the list.

        Paired: a game, played or forfeited, or the pairing-allocated bye. Absences and requested byes do not count.
        """
        if "dutch-2026:5.2.5" in self.read_otherwise:
            return tpn
        place = 0
        for other in self.cards:
            letters = "".join(record.result.value for record in self.cards[other].records)
            if other <= tpn and (other in self.to_pair or any(letter in "10=WDL*+-U" for letter in letters)):
                place += 1
        return place
