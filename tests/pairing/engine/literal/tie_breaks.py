"""FIDE's tie-breaks (Handbook C.07), and those of our documents, transcribed literally, the slow way.

`ranking(snapshot, codes, edition)` gives for every player his rank and his values as texts. Nothing here comes from
the engine but the input types. Points are Fractions of a point; an edition is 2024 or 2026.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from pairing.engine.snapshot import Colour, RoundRecord, TournamentSnapshot

HALF = Fraction(1, 2)
WORTH: dict[str, int | Fraction] = {"1": 1, "W": 1, "+": 1, "F": 1, "=": HALF, "D": HALF, "H": HALF}
"""Everything else brings nothing; the pairing-allocated bye (U) what the event says."""

PLAYED = "1=0WDL*"
REQUESTED_BYES = "HZ "
VOLUNTARY = REQUESTED_BYES + "-"
MOST_OUTCOMES = 6
"""Up to so many games not played, all their outcomes are tried one by one."""

Value = tuple[object, str]
"""What decides (the greater the better, None the worst) and what is shown."""


@dataclass(frozen=True)
class Contribution:
    """The contribution of one round to Buchholz or Sonneborn-Berger."""

    score: Fraction
    value: Fraction
    voluntary: bool


class Event:
    """An event with one tie-break's modifiers."""

    def __init__(self, snapshot: TournamentSnapshot, modifiers: dict[str, str], edition: int) -> None:
        self.rounds = snapshot.rounds_paired
        self.is_fixed = snapshot.system == "round-robin"
        """15.2: the pairings are fixed beforehand."""
        self.bye = Fraction(snapshot.points.pairing_allocated_bye, 2)
        self.records = {card.tpn: card.records for card in snapshot.cards}
        self.rating = {card.tpn: card.rating or int(modifiers.get("U", "0")) for card in snapshot.cards}
        self.modifiers = modifiers
        self.edition = {"1": 2024, "2": 2026}.get(modifiers.get("V", ""), edition)
        announced = snapshot.rounds_announced
        self.final_round = self.rounds if announced is None or announced <= self.rounds else None
        self.points = {tpn: sum(map(self.worth, records), Fraction()) for tpn, records in self.records.items()}

    def worth(self, record: RoundRecord) -> Fraction:
        return self.worth_of(record.result.value)

    def worth_of(self, letter: str) -> Fraction:
        return self.bye if letter == "U" else Fraction(WORTH.get(letter, 0))

    def games(self, tpn: int) -> list[RoundRecord]:
        """Games played."""
        return [record for record in self.records[tpn] if record.result.value in PLAYED]

    def possible_points(self, tpn: int) -> int:
        """The most points there are for a player; in a round robin a rest brings none."""
        return sum(not self.is_fixed or record.opponent is not None for record in self.records[tpn])

    def finished(self, tpn: int) -> list[RoundRecord]:
        return [record for record in self.games(tpn) if record.result.value != "*"]

    def has_drawn_final(self, tpn: int, *, fore: bool) -> bool:
        """8.3: a game was paired for the final round, so it counts as a draw."""
        return bool(fore and self.final_round and self.records[tpn][-1].opponent is not None)

    @cache  # noqa: B019
    def score_for_opponents(self, tpn: int, *, fore: bool) -> Fraction:
        """16.3: requested byes followed only by voluntary unplayed rounds, or last, are draws."""
        letters = [record.result.value for record in self.records[tpn]]
        if self.has_drawn_final(tpn, fore=fore):
            letters[-1] = "="
        score = Fraction()
        for index, letter in enumerate(letters):
            is_last_absence = all(later in VOLUNTARY for later in letters[index + 1 :])
            is_draw = letter in REQUESTED_BYES and is_last_absence and not self.is_fixed
            score += HALF if is_draw else self.worth_of(letter)
        return score

    def own_score(self, tpn: int, *, fore: bool) -> Fraction:
        if self.has_drawn_final(tpn, fore=fore):
            return self.points[tpn] - self.worth(self.records[tpn][-1]) + HALF
        return self.points[tpn]

    def contributions(self, tpn: int, *, fore: bool, weighted: bool) -> list[Contribution]:
        found = []
        for number, record in enumerate(self.records[tpn], start=1):
            letter, opponent = record.result.value, record.opponent
            if self.is_fixed and opponent is None:
                continue
            is_game = letter in PLAYED or (
                opponent is not None
                and (self.is_fixed or "P" in self.modifiers or (fore and number == self.final_round))
            )
            if is_game:
                score = self.score_for_opponents(opponent or 0, fore=fore)
            else:
                score = self.own_score(tpn, fore=fore)
                if self.edition == 2026 and opponent is not None:
                    score = min(score, self.score_for_opponents(opponent, fore=fore))
                elif self.edition == 2026:
                    score = min(score, HALF * self.rounds)
            value = score * self.worth(record) if weighted else score
            found.append(Contribution(score, value, not is_game and letter in VOLUNTARY))
        return found

    def sum_after_cuts(self, contributions: list[Contribution]) -> Fraction:
        left = list(contributions)
        low = int(self.modifiers.get("C", self.modifiers.get("M", "0")))
        high = int(self.modifiers.get("M", "0"))
        for _ in range(low):
            if left:
                left.remove(self.cut_first(left))
        for _ in range(high):
            if left:
                highest = max(each.score for each in left)
                best = max(each.value for each in left if each.score == highest)
                left.remove(next(each for each in left if (each.score, each.value) == (highest, best)))
        return sum((each.value for each in left), Fraction())

    @staticmethod
    def cut_first(left: list[Contribution]) -> Contribution:
        """14.1.1 the value of the lowest opponent, the lowest of them; 16.5 a voluntary one that is not lower."""
        lowest = min(each.score for each in left)
        least = min((each for each in left if each.score == lowest), key=lambda each: each.value)
        voluntary = [each for each in left if each.voluntary]
        if not voluntary:
            return least
        value = min(each.value for each in voluntary)
        if value < least.value:
            return least
        return min((each for each in voluntary if each.value == value), key=lambda each: each.score)

    @cache  # noqa: B019
    def buchholz(self, tpn: int, *, fore: bool) -> Fraction:
        return self.sum_after_cuts(self.contributions(tpn, fore=fore, weighted=False))

    def buchholz_of_opponents(self, tpn: int) -> list[Fraction]:
        return [self.buchholz(game.opponent or 0, fore="F" in self.modifiers) for game in self.games(tpn)]

    def ratings_of_opponents(self, tpn: int) -> list[int]:
        return [self.rating[game.opponent or 0] for game in self.games(tpn)]

    def performance(self, tpn: int) -> int | None:
        games = self.finished(tpn)
        if not games:
            return None
        share = sum(map(self.worth, games), Fraction()) / len(games)
        average = half_up(Fraction(sum(self.rating[game.opponent or 0] for game in games), len(games)))
        return average + difference(half_up(100 * share))

    def perfect_performance(self, tpn: int) -> int | None:
        games = self.finished(tpn)
        if not games:
            return None
        ratings = [self.rating[game.opponent or 0] for game in games]
        score = sum(map(self.worth, games), Fraction())
        if score == 0:
            return min(ratings) - 800
        return lowest_rating_for(tuple(ratings), score)

    def average_of_opponents(self, tpn: int, of_one: Callable[[int], int | None]) -> Value:
        values = [value for game in self.games(tpn) if (value := of_one(game.opponent or 0)) is not None]
        return whole(half_up(Fraction(sum(values), len(values)))) if values else NOTHING


NOTHING: Value = (None, "-")


def whole(number: int | None) -> Value:
    return NOTHING if number is None else (number, str(number))


def half_up(number: Fraction) -> int:
    return int((number + HALF) // 1)


def decimals(number: Fraction, places: int) -> Value:
    shown = half_up(number * 10**places)
    sign, digits = ("-" if shown < 0 else ""), str(abs(shown)).rjust(places + 1, "0")
    return number, f"{sign}{digits[:-places]}.{digits[-places:]}"


# B.02, 8.1: p and dp, from 1.0 down to .50; and the largest D of each PD from .50 on.
DP = """800 677 589 538 501 470 444 422 401 383 366 351 336 322 309 296 284 273 262 251 240 230 220 211 202 193
184 175 166 158 149 141 133 125 117 110 102 95 87 80 72 65 57 50 43 36 29 21 14 7 0"""
GREATEST_D = """3 10 17 25 32 39 46 53 61 68 76 83 91 98 106 113 121 129 137 145 153 162 170 179 188 197 206 215 225
235 245 256 267 278 290 302 315 328 344 357 374 391 411 432 456 484 517 559 619 735"""


@cache
def lowest_rating_for(ratings: tuple[int, ...], score: Fraction) -> int:
    """10.3, by trying values from far below."""
    own = min(ratings) - 800
    while sum(expected(own - rating) for rating in ratings) < 100 * score:
        own += 1
    return own


def difference(percent: int) -> int:
    table = [int(number) for number in DP.split()]
    return table[100 - percent] if percent >= 50 else -table[percent]


@cache
def expected(above: int) -> int:
    greatest = [int(number) for number in GREATEST_D.split()]
    percent = 50 + sum(abs(above) > each for each in greatest)
    return percent if above >= 0 else 100 - percent


def value_of(event: Event, name: str, tpn: int) -> Value:
    """A player's value of a tie-break that depends only on that player."""
    records, worth = event.records[tpn], event.worth
    if name == "PTS":
        return decimals(event.points[tpn], 1)
    if name == "WIN":
        return whole(sum(worth(record) == 1 for record in records))
    if name == "WON":
        return whole(sum(worth(record) == 1 for record in event.games(tpn)))
    if name == "BPG":
        return whole(sum(record.colour is Colour.BLACK for record in event.games(tpn)))
    if name == "BWG":
        return whole(sum(record.colour is Colour.BLACK and worth(record) == 1 for record in event.games(tpn)))
    if name == "REP":
        return whole(len(records) - sum(record.result.value in VOLUNTARY for record in records))
    if name == "PS":
        first = int(event.modifiers.get("C", "0"))
        after = [sum(map(worth, records[:number]), Fraction()) for number in range(1, len(records) + 1)]
        return decimals(sum(after[first:], Fraction()), 1)
    if name == "STD":
        return decimals(sum((_standard(event, tpn, number) for number in range(len(records))), Fraction()), 1)
    if name == "TPN":
        return (tpn if "R" in event.modifiers else -tpn), str(tpn)
    if name == "RTNG":
        return (-event.rating[tpn] if "R" in event.modifiers else event.rating[tpn]), str(event.rating[tpn])
    if name in ("BH", "FB"):
        return decimals(event.buchholz(tpn, fore=name == "FB" or "F" in event.modifiers), 1)
    if name == "AOB":
        sums = event.buchholz_of_opponents(tpn)
        places = 2 + (event.rounds >= 9) + (event.rounds >= 27)
        return decimals(sum(sums, Fraction()) / len(sums), places) if sums else NOTHING
    if name == "SOB":
        return decimals(sum(event.buchholz_of_opponents(tpn), Fraction()), 1)
    if name == "SB":
        return decimals(event.sum_after_cuts(event.contributions(tpn, fore=False, weighted=True)), 2)
    if name == "KS":
        moved = HALF * int(event.modifiers.get("L", "0"))
        against = [
            record
            for record in records
            if record.opponent
            and event.points[record.opponent] >= HALF * event.possible_points(record.opponent) + moved
        ]
        return decimals(sum(map(worth, against), Fraction()), 1)
    if name == "ARO":
        ratings = sorted(event.ratings_of_opponents(tpn))
        low, high = event.modifiers.get("C", event.modifiers.get("M", "0")), event.modifiers.get("M", "0")
        ratings = ratings[int(low) :]
        ratings = ratings[: max(0, len(ratings) - int(high))]
        return whole(half_up(Fraction(sum(ratings), len(ratings)))) if ratings else NOTHING
    if name == "TPR":
        return whole(event.performance(tpn))
    if name == "PTP":
        return whole(event.perfect_performance(tpn))
    if name == "APRO":
        return event.average_of_opponents(tpn, event.performance)
    if name == "APPO":
        return event.average_of_opponents(tpn, event.perfect_performance)
    if name == "AR":
        ratings = event.ratings_of_opponents(tpn)
        return decimals(Fraction(sum(ratings), len(ratings) or 1), 1)
    raise NotImplementedError(
        f"{name} has no literal transcription yet: transcribe its article here, slowly and from the document alone"
    )


def _standard(event: Event, tpn: int, index: int) -> Fraction:
    record = event.records[tpn][index]
    if record.result.value == "*":
        return Fraction()
    other = HALF
    if record.result.value in PLAYED:
        other = event.worth(event.records[record.opponent or 0][index])
    own = event.worth(record)
    return Fraction(1) if own > other else HALF if own == other else Fraction()


def direct_encounter(event: Event, tied: Sequence[int]) -> list[list[int]]:
    """Article 6: the tied players in order; those that it cannot separate share a place."""
    if len(tied) == 1:
        return [list(tied)]
    met = {(one, other): _met(event, one, other) for one in tied for other in tied if one != other}
    scores = {one: sum((met[one, other] or Fraction() for other in tied if other != one), Fraction()) for one in tied}
    missing = [(one, other) for one in tied for other in tied if one < other and met[one, other] is None]
    if not missing:
        levels = sorted(set(scores.values()), reverse=True)
        parts = [[tpn for tpn in tied if scores[tpn] == level] for level in levels]
        return [list(tied)] if len(parts) == 1 else [one for part in parts for one in direct_encounter(event, part)]
    certain: list[int] = []
    while len(certain) < len(tied):
        leader = _certain_leader(scores, missing, [tpn for tpn in tied if tpn not in certain])
        if leader is None:
            break
        certain.append(leader)
    rest = [tpn for tpn in tied if tpn not in certain]
    if not certain:
        return [rest]
    return [[tpn] for tpn in certain] + (direct_encounter(event, rest) if rest else [])


def _met(event: Event, one: int, other: int) -> Fraction | None:
    """6.1.2: the average score of `one` in their games; None if they have not met."""
    counted = PLAYED.replace("*", "") + ("+-" if event.is_fixed or "P" in event.modifiers else "")
    games = [record for record in event.records[one] if record.opponent == other and record.result.value in counted]
    return sum(map(event.worth, games), Fraction()) / len(games) if games else None


def _certain_leader(scores: dict[int, Fraction], missing: list[tuple[int, int]], among: list[int]) -> int | None:
    """A player of `among` who is ahead of the others, whatever the missing games would bring."""
    leaders = set()
    if len(missing) <= MOST_OUTCOMES:
        for outcome in product((Fraction(1), HALF, Fraction(0)), repeat=len(missing)):
            final = dict(scores)
            for (one, other), of_one in zip(missing, outcome, strict=True):
                final[one] += of_one
                final[other] += 1 - of_one
            best = max(final[tpn] for tpn in among)
            alone = [tpn for tpn in among if final[tpn] == best]
            leaders.add(alone[0] if len(alone) == 1 else None)
        return leaders.pop() if len(leaders) == 1 else None
    most = {tpn: scores[tpn] + sum(tpn in pair for pair in missing) for tpn in among}
    for tpn in among:
        if all(scores[tpn] > most[other] for other in among if other != tpn):
            return tpn
    return None


def ranking(
    snapshot: TournamentSnapshot, codes: Iterable[str], *, edition: int, lots: dict[int, int] | None = None
) -> dict[int, tuple[int, list[str]]]:
    """Every player's rank, shared by those not separated, and values."""
    points = Event(snapshot, {}, edition).points
    groups = [[tpn for tpn in sorted(points) if points[tpn] == score] for score in sorted(set(points.values()))[::-1]]
    texts: dict[int, list[str]] = {tpn: [] for tpn in points}
    for code in codes:
        values = _column(snapshot, code, edition, groups, lots or {})
        for tpn, (_, text) in values.items():
            texts[tpn].append(text)
        groups = [part for group in groups for part in _in_order(group, values)]
    ranks = {tpn: 1 + sum(map(len, groups[:index])) for index, group in enumerate(groups) for tpn in group}
    return {tpn: (rank, texts[tpn]) for tpn, rank in ranks.items()}


def _column(
    snapshot: TournamentSnapshot, code: str, edition: int, groups: list[list[int]], lots: dict[int, int]
) -> dict[int, Value]:
    name, *written = code.split("/")
    modifiers = {each[0]: re.sub("^[+]", "", each[1:]) for each in written}
    event = Event(snapshot, modifiers, edition)
    if name == "LOT":
        tied = {tpn for group in groups if len(group) > 1 for tpn in group}
        return {tpn: (-lots[tpn], str(lots[tpn])) if tpn in lots and tpn in tied else NOTHING for tpn in event.records}
    if name == "DE":
        return _direct_encounters(event, groups)
    if name == "DE1":
        return _for_first_place(event, groups[0])
    if name in ("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG") and not all(event.rating.values()):
        return dict.fromkeys(event.records, NOTHING)
    return {tpn: value_of(event, name, tpn) for tpn in event.records}


def _direct_encounters(event: Event, groups: list[list[int]]) -> dict[int, Value]:
    values: dict[int, Value] = {}
    for group in groups:
        parts = direct_encounter(event, group)
        for index, part in enumerate(parts):
            place = 1 + sum(map(len, parts[:index])) if len(parts) > 1 else 0
            values.update({tpn: (-place, str(place)) for tpn in part})
    return values


def _for_first_place(event: Event, tied: list[int]) -> dict[int, Value]:
    values = dict.fromkeys(event.records, NOTHING)
    for tpn in tied if len(tied) > 1 else []:
        games = [record for record in event.finished(tpn) if record.opponent in tied]
        values[tpn] = decimals(sum(map(event.worth, games), Fraction()), 1)
    return values


def _in_order(group: list[int], values: dict[int, Value]) -> list[list[int]]:
    keys = {values[tpn][0] for tpn in group}
    order = sorted((key for key in keys if key is not None), reverse=True)  # type: ignore[type-var]
    return [[tpn for tpn in group if values[tpn][0] == key] for key in [*order, *([None] if None in keys else [])]]
