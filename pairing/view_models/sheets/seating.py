"""The seats of a round, by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from common.text.name_order import name_sort_key
from pairing.engine.snapshot import Colour
from pairing.view_models.sheets.players_and_results import SheetPlayer
from pairing.view_models.sheets.round_pairings import PairingSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeat:
    """A player's seat in a round; without a board they have a bye, named by `label`."""

    player: SheetPlayer
    board: int | None = None
    colour: Colour | None = None
    opponent: SheetPlayer | None = None
    label: str = ""

    @property
    def has_white(self) -> bool:
        return self.colour is Colour.WHITE


def seats_in_name_order(sheet: PairingSheet) -> tuple[PlayerSeat, ...]:
    """Return all players of a pairing sheet in the order of their names."""
    return tuple(sorted(_seats(sheet), key=lambda seat: name_sort_key(seat.player.name)))


def _seats(sheet: PairingSheet) -> Iterable[PlayerSeat]:
    for board in sheet.boards:
        yield PlayerSeat(player=board.white, board=board.board, colour=Colour.WHITE, opponent=board.black)
        yield PlayerSeat(player=board.black, board=board.board, colour=Colour.BLACK, opponent=board.white)
    for bye in sheet.byes:
        yield PlayerSeat(player=bye.player, label=bye.label)
