"""Rows rendered as one run of text look and read like their separate cells."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.metadata import version
from io import BytesIO

import pytest
from django.utils import translation
from pypdf import PdfReader

from pairing.printing.papers.events import crosstable_paper, standings_paper, starting_list_paper
from pairing.printing.papers.generic_tables import ListColumn, table_paper
from pairing.printing.pdf import weasyprint_pages
from pairing.printing.pdf.paper_templates import PaperNames, PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from tests.pairing.printing.papers.glyphs import drawn_pages, drawn_pdf
from tests.pairing.printing.papers.hard_data import hard_wishes
from tests.pairing.printing.papers.hard_sheets import NAMES, people_of, table_of
from tests.pairing.printing.papers.structure import faults_of_tags, read_pages
from tests.test_conventions import ROOT

pytestmark = pytest.mark.one_database
ENGLISH = PrintOptions(language="en")
A_HAIR = 0.4
"""Points: what columns and kerning move a letter at most."""


def standings(players: int) -> Paper:
    """A few with the hardest names, and many whose names fit on a line."""
    table = table_of(players, 5)
    plain = tuple(
        replace(line, player=replace(line.player, name=f"Pionek, Nr{line.place}")) if line.place > len(NAMES) else line
        for line in table.lines
    )
    with translation.override("pl"):
        return standings_paper(replace(table, lines=plain), hard_wishes("pl"))


def starting_list(players: int) -> Paper:
    people = people_of(players, 5)
    plain = (replace(person, name="Nikt, Jan", club_name="") for person in people.players[len(NAMES) :])
    return starting_list_paper(
        replace(people, players=(*people.players[: len(NAMES)], *plain)), ENGLISH, order="number"
    )


def crosstable(players: int) -> Paper:
    return crosstable_paper(table_of(players, 9), ENGLISH)


def plain_list(players: int) -> Paper:
    """With a mostly empty column, one in the middle, and characters that XML must escape."""
    columns = (
        ListColumn(heading="No.", is_figure=True, is_bold=True),
        ListColumn(heading="<Name> & title", is_row_header=True),
        ListColumn(heading="Paid", is_unbroken=True),
    )
    people = [(number, f"Nikt & Nikt <{number}>", "yes" if number % 9 == 0 else "") for number in range(players)]
    return table_paper("Dues", columns, people, PaperNames(club="Pod Gońcem"), ENGLISH)


def boxes(pdf: bytes) -> list[list[tuple[str, float, float]]]:
    """The letters of every page, and their positions."""
    return [
        sorted((each.letter, round(each.box.bottom), each.box.left) for each in page.glyphs)
        for page in drawn_pages(pdf)
    ]


def read_out(pdf: bytes) -> list[list[list[tuple[str, str]]]]:
    """The text that is read out in the tables of every page, cell by cell, with its type."""
    return [
        [[(cell.type, page.text_of(cell)) for cell in row.kids] for row in page.every("TR")] for page in read_pages(pdf)
    ]


@pytest.mark.parametrize("make", [standings, starting_list, crosstable, plain_list])
def test_a_long_table_is_drawn_and_read_as_it_would_be_cell_by_cell(make, monkeypatch):
    paper = make(40)
    together = drawn_pdf(paper)
    assert faults_of_tags(together) == []
    monkeypatch.setattr(weasyprint_pages, "MIN_ROWS_TO_MERGE", 1000)
    apart = drawn_pdf(paper)
    assert read_out(together) == read_out(apart)
    for ours, theirs in zip(boxes(together), boxes(apart), strict=True):
        assert [each[:2] for each in ours] == [each[:2] for each in theirs]
        assert all(abs(one[2] - other[2]) < A_HAIR for one, other in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("with_head", [True, False])
def test_cells_name_the_headings_that_there_are(with_head):
    """Also those of a list without row headings."""
    columns = (ListColumn(heading="No.", is_figure=True), ListColumn(heading="Name", is_row_header=with_head))
    people = [(number, f"Nikt, Nr{number}") for number in range(40)]
    document = PdfReader(
        BytesIO(drawn_pdf(table_paper("Dues", columns, people, PaperNames(club="Pod Gońcem"), ENGLISH)))
    )
    objects = [document.get_object(number) for number in range(1, document.trailer["/Size"])]
    elements = [each for each in objects if isinstance(each, dict) and each.get("/S") in ("/TH", "/TD")]
    named = [head for each in elements for head in each.get("/A", {}).get("/Headers", ())]
    assert len(named) == 80
    assert set(named) <= {each["/ID"] for each in elements if "/ID" in each}


def test_a_row_whose_text_would_leave_its_column_is_cells_again(monkeypatch):
    """No part of a name is lost if another name was thought to be the widest."""
    monkeypatch.setattr(weasyprint_pages, "_widest", lambda some, _bold: some[:1])
    paper = standings(60)
    pdf = drawn_pdf(paper)
    monkeypatch.undo()
    monkeypatch.setattr(weasyprint_pages, "MIN_ROWS_TO_MERGE", 1000)
    assert read_out(pdf) == read_out(drawn_pdf(paper))


def test_the_minor_version_of_weasyprint_is_pinned():
    """`weasyprint_pages` relies on what WeasyPrint does not promise."""
    (wanted,) = re.findall(r'"weasyprint([^"]*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))[:1]
    assert re.fullmatch(r"==\d+\.\d+\.\*", wanted)
    assert f"{version('weasyprint')}.".startswith(wanted.removeprefix("==").removesuffix("*"))
