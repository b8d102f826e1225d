"""Progressive acceleration: three groups by rating, whose fictitious points grow with their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from pairing.engine.acceleration.announced_rounds import announced_rounds
from pairing.engine.point_systems import convert_to_standard_points
from pairing.engine.snapshot import (
    HalfPoints,
    InvalidSnapshot,
    PairingCard,
    PairingNumber,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
)

DEFAULT_GROUP_LIMITS = (2000, 1600)
"""Group A from the first rating up, group C below the second."""


class AccelerationGroup(Enum):
    """One of the three groups of players, by rating."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccelerationGroupSizes:
    """The number of players in each group."""

    a: int
    b: int
    c: int

    @property
    def total(self) -> int:
        return self.a + self.b + self.c

    @property
    def is_balanced(self) -> bool:
        """True if each group has at least a quarter and at most half of all players."""
        return self.total > 0 and all(_fits(size, self.total) for size in (self.a, self.b, self.c))


class GroupLimitsError(InvalidSnapshot):
    """Raised if group shares are invalid: `sizes` are the group sizes, `nearest` the nearest valid limits, if any."""

    def __init__(self, limits: tuple[int, int], sizes: AccelerationGroupSizes, nearest: tuple[int, int] | None) -> None:
        self.limits = limits
        self.sizes = sizes
        self.nearest = nearest
        shares = ", ".join(
            f"{name} {size} of {sizes.total} ({_percent(size, sizes.total)})"
            for name, size in (("A", sizes.a), ("B", sizes.b), ("C", sizes.c))
        )
        way_out = (
            f"the nearest limits that fit are {nearest[0]},{nearest[1]}"
            if nearest
            else "no limits fit this field; pair it without acceleration"
        )
        super().__init__(
            f"groups {limits[0]},{limits[1]} do not fit: {shares}; "
            f"each group must hold 25% to 50% of the players; {way_out}"
        )


class _Distance(NamedTuple):
    """The distance of a pair of limits from those requested. Smaller is better, and the earlier field decides."""

    both: int
    of_a: int
    lower_a: int
    lower_c: int


def fictitious_points(snapshot: TournamentSnapshot) -> Mapping[PairingNumber, tuple[HalfPoints, ...]]:
    """Return the fictitious half points of every player, one for each round up to the one to be paired.

    Raises InvalidSnapshot if there is no announced number of rounds. Raises GroupLimitsError before round 1 if the
    snapshot's limits break the rule of shares.
    """
    rounds = announced_rounds(snapshot)
    snapshot, scale = convert_to_standard_points(snapshot)
    limits = snapshot.group_limits or DEFAULT_GROUP_LIMITS
    if snapshot.rounds_paired == 0:
        check_group_limits(limits, [card.rating for card in snapshot.cards])
    return {
        card.tpn: tuple(
            scale * group_fictitious_points(find_acceleration_group(card.rating, limits), scored, number, rounds)
            for number, scored in enumerate(_scored_before(card, snapshot.points), start=1)
        )
        for card in snapshot.cards
    }


def group_fictitious_points(group: AccelerationGroup, scored: HalfPoints, number: int, rounds: int) -> HalfPoints:
    """Return a player's fictitious half points in round `number` of `rounds`, from the group and half points scored."""
    if number >= rounds - 1:
        return 0
    if group is AccelerationGroup.A or scored >= rounds:
        return 4
    steps = sum(scored >= threshold for threshold in (3, 6, 9))
    if group is AccelerationGroup.B:
        return 2 + min(steps, 2)
    return steps


def find_acceleration_group(rating: int, limits: tuple[int, int]) -> AccelerationGroup:
    """Return the group of a rating. An unrated player (0) is in group C."""
    from_a, below_c = limits
    if rating == 0 or rating < below_c:
        return AccelerationGroup.C
    return AccelerationGroup.A if rating >= from_a else AccelerationGroup.B


def count_group_sizes(limits: tuple[int, int], ratings: Iterable[int]) -> AccelerationGroupSizes:
    """Return the number of players in each group, including absent ones."""
    groups = [find_acceleration_group(rating, limits) for rating in ratings]
    return AccelerationGroupSizes(
        a=groups.count(AccelerationGroup.A), b=groups.count(AccelerationGroup.B), c=groups.count(AccelerationGroup.C)
    )


def check_group_limits(limits: tuple[int, int], ratings: Sequence[int]) -> None:
    """Raise GroupLimitsError unless each group has 25% to 50% of the players."""
    sizes = count_group_sizes(limits, ratings)
    if limits[0] <= limits[1] or not sizes.is_balanced:
        raise GroupLimitsError(limits, sizes, nearest_valid_limits(ratings, limits))


def nearest_valid_limits(
    ratings: Sequence[int], wanted: tuple[int, int] = DEFAULT_GROUP_LIMITS
) -> tuple[int, int] | None:
    """Return the valid pair of whole-number limits nearest to `wanted`, or None if there is none.

    Nearest: the least sum of both distances, then the smaller distance of A's limit, then the larger A, the larger C.
    """
    total = len(ratings)
    steps = sorted(set(ratings) | {0})
    lower_limits = sorted(_splits(steps, ratings, wanted[1]), key=lambda split: abs(split[0] - wanted[1]))
    best: tuple[_Distance, tuple[int, int]] | None = None
    for from_a, below_a in _splits(steps, ratings, wanted[0]):
        of_a = abs(from_a - wanted[0])
        if not _fits(total - below_a, total) or (best is not None and of_a > best[0].both):
            continue
        for below_c, size_c in lower_limits:
            both = of_a + abs(below_c - wanted[1])
            if best is not None and both > best[0].both:
                break
            if _fits(size_c, total) and _fits(below_a - size_c, total):
                distance = _Distance(both=both, of_a=of_a, lower_a=-from_a, lower_c=-below_c)
                if best is None or distance < best[0]:
                    best = (distance, (from_a, below_c))
    return best[1] if best else None


def _splits(steps: Sequence[int], ratings: Sequence[int], wanted: int) -> list[tuple[int, int]]:
    """Return every cut between two neighbouring ratings: the limit nearest to `wanted`, and the players below it."""
    ordered = sorted(ratings)
    splits = []
    below = 0
    for lower, upper in pairwise(steps):
        while below < len(ordered) and ordered[below] <= lower:
            below += 1
        splits.append((min(max(wanted, lower + 1), upper), below))
    return splits


def _scored_before(card: PairingCard, worth: PointSystem) -> list[HalfPoints]:
    """Return the half points before each round, including the one to be paired.

    Games, forfeits and pairing-allocated byes count.
    """
    scored = [0]
    for record in card.records:
        scored.append(scored[-1] + _counted(record, worth))
    return scored


def _counted(record: RoundRecord, worth: PointSystem) -> HalfPoints:
    """Return the points that a round adds towards the thresholds: a requested bye adds none."""
    if record.result.is_requested_bye or record.result is Result.ABSENT:
        return 0
    return worth.points_for_result(record.result)


def _fits(size: int, total: int) -> bool:
    return total <= 4 * size <= 2 * total


def _percent(size: int, total: int) -> str:
    """Return a share to one decimal, rounded down so that a broken limit never looks kept."""
    if not total:
        return "0.0%"
    thousandths = 1000 * size // total
    return f"{thousandths // 10}.{thousandths % 10}%"
