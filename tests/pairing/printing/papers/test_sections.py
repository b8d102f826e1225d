"""Papers of several parts: what belongs together stays together."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from pairing.printing.papers.arbiter_records import arbiter_record_paper
from pairing.printing.papers.generic_tables import MAX_UNSPLIT_ROWS, ListColumn, PaperSection, multi_section_paper
from pairing.printing.pdf.paper_templates import PaperNames, PrintOptions
from tests.pairing.printing.papers.glyphs import Box, drawn_pages, drawn_pdf
from tests.pairing.printing.papers.hard_sheets import record
from tournaments.models import Game

pytestmark = pytest.mark.one_database


def test_parts_of_a_few_words_begin_below_the_title():
    """When every row was kept with the next, only the letterhead was left on the first sheet."""
    pytest.importorskip("weasyprint")
    sections = [PaperSection(heading=f"Part {each};", lead="Words\nand more") for each in range(60)]
    paper = multi_section_paper("Norms", sections, PaperNames(club="Club"), PrintOptions(language="en"))
    first, *_others = PdfReader(BytesIO(drawn_pdf(paper))).pages
    assert "Norms" in first.extract_text()
    assert "Part 9;" in first.extract_text()


def test_a_result_stands_on_the_line_of_its_board():
    """When two long names left no room, a result slipped to the board below."""
    pytest.importorskip("weasyprint")
    sheet = record(4)
    boards = [replace(each, reasons=()) for each in sheet.rounds[0].boards]
    for place, result in enumerate((Game.Result.BLACK_WINS, Game.Result.WHITE_WINS)):
        board = boards[place].board
        long = [replace(player, name="W" * 40) for player in (board.white, board.black)]
        white, black = long if not place else (board.white, board.black)
        boards[place] = replace(boards[place], board=replace(board, white=white, black=black, result=result.value))
    recorded = replace(sheet.rounds[0], boards=tuple(boards), byes=())
    (page,) = drawn_pages(
        drawn_pdf(arbiter_record_paper(replace(sheet, rounds=(recorded,)), PrintOptions(language="en")))
    )

    def box_of(text: str) -> Box:
        run = next(run for run, words in page.runs.items() if text in words)
        return next(glyph.box for glyph in page.glyphs if glyph.run == run)

    second_name = box_of(boards[1].board.white.name[:8])
    assert box_of("0–1").bottom > second_name.top
    assert box_of("1–0").top > second_name.bottom


def test_no_part_leaves_its_beginning_or_its_signature_behind():
    pytest.importorskip("weasyprint")
    columns = (ListColumn(heading="Name", is_row_header=True),)
    sections = []
    for each in range(30):
        rows = [(f"row {row} of {each};",) for row in range(3 + each % 11)]
        sections.append(PaperSection(heading=f"Part {each};", lead=f"Lead {each};", columns=columns, rows=rows))
        sections.append(PaperSection(heading="Chief", blanks=(f"Signature {each};",), is_kept_with_previous=True))
    paper = multi_section_paper("Report", sections, PaperNames(club="Club"), PrintOptions(language="en"))
    pages = [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(drawn_pdf(paper))).pages]

    def page_of(text: str) -> int:
        (found,) = [number for number, page in enumerate(pages) if text in page]
        return found

    assert len(pages) > 5
    for each in range(30):
        last = 2 + each % 11
        first_row, last_row = page_of(f"row 0 of {each};"), page_of(f"row {last} of {each};")
        assert page_of(f"Part {each};") == page_of(f"Lead {each};") == first_row
        assert page_of(f"Signature {each};") == last_row
        if last < MAX_UNSPLIT_ROWS:
            assert first_row == last_row
