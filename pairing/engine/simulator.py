"""Profiles of simulated events: unusual players, and what happens to them.

Every profile has its own random generator. So a plan that does not use a profile gives the same event as before the
profile existed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from pairing.engine.acceleration.progressive import (
    DEFAULT_GROUP_LIMITS,
    GroupLimitsError,
    count_group_sizes,
    nearest_valid_limits,
)
from pairing.engine.paired_round import PairedGame, PairedRound, PairingImpossible
from pairing.engine.pairing_checker import PairingFunction
from pairing.engine.rules.snapshot_after import snapshot_after_round
from pairing.engine.snapshot import (
    ABSENT_RECORD,
    STANDARD_POINTS,
    Colour,
    PairingCard,
    PairingNumber,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
)

RATING_PROFILES = ("bell", "equal", "gaps", "strong")
"""Ratings: most in the middle; all the same; three groups far apart; a tenth far above the others."""

SIMULATION_PRESETS: dict[str, dict[str, Any]] = {
    "plain": {},
    "byes": {"byes": Fraction(1, 10)},
    "forfeits": {"forfeits": Fraction(1, 10)},
    "retirements": {"withdrawals": Fraction(1, 20)},
    "late": {"late": Fraction(1, 5)},
    "forbidden": {"forbidden_pairs": 10},
    "unrated": {"unrated": Fraction(1, 4)},
    "equal": {"profile": "equal"},
    "gaps": {"profile": "gaps"},
    "strong": {"profile": "strong"},
    "odd-colours": {"turned": Fraction(1, 3)},
    "near-round-robin": {"near_round_robin": True},
    "draws": {"draws": Fraction(3, 5)},
}
"""The plan settings of each named preset."""

_UNRATED = {
    Result.WIN: Result.UNRATED_WIN,
    Result.DRAW: Result.UNRATED_DRAW,
    Result.LOSS: Result.UNRATED_LOSS,
}


def seeded_random(seed: int, regime: str) -> Random:
    """Return a random number generator for a seed and a purpose, such as `ratings`."""
    return Random(f"{regime} {seed}")  # noqa: S311 - events of made-up players are no secret


def draw_ratings(profile: str, players: int, seed: int) -> list[int]:
    """Return ratings drawn from a profile other than `bell`, the highest first."""
    chance = seeded_random(seed, "ratings")
    if profile == "equal":
        return [1600] * players
    if profile == "gaps":
        return sorted((chance.choice((2300, 1800, 1300)) + chance.randrange(40) for _ in range(players)), reverse=True)
    strong = max(1, players // 10)
    high = [2400 + chance.randrange(150) for _ in range(strong)]
    return sorted([*high, *(1200 + chance.randrange(300) for _ in range(players - strong))], reverse=True)


def draw_forbidden_pairs(players: int, wanted: int, seed: int) -> frozenset[frozenset[PairingNumber]]:
    """Return `wanted` different forbidden pairs, or all pairs if there are fewer."""
    chance = seeded_random(seed, "forbidden")
    wanted = min(wanted, players * (players - 1) // 2)
    pairs: set[frozenset[PairingNumber]] = set()
    while len(pairs) < wanted:
        pairs.add(frozenset(chance.sample(range(1, players + 1), 2)))
    return frozenset(pairs)


def draw_late_entry_rounds(players: int, rounds: int, share: Fraction, seed: int) -> dict[PairingNumber, int]:
    """Return the first round of every late entry: from round 2 to the middle of the event."""
    if not share or rounds < 2:
        return {}
    chance = seeded_random(seed, "late")
    last = max(2, rounds // 2)
    return {
        tpn: chance.randint(2, last)
        for tpn in range(1, players + 1)
        if chance.randrange(share.denominator) < share.numerator
    }


def unrated_result(result: Result) -> Result:
    """Return the unrated form of a game's result. Other results, such as forfeits, stay the same."""
    return _UNRATED.get(result, result)


def fitting_group_limits(players: Sequence[int]) -> tuple[int, int]:
    """Return the limits of progressive acceleration nearest to the usual ones. Raises GroupLimitsError if none fit."""
    found = nearest_valid_limits(players, DEFAULT_GROUP_LIMITS)
    if found is None:
        raise GroupLimitsError(DEFAULT_GROUP_LIMITS, count_group_sizes(DEFAULT_GROUP_LIMITS, players), None)
    return found


_ASKED_BYE = RoundRecord(result=Result.HALF_POINT_BYE)
_WITHDRAWN = RoundRecord(result=Result.ZERO_POINT_BYE)
_SCALE = 10_000
"""Chances are whole numbers out of this many, so that no event depends on a machine's rounding."""

DEFAULT_DRAW_SHARE = Fraction(3, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationPlan:
    """The settings of a simulated event. Shares are from 0 to 1.

    - `draws`: share of the games, as far as the rating difference allows
    - `forfeits`: share of the pairings in which one of the two does not come
    - `byes`: chance that a player asks for a half-point bye, each round
    - `withdrawals`: chance that a player leaves for good, each round but the first
    - `late`: share of the players who come after round 1
    - `unrated` and `turned`: share of the games that are not rated, or whose colours the arbiter swapped
    - `profile`: one of `RATING_PROFILES`
    - `forbidden_pairs`: the number of pairs who must not meet
    - `ends_early`: a round that cannot be paired ends the event
    """

    players: int
    rounds: int
    system: str
    seed: int
    draws: Fraction = DEFAULT_DRAW_SHARE
    forfeits: Fraction = Fraction(0)
    byes: Fraction = Fraction(0)
    withdrawals: Fraction = Fraction(0)
    late: Fraction = Fraction(0)
    unrated: Fraction = Fraction(0)
    turned: Fraction = Fraction(0)
    profile: str = "bell"
    forbidden_pairs: int = 0
    acceleration: str = "none"
    ends_early: bool = False
    points: PointSystem = STANDARD_POINTS


def simulate_event(plan: SimulationPlan, pair: PairingFunction) -> TournamentSnapshot:
    """Return the event after its last round. Raises PairingImpossible if a round cannot be paired."""
    chance = Random(plan.seed)  # noqa: S311 - results of games are no secret
    event = _starting_list(plan, chance)
    arrivals = draw_late_entry_rounds(plan.players, plan.rounds, plan.late, plan.seed)
    for _ in range(plan.rounds):
        before = _with_absences(event, plan, arrivals, chance)
        try:
            if sum(card.unavailable is None for card in before.cards) < 2:
                raise PairingImpossible(f"round {event.round_number}: fewer than two players are left to be paired")
            event = _played(before, pair(before), plan, chance)
        except PairingImpossible:
            if plan.ends_early and event.rounds_paired:
                return event
            raise
    return event


def expected_score(difference: int) -> int:
    """Return the expected score of a player rated `difference` above their opponent, in ten-thousandths of a point.

    FIDE's logistic curve: 1 / (1 + 10 ** (-difference / 400)).
    """
    return _expectancy(max(-_FAR, min(_FAR, difference)))


_FAR = 2000


@cache
def _expectancy(difference: int) -> int:
    odds = Decimal(10) ** (Decimal(-difference) / 400)
    return int((_SCALE / (1 + odds)).to_integral_value(ROUND_HALF_EVEN))


def _starting_list(plan: SimulationPlan, chance: Random) -> TournamentSnapshot:
    """Return the event before round 1, by default with ratings from 1000 to 2500, most of them in the middle."""
    ratings = sorted((1000 + sum(chance.randrange(501) for _ in range(3)) for _ in range(plan.players)), reverse=True)
    if plan.profile != "bell":
        ratings = draw_ratings(plan.profile, plan.players, plan.seed)
    return TournamentSnapshot(
        cards=tuple(
            PairingCard(tpn=tpn, name=f"Player {tpn:04}", rating=rating) for tpn, rating in enumerate(ratings, start=1)
        ),
        rounds_paired=0,
        rounds_announced=plan.rounds,
        first_colour=chance.choice((Colour.WHITE, Colour.BLACK)),
        forbidden_pairs=draw_forbidden_pairs(plan.players, plan.forbidden_pairs, plan.seed),
        system=plan.system,
        acceleration=plan.acceleration,
        group_limits=fitting_group_limits(ratings) if plan.acceleration == "progressive" else None,
        points=plan.points,
    )


def _with_absences(
    event: TournamentSnapshot, plan: SimulationPlan, arrivals: Mapping[PairingNumber, int], chance: Random
) -> TournamentSnapshot:
    """Mark the players not to be paired: not yet arrived, withdrawn, or asking for a bye."""

    def draw_absence(card: PairingCard) -> RoundRecord | None:
        if event.round_number < arrivals.get(card.tpn, 1):
            return ABSENT_RECORD
        if card.records and card.records[-1].result is Result.ZERO_POINT_BYE:
            return _WITHDRAWN
        if event.rounds_paired and _happens(plan.withdrawals, chance):
            return _WITHDRAWN
        return _ASKED_BYE if _happens(plan.byes, chance) else None

    return replace(event, cards=tuple(replace(card, unavailable=draw_absence(card)) for card in event.cards))


def _played(event: TournamentSnapshot, paired: PairedRound, plan: SimulationPlan, chance: Random) -> TournamentSnapshot:
    """Return the event with this round's results."""
    ratings = {card.tpn: card.rating for card in event.cards}
    games: list[PairedGame] = []
    results: dict[int, tuple[Result, Result]] = {}
    for game in paired.games:
        if plan.turned and _happens(plan.turned, chance):
            game = replace(game, white=game.black, black=game.white)
        white, black = _result(game, ratings, plan, chance)
        if plan.unrated and _happens(plan.unrated, chance):
            white, black = unrated_result(white), unrated_result(black)
        games.append(game)
        results[game.board] = white, black
    return snapshot_after_round(event, replace(paired, games=tuple(games)), results)


def _result(
    game: PairedGame, ratings: Mapping[PairingNumber, int], plan: SimulationPlan, chance: Random
) -> tuple[Result, Result]:
    """Return White's and Black's result."""
    if _happens(plan.forfeits, chance):
        return chance.choice(((Result.FORFEIT_WIN, Result.FORFEIT_LOSS), (Result.FORFEIT_LOSS, Result.FORFEIT_WIN)))
    expected = expected_score(ratings[game.white] - ratings[game.black])
    draws = min(int(plan.draws * _SCALE), 2 * min(expected, _SCALE - expected))
    wins = expected - draws // 2
    drawn = chance.randrange(_SCALE)
    if drawn < wins:
        return Result.WIN, Result.LOSS
    if drawn < wins + draws:
        return Result.DRAW, Result.DRAW
    return Result.LOSS, Result.WIN


def _happens(share: Fraction, chance: Random) -> bool:
    return chance.randrange(_SCALE) < share * _SCALE
