"""What a sheet of an event holds: one record for the web page and for the paper alike.

The builders read rows with a fixed number of queries, whatever the size of the event.
"""

from __future__ import annotations

from pairing.sheets.parts import RESULT_TEXTS, SheetPlayer
from pairing.sheets.players import PlayerSheet, player_sheet
from pairing.sheets.prizes import PrizeSheet
from pairing.sheets.rounds import PairingSheet, SheetBoard, SheetBye, pairing_sheet
from pairing.sheets.tables import StandingsSheet, crosstable_sheet, standings_sheet
from pairing.sheets.tie_breaks import SheetWorking, workings_of

__all__ = [
    "RESULT_TEXTS",
    "PairingSheet",
    "PlayerSheet",
    "PrizeSheet",
    "SheetBoard",
    "SheetBye",
    "SheetPlayer",
    "SheetWorking",
    "StandingsSheet",
    "crosstable_sheet",
    "pairing_sheet",
    "player_sheet",
    "standings_sheet",
    "workings_of",
]
