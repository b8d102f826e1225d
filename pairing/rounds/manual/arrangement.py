"""The changes an arbiter can make to a draft, as pure functions of its arrangement."""

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
    """A draft: pairs in the order of the boards, the bye, and the players still to be paired."""

    pairs: tuple[Pair, ...]
    bye: Player | None = None
    unpaired: tuple[Player, ...] = ()

    @property
    def players(self) -> frozenset[Player]:
        bye = () if self.bye is None else (self.bye,)
        return frozenset((*(player for pair in self.pairs for player in pair), *bye, *self.unpaired))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangementChange:
    """A change and its result: the new arrangement, the cause, the players, and the board if there is one."""

    arrangement: DraftArrangement
    cause: PairingCause
    players: tuple[Player, ...]
    board: int | None = None


Operation: TypeAlias = Callable[[DraftArrangement], ArrangementChange]
"""Raises ArbiterProblem if it cannot be applied to this arrangement."""


def swap_players(one: Player, other: Player) -> Operation:
    """Swap two players. Either can be on a board, have the bye, or be unpaired, but they cannot both be unpaired."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        _require_there(before, one, other)
        if one == other:
            raise ArbiterProblem(_("Select 2 different players."))
        if one in before.unpaired and other in before.unpaired:
            raise ArbiterProblem(_("Neither player has a board yet. Pair them with each other instead."))
        return ArrangementChange(
            arrangement=_swapped(before, one, other), cause=PairingCause.SWAPPED, players=(one, other)
        )

    return apply_operation


def swap_colours(board: int) -> Operation:
    """Swap the colours of a board."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        white, black = _pair_at(before, board)
        return ArrangementChange(
            arrangement=_swapped(before, white, black), cause=PairingCause.COLOURS, players=(white, black), board=board
        )

    return apply_operation


def move_board(board: int, to: int) -> Operation:
    """Move a board to another position. The boards in between move up or down by one."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        pair = _pair_at(before, board)
        if not 1 <= to <= len(before.pairs):
            raise ArbiterProblem(_("Board %(board)s doesn't exist.") % {"board": to})
        rest = [other for other in before.pairs if other != pair]
        rest.insert(to - 1, pair)
        return ArrangementChange(
            arrangement=replace(before, pairs=tuple(rest)), cause=PairingCause.MOVED, players=pair, board=to
        )

    return apply_operation


def remove_pair(board: int) -> Operation:
    """Remove both players from a board. The boards below move up."""

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
    """Pair two unpaired players on a new last board."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        if white == black or not {white, black} <= set(before.unpaired):
            raise ArbiterProblem(_("Select 2 players who aren't paired."))
        arrangement = replace(
            before, pairs=(*before.pairs, (white, black)), unpaired=_without(before.unpaired, (white, black))
        )
        return ArrangementChange(
            arrangement=arrangement, cause=PairingCause.PAIR_MADE, players=(white, black), board=len(arrangement.pairs)
        )

    return apply_operation


def give_bye(player: Player) -> Operation:
    """Give a player the bye. If another player had the bye, that player and the new one swap places."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        _require_there(before, player)
        if before.bye == player:
            raise ArbiterProblem(_("This player already has the bye."))
        if before.bye is not None:
            arrangement = _swapped(before, player, before.bye)
        else:
            arrangement = _taken_off(before, player)
            arrangement = replace(arrangement, bye=player, unpaired=_without(arrangement.unpaired, (player,)))
        return ArrangementChange(arrangement=arrangement, cause=PairingCause.BYE_GIVEN, players=(player,))

    return apply_operation


def remove_bye(before: DraftArrangement) -> ArrangementChange:
    """Remove the bye. The player who had it is unpaired."""
    if before.bye is None:
        raise ArbiterProblem(_("Nobody has the bye."))
    arrangement = replace(before, bye=None, unpaired=(*before.unpaired, before.bye))
    return ArrangementChange(arrangement=arrangement, cause=PairingCause.BYE_TAKEN, players=(before.bye,))


def remove_player(player: Player) -> Operation:
    """Remove a player from the round. They are absent, and their opponent is unpaired."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        _require_there(before, player)
        arrangement = _taken_off(before, player)
        arrangement = replace(arrangement, unpaired=_without(arrangement.unpaired, (player,)))
        return ArrangementChange(arrangement=arrangement, cause=PairingCause.PLAYER_OUT, players=(player,))

    return apply_operation


def add_player(player: Player) -> Operation:
    """Add a player to the round, such as a late arrival. They are unpaired at first."""

    def apply_operation(before: DraftArrangement) -> ArrangementChange:
        if player in before.players:
            raise ArbiterProblem(_("This player is already in the round."))
        arrangement = replace(before, unpaired=(*before.unpaired, player))
        return ArrangementChange(arrangement=arrangement, cause=PairingCause.PLAYER_IN, players=(player,))

    return apply_operation


def _pair_at(before: DraftArrangement, board: int) -> Pair:
    if not 1 <= board <= len(before.pairs):
        raise ArbiterProblem(_("Board %(board)s doesn't exist.") % {"board": board})
    return before.pairs[board - 1]


def _require_there(before: DraftArrangement, *players: Player) -> None:
    if not set(players) <= before.players:
        raise ArbiterProblem(_("This player isn't in the round. Add them first."))


def _swapped(before: DraftArrangement, one: Player, other: Player) -> DraftArrangement:
    places = {one: other, other: one}
    return DraftArrangement(
        pairs=tuple((places.get(white, white), places.get(black, black)) for white, black in before.pairs),
        bye=None if before.bye is None else places.get(before.bye, before.bye),
        unpaired=tuple(places.get(player, player) for player in before.unpaired),
    )


def _taken_off(before: DraftArrangement, player: Player) -> DraftArrangement:
    """Make the player and their opponent unpaired."""
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
