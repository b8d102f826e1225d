"""What can be printed: from the sheets of an event to papers, in the language of its club."""

from __future__ import annotations

from pairing.printing.papers.arbiters import averages_paper, record_paper, regulations_paper, short_record_paper
from pairing.printing.papers.blanks import (
    blank_pairings_paper,
    blank_slips_paper,
    door_poster_paper,
    hall_signs_paper,
    reckoning_paper,
    registration_paper,
    score_sheet_paper,
)
from pairing.printing.papers.cards import CARD_FORMATS, cards_paper
from pairing.printing.papers.closing import event_report_paper, norms_paper, year_book_paper
from pairing.printing.papers.clubs import (
    account_paper,
    books_paper,
    dues_list_paper,
    journal_paper,
    member_list_paper,
    month_list_paper,
    rating_list_paper,
    receipt_paper,
    reminders_paper,
    series_paper,
    statistics_paper,
)
from pairing.printing.papers.events import (
    attendance_paper,
    crosstable_paper,
    prizes_paper,
    schedule_paper,
    standings_paper,
    starting_list_paper,
    wall_chart_paper,
)
from pairing.printing.papers.groups import (
    categories_paper,
    category_diplomas_paper,
    category_standings_paper,
    group_paper,
)
from pairing.printing.papers.pieces import badges_paper, diplomas_paper, place_cards_paper, table_numbers_paper
from pairing.printing.papers.printer import printer_test_paper
from pairing.printing.papers.rounds import pairings_paper, round_set_paper, seating_paper, slips_paper
from pairing.printing.pdf.making import Letterhead, Wishes, printed, wishes_of

__all__ = [
    "CARD_FORMATS",
    "Letterhead",
    "Wishes",
    "account_paper",
    "attendance_paper",
    "averages_paper",
    "badges_paper",
    "blank_pairings_paper",
    "blank_slips_paper",
    "books_paper",
    "cards_paper",
    "categories_paper",
    "category_diplomas_paper",
    "category_standings_paper",
    "crosstable_paper",
    "diplomas_paper",
    "door_poster_paper",
    "dues_list_paper",
    "event_report_paper",
    "group_paper",
    "hall_signs_paper",
    "journal_paper",
    "member_list_paper",
    "month_list_paper",
    "norms_paper",
    "pairings_paper",
    "place_cards_paper",
    "printed",
    "printer_test_paper",
    "prizes_paper",
    "rating_list_paper",
    "receipt_paper",
    "reckoning_paper",
    "record_paper",
    "registration_paper",
    "regulations_paper",
    "reminders_paper",
    "round_set_paper",
    "schedule_paper",
    "score_sheet_paper",
    "seating_paper",
    "series_paper",
    "short_record_paper",
    "slips_paper",
    "standings_paper",
    "starting_list_paper",
    "statistics_paper",
    "table_numbers_paper",
    "wall_chart_paper",
    "wishes_of",
    "year_book_paper",
]
