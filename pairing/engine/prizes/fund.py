"""A prize fund: a list of prizes for everyone and lists for some (juniors, seniors, ...), awarded by a table.

With one prize per player, everybody keeps the greatest they qualify for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, TypeAlias

from pairing.engine.snapshot import HalfPoints, PairingNumber


class PrizeSharing(Enum):
    """The way in which players share the prizes of a list."""

    BY_PLACE = "place"
    """Each player has the prize of their place; only players tied in the table share theirs."""
    EQUALLY = "equally"
    """Players with equal points share (Dutch system 1992, F10)."""
    HORT = "hort"
    """Players with equal points share half of the money; the other half goes by place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedPlayer:
    """A player's place in the table: `rank` may be shared."""

    tpn: PairingNumber
    points: HalfPoints
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeList:
    """The prizes for first place, second place and so on. None is greater than the one before.

    `prizes_in_kind` are awarded to the same places in addition or instead, empty for none; they are never shared.
    `open_to` are the players who can win a prize, None for everyone.
    """

    prizes: tuple[Cents, ...]
    prizes_in_kind: tuple[str, ...] = ()
    open_to: frozenset[PairingNumber] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardedPrizeInKind:
    """A prize in kind, its place, and its `candidates`: several if they are tied in the table."""

    prize: str
    place: int
    candidates: tuple[PairingNumber, ...]

    @property
    def is_tied(self) -> bool:
        """True if the prize must be decided by drawing lots."""
        return len(self.candidates) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardedPrizeList:
    """The awards of one list: the shares above zero, the best placed first.

    - `forgone`: players who keep a greater prize of another list, each with what they give up here; they take no place
      in this list
    - `awards_in_kind`: the players at those places; a tied prize is listed with the first of its candidates, and is not
      theirs yet
    - `left_over`: the cents that could not be shared evenly
    - `not_awarded`: the total of the prizes for which no players were left
    - `unawarded_in_kind`: prizes in kind for which no players were left

    `left_over` and `not_awarded` make up the whole list together with the shares.
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
    """Return the awards of every list. `table` starts from the top.

    With `one_prize_each`, find the player whose greatest prize is the greatest among all players with several. They
    keep that prize and give up the others. Between equal prizes the better placed player, then the list named first,
    goes first. Those placed behind move up, and so on until nobody has two.

    With sharing by place, nobody could then exchange their prize for a greater one they qualify for. Shares may still
    grow after a player has given one up, when more of those sharing leave; the choice is not revised. Money outranks
    any prize in kind. The same money with a prize in kind outranks money alone, and a certain prize in kind one by lot.
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
    """The rank of a prize: the earlier field decides."""

    cents: Cents
    sure_thing: bool
    thing_by_lot: bool = False


def _with_several(
    shared: Sequence[SharedPrizes],
    handed: Sequence[Mapping[PairingNumber, AwardedPrizeInKind]],
    table: Sequence[PlacedPlayer],
) -> tuple[int, PairingNumber] | None:
    """Return the player with the greatest of all prizes among those who have several, after the place of its list."""
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
    """Return the prize in kind of each candidate, tied ones too: the first of several."""
    return {tpn: each for each in reversed(tuple(handed.values())) for tpn in each.candidates}


def _hand_out(things: Sequence[str], players: Sequence[PlacedPlayer]) -> dict[PairingNumber, AwardedPrizeInKind]:
    """Return each prize in kind with the player at its place, whatever their points. Ties go to the first."""
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


Cents: TypeAlias = int
"""Money in the smallest coin."""

TiedPlayers: TypeAlias = Sequence[PairingNumber]
"""Players with equal points, or on one place of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeShare:
    """A player's share of a list of prizes, and how it was calculated.

    The player is one of `sharers` players who take the places `first` to `last`, whose prizes together are `pool`. An
    equal part of it is rounded down to `cents`. In Hort's system that is half of it; the other half is an equal part of
    the prizes of `own_places`. These are the first and last place of the player and those tied with them; None
    elsewhere.
    """

    cents: Cents
    first: int
    last: int
    pool: Cents
    sharers: int
    own_places: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPrizes:
    """The shares of all players, and the cents that could not be shared evenly.

    Every player of the table is in `shares`, with 0 cents if no prize was left. Together with `left_over` they add up
    to the prizes for which there were players.
    """

    shares: Mapping[PairingNumber, PrizeShare]
    left_over: Cents

    @property
    def cents_by_player(self) -> Mapping[PairingNumber, Cents]:
        return {tpn: share.cents for tpn, share in self.shares.items()}


def share_prizes_equally(prizes: Sequence[Cents], groups: Sequence[TiedPlayers]) -> SharedPrizes:
    """Share the prizes of each group's places equally. For groups with equal points, this is dutch-1992 F10.

    `groups` are those of the table from the top. Each player of a group gets the same, rounded down to the cent.
    """
    shares: dict[PairingNumber, PrizeShare] = {}
    left_over = 0
    for tied, first, pool in _pools(prizes, groups):
        cents, rest = divmod(pool, len(tied))
        shares |= dict.fromkeys(
            tied, PrizeShare(cents=cents, first=first, last=first + len(tied) - 1, pool=pool, sharers=len(tied))
        )
        left_over += rest
    return SharedPrizes(shares=shares, left_over=left_over)


def share_prizes_by_hort(
    prizes: Sequence[Cents], by_points: Sequence[TiedPlayers], by_place: Sequence[TiedPlayers]
) -> SharedPrizes:
    """Share by Hort's system: half of the prize for a player's place, and an equal share of the other halves.

    The other halves are those of all players with equal points. `by_points` are the groups of equal points. `by_place`
    has the same players by final place, tied ones together; these share the prizes of their places equally. Each sum is
    rounded down to the cent.
    """
    own: dict[PairingNumber, tuple[TiedPlayers, int, Cents]] = {}
    for of_place in _pools(prizes, by_place):
        own |= dict.fromkeys(of_place[0], of_place)
    shares: dict[PairingNumber, PrizeShare] = {}
    left_over = 0
    for tied, first, pool in _pools(prizes, by_points):
        of_group = {
            tpn: PrizeShare(
                cents=int((Fraction(of_place, len(level)) + Fraction(pool, len(tied))) / 2),
                first=first,
                last=first + len(tied) - 1,
                pool=pool,
                sharers=len(tied),
                own_places=(own_first, own_first + len(level) - 1),
            )
            for tpn in tied
            for level, own_first, of_place in (own[tpn],)
        }
        shares |= of_group
        left_over += pool - sum(share.cents for share in of_group.values())
    return SharedPrizes(shares=shares, left_over=left_over)


def _pools(prizes: Sequence[Cents], groups: Sequence[TiedPlayers]) -> Iterator[tuple[TiedPlayers, int, Cents]]:
    """Yield each group with the first of its places, from 1, and the sum of its prizes."""
    first = 0
    for group in groups:
        yield group, first + 1, sum(prizes[first : first + len(group)])
        first += len(group)
