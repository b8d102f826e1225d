"""Papers of several parts: nothing that belongs together is torn apart."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from pairing.paper.lists import MOST_TOGETHER, Column, Section, sections_paper
from pairing.paper.papers import Wishes
from pairing.typesetting.pdfs import set_paper

pytestmark = pytest.mark.one_database


def test_no_part_leaves_its_beginning_or_its_signature_behind():
    pytest.importorskip("weasyprint")
    columns = (Column(heading="Name", is_head=True),)
    sections = []
    for each in range(30):
        rows = [(f"row {row} of {each};",) for row in range(3 + each % 11)]
        sections.append(Section(heading=f"Part {each};", lead=f"Lead {each};", columns=columns, rows=rows))
        sections.append(Section(heading="Chief", blanks=(f"Signature {each};",), stays_with_last=True))
    paper = sections_paper("Report", sections, Wishes(language="en"), club="Club")
    pages = [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(set_paper(paper))).pages]

    def page_of(text: str) -> int:
        (found,) = [number for number, page in enumerate(pages) if text in page]
        return found

    assert len(pages) > 5
    for each in range(30):
        last = 2 + each % 11
        first_row, last_row = page_of(f"row 0 of {each};"), page_of(f"row {last} of {each};")
        assert page_of(f"Part {each};") == page_of(f"Lead {each};") == first_row
        assert page_of(f"Signature {each};") == last_row
        if last < MOST_TOGETHER:
            assert first_row == last_row
