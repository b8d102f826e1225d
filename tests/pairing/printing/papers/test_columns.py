"""Columns of lists: what stays on one line, and that the figures of several tables are aligned."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from pairing.printing.papers.blanks_and_posters import hall_signs_paper
from pairing.printing.papers.card_rows import JAHR_NARROW, typeset_card_rows
from pairing.printing.papers.generic_tables import ListColumn, PaperSection, multi_section_paper, table_paper
from pairing.printing.pdf.paper_templates import PaperNames, PrintOptions, add_no_break_spaces
from pairing.printing.pdf.text_fitting import ColumnCells, Typeface, choose_single_line_columns, wrap_text
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.start_cards import StartCardRow
from tests.pairing.printing.papers.glyphs import drawn_pages, drawn_pdf

pytestmark = pytest.mark.one_database
ENGLISH = PrintOptions(language="en")
CLUB = PaperNames(club="Club")
LONG = "Niebyła-Zmyślona-Wyimaginowana, Konstancja Wirydianna Bożysława"


def columns(*texts: str, whole: tuple[int, ...] = ()) -> list[ColumnCells]:
    return [
        ColumnCells(heads=("Head",), texts=(text,), can_wrap=place not in whole) for place, text in enumerate(texts)
    ]


def lines_of(paper: Paper) -> list[list[str]]:
    """The runs of text of each page."""
    return [list(page.runs.values()) for page in drawn_pages(drawn_pdf(paper))]


def test_the_shortest_texts_stand_in_one_line_and_the_longest_breaks():
    assert choose_single_line_columns(columns("12.10.2025 г.", LONG, "Warszawa"), 110, 10) == [True, False, True]
    assert choose_single_line_columns(columns(LONG, "WGM"), 180, 10) == [True, True]


def test_a_table_that_cannot_be_whole_is_not_said_to_be():
    assert choose_single_line_columns(columns(LONG, LONG, whole=(0, 1)), 180, 10) is None


def test_a_sentence_keeps_its_space_beside_other_columns():
    assert choose_single_line_columns(
        columns("Eine vor der Nachmeldung versäumte Runde bringt", LONG * 3), 180, 10
    ) == [False, False]


def test_a_wide_list_lies_on_its_side_with_its_numbers_and_dates_in_one_piece():
    heads = [f"Heading {number}" for number in range(9)]
    row = [LONG, "WGM", "999000001", "PL-10000", "Първокласникови", "19.10.2025 г.", "31.12.2026 г.", "POL", "2288"]
    wanted = [ListColumn(heading=head, is_unbroken=place not in (0, 4)) for place, head in enumerate(heads)]
    paper = table_paper("Members", wanted, [row] * 3, CLUB, ENGLISH, can_be_landscape=True)
    assert "sideways" in paper.parts[0].html
    (words,) = lines_of(paper)
    said = " ".join(words)
    assert all(text in said for text in row[1:])


def test_figures_of_one_grid_end_at_one_place():
    tables = [
        PaperSection(
            heading="",
            columns=[
                ListColumn(heading="What", is_row_header=True),
                *(ListColumn(heading=f"C{each}", is_figure=True) for each in "ab"),
            ],
            rows=[(label, 4711, 4712)],
            total=("Total", 4713, 4714),
            css_class="grid",
        )
        for label in ("x", "A label far longer than the others of its column are")
    ]
    (page,) = drawn_pages(drawn_pdf(multi_section_paper("Members", tables, CLUB, ENGLISH)))
    ends = {}
    for run, text in page.runs.items():
        if found := re.search(r"471\d", text):
            ends.setdefault(found[0], []).append(max(glyph.box.right for glyph in page.glyphs if glyph.run == run))
    assert sorted(ends) == ["4711", "4712", "4713", "4714"]
    assert all(len(each) == 2 and max(each) - min(each) < 3 for each in ends.values())
    assert abs(ends["4711"][0] - ends["4713"][0]) < 3


@pytest.mark.parametrize(
    ("high", "longest", "said"),
    [
        (9.0, "Szachownicki, Zdzisław", ["Figurka, Ctibor", "Szachownicki,\nZdzisław"]),
        (9.0, "Wyjątkowo-Długonazwiskowa, Wirydianna", ["Figurka, C."]),
        (4.0, "Szachownicki, Zdzisław", ["Figurka, C.", "Szachownicki, Z."]),
    ],
)
def test_names_of_a_card_are_of_one_kind(high, longest, said):
    """In full, on two lines if rows are high enough; all with initials if one does not fit."""
    names = ("Figurka, Ctibor", longest)
    rows = [StartCardRow(number=place, opponent=place, opponent_name=name) for place, name in enumerate(names, start=1)]
    text, own_lines = typeset_card_rows(rows, JAHR_NARROW, high)
    found = " ".join((text, *(each.text for each in own_lines)))
    assert [each for each in said if each not in found] == []
    assert ("Ctibor" in found) == (said[0] == "Figurka, Ctibor")


@pytest.mark.parametrize("language", ["pl", "bg"])
def test_every_sign_fills_one_sheet(language):
    with translation.override(language):
        paper = hall_signs_paper(PaperNames(event="Event", club="Club"), PrintOptions(language=language))
    pages = lines_of(paper)
    assert len(pages) == 7
    assert not [text for page in pages for text in page if re.search(r"(^|\s)\w$", text.strip())]


def test_no_line_ends_at_a_no_break_space():
    assert wrap_text("Prosimy o\N{NO-BREAK SPACE}ciszę", 4, Typeface.TEXT) == ("Prosimy", "o\N{NO-BREAK SPACE}ciszę")


@pytest.mark.parametrize(
    ("text", "language", "kept"),
    [
        ("O ciszę i z umiarem", "pl", "O~ciszę i~z~umiarem"),
        ("W czasie gry", "pl", "W~czasie gry"),
        ("A ty, y tú", "es", "A ty, y tú"),
        ("Silence ! « Oui »", "fr", "Silence~! «~Oui~»"),
        ("J. R. Figurka, e. V.", "de", "J.~R. Figurka, e.~V."),
        ('<p title="o czym">o czym</p>', "pl", '<p title="o czym">o~czym</p>'),
    ],
)
def test_a_text_and_a_page_are_kept_together_by_the_same_rules(text, language, kept):
    """In Polish no one-letter word ends a line; in French there is a space before ! and within « »."""
    assert add_no_break_spaces(text, {language}) == kept.replace("~", "\N{NO-BREAK SPACE}")
