"""All printouts of events and clubs, in one place for callers."""

from __future__ import annotations

from pairing.printing.papers.arbiter_records import (
    arbiter_record_paper,
    opponent_averages_paper,
    regulations_paper,
    short_arbiter_record_paper,
)
from pairing.printing.papers.badges_and_diplomas import (
    badges_paper,
    diplomas_paper,
    place_cards_paper,
    table_numbers_paper,
)
from pairing.printing.papers.blanks_and_posters import (
    blank_pairings_paper,
    blank_slips_paper,
    door_poster_paper,
    hall_signs_paper,
    manual_pairing_guide_paper,
    printer_test_paper,
    registration_form_paper,
    score_sheet_paper,
)
from pairing.printing.papers.clubs import (
    account_sheet_paper,
    accounting_journal_paper,
    annual_accounts_paper,
    dues_list_paper,
    dues_reminders_paper,
    member_list_paper,
    member_statistics_paper,
    monthly_ratings_paper,
    rating_list_paper,
    receipt_paper,
    series_standings_paper,
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
from pairing.printing.papers.final_reports import event_report_paper, norms_paper, year_book_paper
from pairing.printing.papers.group_standings import (
    category_diplomas_paper,
    category_leaders_paper,
    category_standings_paper,
    group_standings_paper,
)
from pairing.printing.papers.member_cards_and_labels import (
    LABEL_FORMATS,
    address_labels_paper,
    general_meeting_paper,
    membership_cards_paper,
)
from pairing.printing.papers.rounds import (
    combine_papers,
    number_slips_paper,
    pairings_paper,
    result_slips_paper,
    seating_paper,
)
from pairing.printing.papers.start_cards import CARD_FORMATS, start_cards_paper
from pairing.printing.pdf.paper_templates import Letterhead, PrintOptions, club_print_options, render_pdf

__all__ = [
    "CARD_FORMATS",
    "LABEL_FORMATS",
    "Letterhead",
    "PrintOptions",
    "account_sheet_paper",
    "accounting_journal_paper",
    "address_labels_paper",
    "annual_accounts_paper",
    "arbiter_record_paper",
    "attendance_paper",
    "badges_paper",
    "blank_pairings_paper",
    "blank_slips_paper",
    "category_diplomas_paper",
    "category_leaders_paper",
    "category_standings_paper",
    "club_print_options",
    "combine_papers",
    "crosstable_paper",
    "diplomas_paper",
    "door_poster_paper",
    "dues_list_paper",
    "dues_reminders_paper",
    "event_report_paper",
    "general_meeting_paper",
    "group_standings_paper",
    "hall_signs_paper",
    "manual_pairing_guide_paper",
    "member_list_paper",
    "member_statistics_paper",
    "membership_cards_paper",
    "monthly_ratings_paper",
    "norms_paper",
    "number_slips_paper",
    "opponent_averages_paper",
    "pairings_paper",
    "place_cards_paper",
    "printer_test_paper",
    "prizes_paper",
    "rating_list_paper",
    "receipt_paper",
    "registration_form_paper",
    "regulations_paper",
    "render_pdf",
    "result_slips_paper",
    "schedule_paper",
    "score_sheet_paper",
    "seating_paper",
    "series_standings_paper",
    "short_arbiter_record_paper",
    "standings_paper",
    "start_cards_paper",
    "starting_list_paper",
    "table_numbers_paper",
    "wall_chart_paper",
    "year_book_paper",
]
