"""Papers with a screen reader: cards as tables, decoration left out, long papers like short ones."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import pypdfium2
import pytest
from pypdfium2 import raw

from pairing.engine.snapshot import Colour
from pairing.printing.papers.rounds import combine_papers, pairings_paper, result_slips_paper
from pairing.printing.papers.start_cards import CARD_FORMATS, start_cards_paper
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper, PaperPart
from pairing.view_models.sheets.start_cards import StartCard, StartCardResult, StartCardRow, StartCardSheet
from tests.pairing.printing.papers.glyphs import drawn_pdf
from tests.pairing.printing.papers.hard_sheets import pairings
from tests.pairing.printing.papers.structure import ReadPage, faults_of_tags, read_pages

pytestmark = pytest.mark.one_database
ENGLISH = PrintOptions(language="en")


@pytest.fixture(autouse=True, scope="module")
def _pango() -> None:
    try:
        import weasyprint  # noqa: F401
    except OSError as error:
        pytest.skip(f"Pango is missing: {error}")


def cards(count: int, *, opponent: str = "Nikt, Jan", result: StartCardResult | None = None) -> StartCardSheet:
    rows = (
        StartCardRow(number=1, colour=Colour.BLACK, opponent=12, opponent_name=opponent, symbol="½", points=1),
        StartCardRow(number=2),
    )
    return StartCardSheet(
        club="Pod Wieżą",
        event="Środa",
        is_jahr=False,
        rounds_announced=2,
        cards=tuple(
            StartCard(number=number, name=f"Nikt, Nr{number}", rows=rows, result=result)
            for number in range(1, count + 1)
        ),
    )


def tables(page: ReadPage) -> list[list[list[str]]]:
    return [[[page.text_of(cell) for cell in row.kids] for row in table.every("TR")] for table in page.every("Table")]


HEADS = ["Rd", "○●", "No.", "Opponent", "↓↑", "Result", "Points", "Due"]


def test_a_card_is_read_as_tables():
    """Empty boxes at the end of a row are not read."""
    pdf = drawn_pdf(start_cards_paper(cards(1, result=StartCardResult(place=3, points=1)), CARD_FORMATS["8"], ENGLISH))
    (page,) = read_pages(pdf)
    boxes, foot = tables(page)
    assert boxes[0] == HEADS
    assert boxes[1][:7] == ["1", "●", "12", "Nikt, Jan", "", "½", "½"]
    assert boxes[2] == ["2"]
    assert foot == [["Place", "Points", "Arbiter"], ["3", "½"]]
    assert [cell.type for row in page.every("TR") for cell in row.kids][:10] == ["TH"] * 9 + ["TD"]
    assert faults_of_tags(pdf) == []


def test_a_name_in_small_type_is_read_in_its_row():
    name = "Wyjątkowo-Długonazwiskowa-Zmyślona, Konstancja Wirydianna"
    (page,) = read_pages(drawn_pdf(start_cards_paper(cards(1, opponent=name), CARD_FORMATS["4"], ENGLISH)))
    boxes, _foot = tables(page)
    assert "Wyjątkowo" in boxes[1][3]
    assert [row[0] for row in boxes] == ["Rd", "1", "2"]


def test_letters_with_marks_and_signs_of_other_fonts_stay_in_their_box():
    (page,) = read_pages(drawn_pdf(start_cards_paper(cards(1, opponent="Ž̨, 棋"), CARD_FORMATS["8"], ENGLISH)))
    boxes, _foot = tables(page)
    assert boxes[1][2] == "12"
    assert boxes[1][3].endswith("棋")
    assert boxes[1][5] == "½"


def test_what_stands_in_margins_is_not_read():
    html = '<html lang="en"><title>x</title><body><h1>once</h1></body></html>'
    css = '@page { size: 90mm 90mm; @bottom-left { content: "at the foot" } }'
    (page,) = read_pages(drawn_pdf(Paper(parts=(PaperPart(html=html, css=css),))))
    assert [page.text_of(tag) for tag in page.tags] == ["once"]
    assert page.unmarked == ()
    assert "at the foot" not in page.texts.values()


def test_copies_are_laid_out_once_and_read_each(monkeypatch):
    import weasyprint

    made = []
    usual = weasyprint.HTML.render
    monkeypatch.setattr(weasyprint.HTML, "render", lambda *given, **more: (made.append(1), usual(*given, **more))[1])
    one = start_cards_paper(cards(1), CARD_FORMATS["8"], ENGLISH)
    pdf = drawn_pdf(combine_papers([one, one, one]))
    assert len(made) == 1
    assert [tables(page)[0][0] for page in read_pages(pdf)] == [HEADS] * 3
    assert faults_of_tags(pdf) == []


def test_parts_are_joined_with_their_tags():
    parts = start_cards_paper(cards(330), CARD_FORMATS["8"], ENGLISH).parts
    assert len(parts) == 3
    few = [replace(part, html=part.html.partition("</section>")[0] + "</section></body></html>") for part in parts]
    pdf = drawn_pdf(Paper(parts=tuple(few)))
    pages = read_pages(pdf)
    assert [page.text_of(next(page.every("H1"))) for page in pages] == ["Nikt, Nr1", "Nikt, Nr161", "Nikt, Nr321"]
    assert [len(list(page.every("Table"))) for page in pages] == [16, 16, 16]
    assert faults_of_tags(pdf) == []


def test_every_copy_has_a_link_with_an_element_of_its_own():
    list_of_round = pairings_paper(pairings(4), ENGLISH, address="https://chess.example/")
    slips = result_slips_paper(pairings(4), ENGLISH, board_url="https://chess.example/{}/".format)
    whole = combine_papers([list_of_round, list_of_round, slips])
    pdf = drawn_pdf(whole)
    assert links_of(pdf) == [["https://chess.example/"]] * 2 + [[f"https://chess.example/{n}/" for n in (1, 2)]]
    assert [len(list(page.every("Link"))) for page in read_pages(pdf)] == [1, 1, 2]
    assert faults_of_tags(pdf) == []


def links_of(pdf: bytes) -> list[list[str]]:
    """The targets of the links on every page, in order."""
    document = pypdfium2.PdfDocument(pdf)
    found: list[list[str]] = []
    for page in document:
        place, link = ctypes.c_int(0), raw.FPDF_LINK()
        found.append([])
        while raw.FPDFLink_Enumerate(page, ctypes.byref(place), ctypes.byref(link)):
            text = ctypes.create_string_buffer(200)
            raw.FPDFAction_GetURIPath(document, raw.FPDFLink_GetAction(link), text, 200)
            found[-1].append(text.value.decode())
    return found
