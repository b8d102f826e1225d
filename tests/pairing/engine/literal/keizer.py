"""The Keizer system, written down sentence by sentence, with fractions and a search by trying.

Nothing of the engine is used but its snapshot. Slow, and meant to be compared with the document line by line.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pairing.engine.snapshot import Colour, PairingCard, Result, TournamentSnapshot

OVER_THE_BOARD = {
    Result.WIN: Fraction(1),
    Result.UNRATED_WIN: Fraction(1),
    Result.DRAW: Fraction(1, 2),
    Result.UNRATED_DRAW: Fraction(1, 2),
    Result.ADJOURNED: Fraction(1, 2),
    Result.LOSS: Fraction(0),
    Result.UNRATED_LOSS: Fraction(0),
}

Ranking = list[int]
Totals = dict[int, Fraction]


class Keizer:
    """A season and its options, under the names of the document (`gap`, `excused_most`, ...)."""

    def __init__(self, snapshot: TournamentSnapshot, options: dict[str, Any]) -> None:
        self.snapshot = snapshot
        self.cards: dict[int, PairingCard] = {card.tpn: card for card in snapshot.cards}
        usual: dict[str, Any] = {
            "bottom": None,
            "step": 1,
            "self": True,
            "loss": Fraction(0),
            "forfeit_win": Fraction(1),
            "bye": Fraction(2, 3),
            "excused": Fraction(1, 3),
            "excused_most": 5,
            "absent": Fraction(0),
            "duty": Fraction(2, 3),
            "late": Fraction(1, 3),
            "withdrawn": Fraction(3, 4),
            "gap": 4,
            "meetings": None,
            "frozen": False,
        }
        assert set(options) <= set(usual)
        self.told = usual | options
        self.known_points: dict[tuple[int, int], Fraction] = {}
        self.known_rankings: list[tuple[Ranking, Totals]] = []

    # -- Who is ranked (1.1 to 1.3) --

    def entered_in(self, tpn: int) -> int:
        """The first round of a player: before it, nothing at all is known of them."""
        number = 1
        for record in self.cards[tpn].records:
            if record.result is not Result.ABSENT:
                break
            number += 1
        return number

    def has_withdrawn(self, tpn: int, after: int) -> bool:
        """Whether nothing is known of them in any round after this one, up to the one to be paired."""
        card = self.cards[tpn]
        if card.unavailable is None or card.unavailable.result is not Result.ABSENT:
            return False
        return all(record.result is Result.ABSENT for record in card.records[after:])

    def ranked(self, after: int) -> set[int]:
        return {
            tpn for tpn in self.cards if self.entered_in(tpn) <= max(1, after) and not self.has_withdrawn(tpn, after)
        }

    def entered(self, ranking: Ranking, newcomers: set[int]) -> Ranking:
        """With those who enter late: each has as many ahead as there are smaller numbers in the ranking."""
        for tpn in sorted(newcomers):
            place = len([each for each in ranking if each < tpn])
            ranking = [*ranking[:place], tpn, *ranking[place:]]
        return ranking

    def value(self, ranking: Ranking, tpn: int) -> int:
        count, rank = len(ranking), ranking.index(tpn) + 1
        bottom = max(1, count // 2) if self.told["bottom"] is None else self.told["bottom"]
        return bottom + (count - rank) * self.told["step"]

    # -- Credits (2.1) --

    def credit(self, tpn: int, number: int, ranking: Ranking, withdrawn_after: int) -> Fraction:
        record = self.cards[tpn].records[number - 1]
        own = self.value(ranking, tpn)
        if record.result in OVER_THE_BOARD:
            result = OVER_THE_BOARD[record.result] or self.told["loss"]
            if self.has_withdrawn(record.opponent, withdrawn_after):
                return self.told["withdrawn"] * own * result
            return self.value(ranking, record.opponent) * result
        if record.result is Result.FORFEIT_WIN:
            if self.has_withdrawn(record.opponent, withdrawn_after):
                return self.told["withdrawn"] * own * self.told["forfeit_win"]
            return self.value(ranking, record.opponent) * self.told["forfeit_win"]
        if record.result is Result.FORFEIT_LOSS:
            return Fraction(0)
        if record.result is Result.PAIRING_ALLOCATED_BYE:
            return own * self.told["bye"]
        if record.result is Result.HALF_POINT_BYE:
            so_far = [each.result for each in self.cards[tpn].records[:number]].count(Result.HALF_POINT_BYE)
            return own * self.told["excused" if so_far <= self.told["excused_most"] else "absent"]
        if record.result is Result.FULL_POINT_BYE:
            return own * self.told["duty"]
        return own * self.told["late" if number < self.entered_in(tpn) else "absent"]

    def points(self, tpn: int, after: int) -> Fraction:
        if (tpn, after) not in self.known_points:
            results = [each.result for each in self.cards[tpn].records[:after]]
            self.known_points[tpn, after] = sum(
                (OVER_THE_BOARD.get(each, Fraction(0)) for each in results), Fraction(0)
            )
        return self.known_points[tpn, after]

    # -- Ranking (2.2, 2.3) --

    def by_totals(self, totals: Totals, after: int) -> Ranking:
        return sorted(totals, key=lambda tpn: (-totals[tpn], -self.points(tpn, after), tpn))

    def rankings(self) -> list[tuple[Ranking, Totals]]:
        """Before round 1, after round 1, and so on."""
        if not self.known_rankings:
            self.known_rankings = self.worked_out_rankings()
        return self.known_rankings

    def worked_out_rankings(self) -> list[tuple[Ranking, Totals]]:
        start = sorted(self.ranked(0))
        made: list[tuple[Ranking, Totals]] = [(start, self.totals(start, 0, {}))]
        kept: dict[int, Fraction] = {}
        for after in range(1, self.snapshot.rounds_paired + 1):
            before = made[-1][0]
            new = {tpn for tpn in self.cards if self.entered_in(tpn) == after} - set(before)
            with_new = self.entered(before, new)
            for tpn in with_new:
                kept.setdefault(tpn, Fraction(0))
                rounds = range(1, after + 1) if tpn in new else [after]
                kept[tpn] += sum((self.credit(tpn, each, with_new, after - 1) for each in rounds), Fraction(0))
            now_ranked = self.ranked(after)
            ranking = [tpn for tpn in with_new if tpn in now_ranked]
            gone_through: list[tuple[Ranking, Totals]] = []
            while ranking not in [each for each, _ in gone_through]:
                totals = self.totals(ranking, after, kept)
                gone_through.append((ranking, totals))
                ranking = self.by_totals(totals, after)
            first = [each for each, _ in gone_through].index(ranking)
            cycle = [totals for _, totals in gone_through[first:]]
            if len(cycle) == 1:
                made.append((ranking, cycle[0]))
            else:
                means = {tpn: sum((each[tpn] for each in cycle), Fraction(0)) / len(cycle) for tpn in ranking}
                made.append((self.by_totals(means, after), means))
        return made

    def totals(self, ranking: Ranking, after: int, kept: dict[int, Fraction]) -> Totals:
        made = {}
        for tpn in ranking:
            total = Fraction(self.value(ranking, tpn) if self.told["self"] else 0)
            if self.told["frozen"]:
                total += kept.get(tpn, Fraction(0))
            else:
                for number in range(1, after + 1):
                    total += self.credit(tpn, number, ranking, after)
            made[tpn] = total
        return made

    def ranking_to_pair_by(self) -> Ranking:
        after = self.snapshot.rounds_paired
        ranking = self.rankings()[-1][0]
        new = {
            tpn
            for tpn, card in self.cards.items()
            if tpn not in ranking
            and self.entered_in(tpn) == after + 1
            and (card.unavailable is None or card.unavailable.result is not Result.ABSENT)
        }
        return self.entered(ranking, new)

    # -- Pairing (3) --

    def games_of_two(self, one: int, other: int) -> list[tuple[int, int]]:
        """Their games over the board: round and White."""
        return [
            (number, one if record.colour is Colour.WHITE else other)
            for number, record in enumerate(self.cards[one].records, start=1)
            if record.opponent == other and record.result in OVER_THE_BOARD
        ]

    def may_meet(self, one: int, other: int, gap: int, meetings: int | None) -> bool:
        if frozenset((one, other)) in self.snapshot.forbidden_pairs:
            return False
        had, now = self.games_of_two(one, other), self.snapshot.rounds_paired + 1
        if any(now - gap + 1 <= number <= now - 1 for number, _ in had):
            return False
        return meetings is None or len(had) < meetings

    def first_complete(self, left: Ranking, gap: int, meetings: int | None, dead: set[tuple[int, ...]]) -> list | None:
        if not left:
            return []
        if tuple(left) in dead:
            return None
        highest, below = left[0], left[1:]
        for opponent in below:
            if self.may_meet(highest, opponent, gap, meetings):
                rest = self.first_complete([tpn for tpn in below if tpn != opponent], gap, meetings, dead)
                if rest is not None:
                    return [(highest, opponent), *rest]
        dead.add(tuple(left))
        return None

    def pairing(self) -> tuple[list[tuple[int, int]], int | None] | None:
        """White and Black of each board, and the bye; None if there is no pairing."""
        present = [tpn for tpn in self.ranking_to_pair_by() if self.cards[tpn].unavailable is None]
        byes = {
            tpn: [each.result for each in self.cards[tpn].records].count(Result.PAIRING_ALLOCATED_BYE)
            for tpn in present
        }
        limits = [(gap, self.told["meetings"]) for gap in range(self.told["gap"], 0, -1)]
        if self.told["meetings"] is not None:
            limits.append((1, None))
        for fewest in sorted(set(byes.values())) if len(present) % 2 else [None]:
            for gap, meetings in limits:
                lowest_first = [tpn for tpn in reversed(present) if byes[tpn] == fewest] if len(present) % 2 else [None]
                for bye in lowest_first:
                    others = [tpn for tpn in present if tpn != bye]
                    pairs = self.first_complete(others, gap, meetings, set())
                    if pairs is not None:
                        return [
                            self.with_colours(higher, lower, board)
                            for board, (higher, lower) in enumerate(pairs, start=1)
                        ], bye
        return None

    def with_colours(self, higher: int, lower: int, board: int) -> tuple[int, int]:
        had = {
            tpn: [record.colour for record in self.cards[tpn].records if record.result in OVER_THE_BOARD]
            for tpn in (higher, lower)
        }
        surplus = {tpn: had[tpn].count(Colour.WHITE) - had[tpn].count(Colour.BLACK) for tpn in had}
        if surplus[higher] != surplus[lower]:
            white = min(surplus, key=lambda tpn: surplus[tpn])
        elif self.games_of_two(higher, lower):
            _, last_white = max(self.games_of_two(higher, lower))
            white = lower if last_white == higher else higher
        elif had[higher]:
            white = lower if had[higher][-1] is Colour.WHITE else higher
        else:
            colour = self.snapshot.first_colour if board % 2 == 1 else self.snapshot.first_colour.opposite
            white = higher if colour is Colour.WHITE else lower
        return white, lower if white == higher else higher
