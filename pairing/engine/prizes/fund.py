"""A prize fund: a list of prizes for everyone and lists for some (juniors, seniors, ...), given to a table.

Where nobody is to have more than one prize, everybody keeps the greatest that he has a claim to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import NamedTuple

from pairing.engine.prizes.sharing import (
    Cents,
    PrizeShare,
    SharedPrizes,
    TiedPlayers,
    share_prizes_by_hort,
    share_prizes_equally,
)
from pairing.engine.snapshot import HalfPoints, PairingNumber


class PrizeSharing(Enum):
    """Who shares the prizes of a list."""

    BY_PLACE = "place"
    """Nobody, each has that of his place; only players whom the table does not tell apart share theirs."""
    EQUALLY = "equally"
    """Players with equal points (Dutch system 1992, F10)."""
    HORT = "hort"
    """Players with equal points share half of the money, the other half goes by place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedPlayer:
    """A player's place in the table: `rank` may be shared."""

    tpn: PairingNumber
    points: HalfPoints
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeList:
    """The prizes of the places from the first on, none greater than the one before.

    `things` are what the same places bring besides or instead, empty for nothing: a thing is never shared. `open_to`
    are the players who can win them, None for everyone.
    """

    prizes: tuple[Cents, ...]
    prizes_in_kind: tuple[str, ...] = ()
    open_to: frozenset[PairingNumber] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardedPrizeInKind:
    """A thing, the place it is for, and who stand `candidates` it: several where the table does not tell them apart."""

    prize: str
    place: int
    candidates: tuple[PairingNumber, ...]

    @property
    def is_tied(self) -> bool:
        """Whether only a lot can say whose it is."""
        return len(self.candidates) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardedPrizeList:
    """Who gets what of a list: the shares that are worth something, the best placed first.

    `passed` are the players who keep a greater prize of another list and so take no place in this one, each with what
    he left here. `things` are handed to whoever stands at their place; one that is tied stands with the first of those
    a lot must choose from, and is not his yet. `left_over` are the cents that could not be
    shared evenly, `not_awarded` the prizes nobody was left for: with the shares they are the whole list.
    `unawarded_in_kind` are those nobody was left for.
    """

    shares: tuple[tuple[PairingNumber, PrizeShare], ...]
    forgone: tuple[tuple[PairingNumber, Cents, str], ...]
    awards_in_kind: tuple[tuple[PairingNumber, AwardedPrizeInKind], ...]
    left_over: Cents
    not_awarded: Cents
    unawarded_in_kind: tuple[str, ...]


def award_prize_fund(
    lists: Sequence[PrizeList], table: Sequence[PlacedPlayer], *, sharing: PrizeSharing, one_prize_each: bool
) -> tuple[AwardedPrizeList, ...]:
    """Every list with those who get something of it; `table` stands from the top.

    With `one_prize_each`, of all who would have several prizes the one whose greatest is the greatest keeps that (of
    equal ones the better placed, and the list named first) and leaves the others; those behind him move up, and so on
    until nobody has two. Where each has the prize of his place, nobody's can then be exchanged for a greater one he has
    a claim to. Shares may still grow after somebody has left them, when more of those leave whom he shared with: his
    choice stands. Money is greater than any thing, the same money with a thing greater than
    without, a thing for sure greater than one by lot.
    """
    share_out = _SHARE_OUT[sharing]
    waiting = [[placed for placed in table if each.open_to is None or placed.tpn in each.open_to] for each in lists]
    shared = [share_out(each.prizes, players) for each, players in zip(lists, waiting, strict=True)]
    handed = [_hand_out(each.prizes_in_kind, players) for each, players in zip(lists, waiting, strict=True)]
    passed: list[list[tuple[PairingNumber, Cents, str]]] = [[] for _ in lists]
    while one_prize_each and (several := _with_several(shared, handed, table)):
        kept, leaver = several
        for place, of_list in enumerate(shared):
            cents, thing = of_list.cents_by_player.get(leaver, 0), _claims(handed[place]).get(leaver)
            if place == kept or not (cents or thing):
                continue
            passed[place].append((leaver, cents, thing.prize if thing else ""))
            waiting[place] = [placed for placed in waiting[place] if placed.tpn != leaver]
            shared[place] = share_out(lists[place].prizes, waiting[place])
            handed[place] = _hand_out(lists[place].prizes_in_kind, waiting[place])
    return tuple(
        AwardedPrizeList(
            shares=tuple((tpn, share) for tpn, share in of_list.shares.items() if share.cents),
            forgone=tuple(gone),
            awards_in_kind=tuple(of_things.items()),
            left_over=of_list.left_over,
            not_awarded=sum(each.prizes[len(players) :]),
            unawarded_in_kind=tuple(thing for thing in each.prizes_in_kind[len(players) :] if thing),
        )
        for each, players, of_list, of_things, gone in zip(lists, waiting, shared, handed, passed, strict=True)
    )


class _Worth(NamedTuple):
    """How great a prize is, the earlier field deciding."""

    cents: Cents
    sure_thing: bool
    thing_by_lot: bool = False


def _with_several(
    shared: Sequence[SharedPrizes],
    handed: Sequence[Mapping[PairingNumber, AwardedPrizeInKind]],
    table: Sequence[PlacedPlayer],
) -> tuple[int, PairingNumber] | None:
    """Who has several prizes and the greatest of all such, with the list he has it of."""
    best: tuple[int, PairingNumber] | None = None
    nothing = most = _Worth(0, False)
    of_lists = list(zip((of_list.cents_by_player for of_list in shared), map(_claims, handed), strict=True))
    for placed in table:
        worth = [_worth(money.get(placed.tpn, 0), things.get(placed.tpn)) for money, things in of_lists]
        if sum(each > nothing for each in worth) > 1 and max(worth) > most:
            most = max(worth)
            best = worth.index(most), placed.tpn
    return best


def _worth(cents: Cents, handed: AwardedPrizeInKind | None) -> _Worth:
    return _Worth(cents, handed is not None and not handed.is_tied, handed is not None and handed.is_tied)


def _claims(handed: Mapping[PairingNumber, AwardedPrizeInKind]) -> dict[PairingNumber, AwardedPrizeInKind]:
    """The thing each may have, those too whom a lot may give it: the first of several."""
    return {tpn: each for each in reversed(tuple(handed.values())) for tpn in each.candidates}


def _hand_out(things: Sequence[str], players: Sequence[PlacedPlayer]) -> dict[PairingNumber, AwardedPrizeInKind]:
    """Each thing to whoever stands at its place, whatever his points; of those on one place to the first of them."""
    on_rank: dict[int, list[PairingNumber]] = defaultdict(list)
    for placed in players:
        on_rank[placed.rank].append(placed.tpn)
    return {
        placed.tpn: AwardedPrizeInKind(prize=thing, place=place, candidates=tuple(on_rank[placed.rank]))
        for place, (thing, placed) in enumerate(zip(things, players, strict=False), start=1)
        if thing
    }


def _by_place(prizes: Sequence[Cents], players: Sequence[PlacedPlayer]) -> SharedPrizes:
    return share_prizes_equally(prizes, _groups(players, lambda placed: placed.rank))


def _equally(prizes: Sequence[Cents], players: Sequence[PlacedPlayer]) -> SharedPrizes:
    return share_prizes_equally(prizes, _groups(players, lambda placed: placed.points))


def _by_hort(prizes: Sequence[Cents], players: Sequence[PlacedPlayer]) -> SharedPrizes:
    by_points = _groups(players, lambda placed: placed.points)
    return share_prizes_by_hort(prizes, by_points, _groups(players, lambda placed: placed.rank))


def _groups(players: Sequence[PlacedPlayer], key: Callable[[PlacedPlayer], int]) -> list[TiedPlayers]:
    return [tuple(placed.tpn for placed in tied) for _, tied in groupby(players, key=key)]


_SHARE_OUT: dict[PrizeSharing, Callable[[Sequence[Cents], Sequence[PlacedPlayer]], SharedPrizes]] = {
    PrizeSharing.BY_PLACE: _by_place,
    PrizeSharing.EQUALLY: _equally,
    PrizeSharing.HORT: _by_hort,
}
