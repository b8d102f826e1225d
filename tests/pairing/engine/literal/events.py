"""Random small events, played by any pairing function. The same name and seed give the same event.

Most histories are what the system itself makes; in a share of the events the arbiter changes rounds at will,
so that no history is too odd to occur (three whites running, a pair played twice, a leader sent to the bottom).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from pairing.engine.rule_interpretations import ChosenInterpretations
from pairing.engine.snapshot import (
    ABSENT_RECORD,
    Colour,
    PairingCard,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
)
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing

PairingFunction = Callable[[TournamentSnapshot], Pairing]
Game = tuple[int, int]

ZERO_POINT_BYE = RoundRecord(result=Result.ZERO_POINT_BYE)
BYE = RoundRecord(result=Result.PAIRING_ALLOCATED_BYE)


def play(
    name: str, seed: int, pair: PairingFunction, readings: ChosenInterpretations = ()
) -> Iterator[tuple[TournamentSnapshot, Pairing | None]]:
    """Each round of the event as snapshot and pairing. The event ends early if there is no legal round (None).

    `name` is a system, or a system and its procedure with a plus between them.
    """
    event = RandomEvent(name, seed, readings)
    for _ in range(event.rounds_to_play):
        snapshot = event.snapshot()
        if not any(card.unavailable is None for card in snapshot.cards):
            return
        try:
            paired = pair(snapshot)
        except NoLegalRound:
            yield snapshot, None
            return
        yield snapshot, paired
        event.enter_round(*paired)


class RandomEvent:
    """A running event. All choices come from its own random generator."""

    def __init__(self, name: str, seed: int, readings: ChosenInterpretations = ()) -> None:
        self.readings = readings
        self.system, _, self.procedure = name.partition("+")
        self.dice = dice = Random(f"{name} {seed}")
        self.is_short = dice.random() < 0.2
        size = dice.randint(9, 14) if self.is_short else dice.randint(6, 14)
        self.tpns = _numbers(dice, size)
        self.ratings = _ratings(dice, self.tpns, clustered=self.is_short)
        if any(value == "name" for _, value in readings):
            self.ratings = _equal_ratings(Random(f"ties {name} {seed}"), self.tpns)
        self.first_colour = dice.choice([Colour.WHITE, Colour.BLACK])
        self.choose_rounds(size)
        self.choose_acceleration()
        self.forbidden = self.draw_forbidden_pairs()
        self.draws = dice.choice([0.1, 0.3, 0.6])
        self.upsets = dice.choice([0, 0.2, 0.5])
        self.forfeits = dice.choice([0, 0, 0.05, 0.2])
        self.unrated = dice.choice([0, 0, 0.2])
        self.adjourned = 0.03 if "dutch-1992" in name else 0
        self.byes = dice.choice([0, 0, 0.05, 0.15])
        self.interventions = dice.choice([0, 0, 0, 0.3, 0.7])
        self.arrives = {tpn: dice.randint(2, 4) for tpn in self.tpns if dice.random() < dice.choice([0, 0, 0.15])}
        self.leaves = {tpn: dice.randint(2, size) for tpn in self.tpns if dice.random() < dice.choice([0, 0, 0.2])}
        # Names use a random generator of their own, so that a seed gives the same event with and without them.
        self.names = _names(Random(f"names {name} {seed}"), self.tpns) if readings else dict.fromkeys(self.tpns, "")
        self.records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in self.tpns}
        self.unavailable: dict[int, RoundRecord] = {}

    @property
    def round_number(self) -> int:
        return len(self.records[self.tpns[0]]) + 1

    def choose_rounds(self, size: int) -> None:
        """Announce the rounds or not; a short event has more players than 2 to the power of its rounds."""
        if self.is_short:
            self.announced: int | None = self.dice.choice([2, 3, 3])
            # Some continue after the announced last round, to give long histories in a maxi event.
            self.rounds_to_play = self.announced + self.dice.choice([0, 0, 4])
            return
        self.rounds_to_play = self.dice.choice([size - 1, self.dice.randint(3, size - 1)])
        self.announced = self.rounds_to_play if self.dice.random() < 0.75 else None

    def choose_acceleration(self) -> None:
        """None in most events; else manual, progressive if the field can be split in three, or Baku."""
        self.acceleration, self.limits = "none", None
        self.by_hand: dict[int, tuple[int, ...]] = {}
        kind = self.dice.choices(["none", "hand", "progressive", "baku"], weights=[70, 10, 10, 10])[0]
        if kind == "hand":
            self.by_hand = self.draw_points_by_hand()
        elif kind != "none" and self.announced is not None:
            self.limits = self.draw_limits() if kind == "progressive" else None
            self.acceleration = "baku" if self.limits is None else "progressive"

    def draw_points_by_hand(self) -> dict[int, tuple[int, ...]]:
        """Points for the top of the list in the first rounds, or for any player at any time."""
        if self.dice.random() < 0.5:
            top = self.tpns[: len(self.tpns) // self.dice.choice([2, 3])]
            rounds = self.dice.randint(1, self.rounds_to_play)
            return dict.fromkeys(top, (2,) * rounds + (0,) * (self.rounds_to_play - rounds))
        some = self.dice.sample(self.tpns, self.dice.randint(1, len(self.tpns)))
        return {tpn: tuple(self.dice.randint(0, 4) for _ in range(self.rounds_to_play)) for tpn in some}

    def draw_limits(self) -> tuple[int, int] | None:
        """Two limits that put 25 to 50 % of the players into each group, if a few attempts find them."""
        ratings = list(self.ratings.values())
        for _ in range(30):
            lower, upper = sorted(self.dice.choices(ratings, k=2))
            sizes = [
                sum(rating >= upper for rating in ratings),
                sum(lower <= rating < upper for rating in ratings),
                sum(rating < lower for rating in ratings),
            ]
            if lower > 0 and all(len(ratings) <= 4 * share <= 2 * len(ratings) for share in sizes):
                return upper, lower
        return None

    def draw_forbidden_pairs(self) -> frozenset[frozenset[int]]:
        if self.dice.random() < 0.85:
            return frozenset()
        return frozenset(frozenset(self.dice.sample(self.tpns, 2)) for _ in range(self.dice.randint(1, 4)))

    def snapshot(self) -> TournamentSnapshot:
        """The event before its next round, with the players in random order."""
        self.unavailable = {tpn: record for tpn in self.tpns if (record := self.absence(tpn)) is not None}
        cards = [
            PairingCard(
                tpn=tpn,
                name=self.names[tpn],
                rating=self.ratings[tpn],
                records=tuple(self.records[tpn]),
                unavailable=self.unavailable.get(tpn),
                fictitious=self.by_hand.get(tpn, ())[: self.round_number],
            )
            for tpn in self.tpns
        ]
        self.dice.shuffle(cards)
        snapshot = TournamentSnapshot(
            cards=tuple(cards),
            rounds_paired=self.round_number - 1,
            system=self.system,
            procedure=self.procedure or None,
            rounds_announced=self.announced,
            first_colour=self.first_colour,
            forbidden_pairs=self.forbidden,
            acceleration=self.acceleration,
            group_limits=self.limits,
            points=PointSystem(pairing_allocated_bye=1 if self.system == "jahr" else 2),
            interpretations=self.readings,
        )
        snapshot.check_consistency()
        return snapshot

    def absence(self, tpn: int) -> RoundRecord | None:
        """What the player already has for the round to be paired."""
        if self.round_number < self.arrives.get(tpn, 0):
            return ABSENT_RECORD
        if self.round_number >= self.leaves.get(tpn, self.round_number + 1):
            return ZERO_POINT_BYE
        if self.dice.random() < self.byes:
            return RoundRecord(result=Result(self.dice.choice("FHHZ ")))
        return None

    def enter_round(self, games: tuple[Game, ...], bye: int | None) -> None:
        """Play the round, as paired or as changed by the arbiter."""
        entered = dict(self.unavailable)
        if bye is not None:
            entered[bye] = BYE
        for white, black in self.as_the_arbiter_has_it(games):
            entered[white], entered[black] = self.result(white, black)
        for tpn in self.tpns:
            self.records[tpn].append(entered[tpn])

    def as_the_arbiter_has_it(self, games: tuple[Game, ...]) -> tuple[Game, ...]:
        """The games, or in some rounds of some events the arbiter's own pairs."""
        if self.dice.random() >= self.interventions:
            return games
        what = self.dice.choice(["colours", "two boards", "all", "one side"])
        if what == "colours":
            return tuple(game if self.dice.random() < 0.5 else game[::-1] for game in games)
        if what == "one side":
            return tuple((min(game), max(game)) for game in games)
        boards = list(games)
        chosen = range(len(boards)) if what == "all" else self.dice.sample(range(len(boards)), min(2, len(boards)))
        players = [tpn for board in chosen for tpn in boards[board]]
        self.dice.shuffle(players)
        for place, board in enumerate(chosen):
            boards[board] = (players[2 * place], players[2 * place + 1])
        return tuple(boards)

    def result(self, white: int, black: int) -> tuple[RoundRecord, RoundRecord]:
        """A game, a forfeit with or without names, an adjourned game, occasionally a game that both have lost."""
        dice = self.dice
        if dice.random() < self.forfeits:
            return self.forfeit(white, black)
        if dice.random() < self.adjourned:
            return _game("**", white, black)
        win, draw, loss = ("W", "D", "L") if dice.random() < self.unrated else ("1", "=", "0")
        if dice.random() < 0.01:
            return _game(loss + loss, white, black)
        if dice.random() < self.draws:
            return _game(draw + draw, white, black)
        favourite_wins = dice.random() >= self.upsets
        return _game(win + loss if (white < black) == favourite_wins else loss + win, white, black)

    def forfeit(self, white: int, black: int) -> tuple[RoundRecord, RoundRecord]:
        pair = self.dice.choice(["+-", "+-", "-+", "-+", "--"])
        if self.dice.random() < 0.4:
            return RoundRecord(result=Result(pair[0])), RoundRecord(result=Result(pair[1]))
        return _game(pair, white, black)


def _game(letters: str, white: int, black: int) -> tuple[RoundRecord, RoundRecord]:
    return (
        RoundRecord(result=Result(letters[0]), opponent=black, colour=Colour.WHITE),
        RoundRecord(result=Result(letters[1]), opponent=white, colour=Colour.BLACK),
    )


def _numbers(dice: Random, size: int) -> list[int]:
    """Pairing numbers: 1, 2, 3, ..., with gaps in a few events."""
    if dice.random() < 0.9:
        return list(range(1, size + 1))
    return sorted(dice.sample(range(1, 2 * size), size))


def _names(dice: Random, tpns: list[int]) -> dict[int, str]:
    """Invented names in random order, some with accents and capitals that sorting ignores, some of them twice."""
    parts = ["ab", "Áb", "äc", "če", "Ce", "eż", "Éz", "ło", "Lo", "oś", "Ös", "šu", "Su", "zu", "Žu", "бо", "Во"]
    return {tpn: dice.choice(parts) + dice.choice(parts) for tpn in tpns}


def _equal_ratings(dice: Random, tpns: list[int]) -> dict[int, int]:
    """Ratings so similar that averages are equal too, and names decide."""
    some = dice.choice([[1500], [1500, 1700], [1500, 1600, 1700]])
    return {tpn: dice.choice(some) for tpn in tpns}


def _ratings(dice: Random, tpns: list[int], *, clustered: bool) -> dict[int, int]:
    """Ratings with ties and zeros, mostly in descending order."""
    kind = dice.choice(["clusters", "close"] if clustered else ["clusters", "close", "wide", "hundreds"])
    ratings = [_rating(dice, kind) for _ in tpns]
    ratings = [0 if dice.random() < 0.08 else rating for rating in ratings]
    if dice.random() < 0.85:
        ratings.sort(reverse=True)
    return dict(zip(tpns, ratings, strict=True))


def _rating(dice: Random, kind: str) -> int:
    if kind == "clusters":
        return dice.choice([1500, 1600, 1650, 1800, 2000]) + dice.randint(-10, 10)
    if kind == "close":
        return 1800 + dice.randint(-110, 110)
    if kind == "hundreds":
        return 100 * dice.randint(11, 25)
    return dice.randint(1000, 2500)
