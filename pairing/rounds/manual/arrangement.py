"""What an arbiter can do to a draft by hand, as functions of the arrangement alone: nothing is read or saved here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from django.utils.translation import gettext as _

from pairing.models import PairingCause
from tournaments.problems import ArbiterProblem

Player: TypeAlias = int
"""The key of an entry."""
Pair: TypeAlias = tuple[Player, Player]
"""White and Black of a board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftArrangement:
    """Who sits where in a draft: pairs in the order of the boards, the bye, and those still to be seated."""

    pairs: tuple[Pair, ...]
    bye: Player | None = None
    unpaired: tuple[Player, ...] = ()

    @property
    def players(self) -> frozenset[Player]:
        bye = () if self.bye is None else (self.bye,)
        return frozenset((*(player for pair in self.pairs for player in pair), *bye, *self.unpaired))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangementChange:
    """What was done: the new arrangement, of which kind, and to whom; `board` where a board was meant."""

    arrangement: DraftArrangement
    cause: PairingCause
    players: tuple[Player, ...]
    board: int | None = None


Operation: TypeAlias = Callable[[DraftArrangement], ArrangementChange]
"""Raises ArbiterProblem where it cannot be done to this arrangement."""


def swap_players(one: Player, other: Player) -> Operation:
    """Put two players in each other's place: of two boards, of one, with the bye, or one still to be seated."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        _require_there(before, one, other)
        if one == other:
            raise ArbiterProblem(_("Two different players are needed."))
        if one in before.unpaired and other in before.unpaired:
            raise ArbiterProblem(_("Neither of the two has a place: pair them instead."))
        return ArrangementChange(
            arrangement=_swapped(before, one, other), cause=PairingCause.SWAPPED, players=(one, other)
        )

    return apply_operation


def swap_colours(board: int) -> Operation:
    """Let the two of a board change colours."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        white, black = _pair_at(before, board)
        return ArrangementChange(
            arrangement=_swapped(before, white, black), cause=PairingCause.COLOURS, players=(white, black), board=board
        )

    return apply_operation


def move_board(board: int, to: int) -> Operation:
    """Put a board at another place; those between move up or down by one."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        pair = _pair_at(before, board)
        if not 1 <= to <= len(before.pairs):
            raise ArbiterProblem(_("There is no board %(board)s.") % {"board": to})
        rest = [other for other in before.pairs if other != pair]
        rest.insert(to - 1, pair)
        return ArrangementChange(
            arrangement=replace(before, pairs=tuple(rest)), cause=PairingCause.MOVED, players=pair, board=to
        )

    return apply_operation


def remove_pair(board: int) -> Operation:
    """Take both players off a board; the boards below move up."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        pair = _pair_at(before, board)
        arrangement = replace(
            before,
            pairs=tuple(other for other in before.pairs if other != pair),
            unpaired=(*before.unpaired, *pair),
        )
        return ArrangementChange(arrangement=arrangement, cause=PairingCause.PAIR_REMOVED, players=pair, board=board)

    return apply_operation


def make_pair(white: Player, black: Player) -> Operation:
    """Seat two who wait for it at a new board, behind the others."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        if white == black or not {white, black} <= set(before.unpaired):
            raise ArbiterProblem(_("Choose two players who are not paired."))
        arrangement = replace(
            before, pairs=(*before.pairs, (white, black)), unpaired=_without(before.unpaired, (white, black))
        )
        return ArrangementChange(
            arrangement=arrangement, cause=PairingCause.PAIR_MADE, players=(white, black), board=len(arrangement.pairs)
        )

    return apply_operation


def give_bye(player: Player) -> Operation:
    """Give somebody the bye; whoever had it takes his place."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        _require_there(before, player)
        if before.bye == player:
            raise ArbiterProblem(_("This player has the bye already."))
        if before.bye is not None:
            arrangement = _swapped(before, player, before.bye)
        else:
            arrangement = _taken_off(before, player)
            arrangement = replace(arrangement, bye=player, unpaired=_without(arrangement.unpaired, (player,)))
        return ArrangementChange(arrangement=arrangement, cause=PairingCause.BYE_GIVEN, players=(player,))

    return apply_operation


def remove_bye(before: DraftArrangement) -> ArrangementChange:
    """Take the bye away: whoever had it is to be seated."""
    if before.bye is None:
        raise ArbiterProblem(_("Nobody has the bye."))
    arrangement = replace(before, bye=None, unpaired=(*before.unpaired, before.bye))
    return ArrangementChange(arrangement=arrangement, cause=PairingCause.BYE_TAKEN, players=(before.bye,))


def remove_player(player: Player) -> Operation:
    """Take a player out of the round: he is absent, and his opponent is to be seated."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        _require_there(before, player)
        arrangement = _taken_off(before, player)
        arrangement = replace(arrangement, unpaired=_without(arrangement.unpaired, (player,)))
        return ArrangementChange(arrangement=arrangement, cause=PairingCause.PLAYER_OUT, players=(player,))

    return apply_operation


def add_player(player: Player) -> Operation:
    """Put a player into the round who was not in it, a late arrival: he is to be seated."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        if player in before.players:
            raise ArbiterProblem(_("This player is in the round already."))
        arrangement = replace(before, unpaired=(*before.unpaired, player))
        return ArrangementChange(arrangement=arrangement, cause=PairingCause.PLAYER_IN, players=(player,))

    return apply_operation


def _pair_at(before: DraftArrangement, board: int) -> Pair:
    if not 1 <= board <= len(before.pairs):
        raise ArbiterProblem(_("There is no board %(board)s.") % {"board": board})
    return before.pairs[board - 1]


def _require_there(before: DraftArrangement, *players: Player) -> None:
    if not set(players) <= before.players:
        raise ArbiterProblem(_("This player is not in the round: put him in first."))


def _swapped(before: DraftArrangement, one: Player, other: Player) -> DraftArrangement:
    places = {one: other, other: one}
    return DraftArrangement(
        pairs=tuple((places.get(white, white), places.get(black, black)) for white, black in before.pairs),
        bye=None if before.bye is None else places.get(before.bye, before.bye),
        unpaired=tuple(places.get(player, player) for player in before.unpaired),
    )


def _taken_off(before: DraftArrangement, player: Player) -> DraftArrangement:
    """He and his opponent are to be seated."""
    if player in before.unpaired:
        return before
    if player == before.bye:
        return replace(before, bye=None, unpaired=(*before.unpaired, player))
    pair = next(pair for pair in before.pairs if player in pair)
    opponent = pair[1] if pair[0] == player else pair[0]
    return replace(
        before,
        pairs=tuple(other for other in before.pairs if other != pair),
        unpaired=(*before.unpaired, opponent, player),
    )


def _without(players: Iterable[Player], gone: Iterable[Player]) -> tuple[Player, ...]:
    gone = set(gone)
    return tuple(player for player in players if player not in gone)
