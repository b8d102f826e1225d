"""What can be printed: from the sheets of an event to papers, in the language of its club."""

from __future__ import annotations

from pairing.papers.cards import CARD_FORMATS, cards_paper
from pairing.papers.events import (
    attendance_paper,
    badges_paper,
    crosstable_paper,
    diplomas_paper,
    place_cards_paper,
    standings_paper,
    starting_list_paper,
    wall_chart_paper,
)
from pairing.papers.making import PaperSize, Wishes, printed
from pairing.papers.money import receipt_paper
from pairing.papers.rounds import pairings_paper, round_set_paper, seating_paper, slips_paper

__all__ = [
    "CARD_FORMATS",
    "PaperSize",
    "Wishes",
    "attendance_paper",
    "badges_paper",
    "cards_paper",
    "crosstable_paper",
    "diplomas_paper",
    "pairings_paper",
    "place_cards_paper",
    "printed",
    "receipt_paper",
    "round_set_paper",
    "seating_paper",
    "slips_paper",
    "standings_paper",
    "starting_list_paper",
    "wall_chart_paper",
]
