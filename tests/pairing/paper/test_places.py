"""Where things stand on a paper: no sheet is empty, nothing is cut or broken beside room that is free."""

from __future__ import annotations

from dataclasses import replace

import pytest
import segno
from django.utils import translation

from pairing.paper import papers
from pairing.paper.papers import CARD_FORMATS, Letterhead, Wishes
from pairing.typesetting.pdfs import Paper, set_and_counted
from tests.pairing.paper.glyphs import drawn_pages
from tests.pairing.paper.hard_sheets import cards, pairings, player, record

pytestmark = pytest.mark.one_database

SQUARE = Letterhead(logo=segno.make("a logo").png_data_uri(scale=4))
ADDRESS = (
    "https://chess.example/a-club/an-open-of-a-name-that-is-fairly-long-as-such-names-are-2026/rounds/9/current/1/"
)


def drawn(paper: Paper) -> tuple[list[str], list[int]]:
    """The text of every sheet, and how many sheets each part takes."""
    try:
        pdf, pages = set_and_counted(paper)
    except OSError as error:
        pytest.skip(f"Pango is missing: {error}")
    return [page.text for page in drawn_pages(pdf)], pages


def of_usual_names(sheet):
    """A round of players whose names fit in a line."""
    named = [
        replace(
            board,
            white=replace(player(place), name=f"Nikt, Jan {place}"),
            black=replace(player(place + 100), name=f"Wymyślna, Ewa {place}"),
        )
        for place, board in enumerate(sheet.boards, start=1)
    ]
    return replace(sheet, boards=tuple(named), byes=())


def test_boards_that_nothing_explains_begin_on_the_first_sheet():
    """Kept together one by one, the whole list would go to the second."""
    whole = record(110)
    (of_round,) = whole.rounds
    boards = of_usual_names(of_round.sheet).boards
    told = tuple(replace(each, board=board, reasons=()) for each, board in zip(of_round.boards, boards, strict=True))
    sheet = replace(whole, event="Open", arbiter="", rounds=(replace(of_round, boards=told, byes=()),))
    texts, _pages = drawn(papers.record_paper(sheet, Wishes(language="de")))
    assert "Jan1(1)" in texts[0]


def test_a_club_is_cut_on_a_card_only_where_the_logo_leaves_no_room():
    """A place for a logo is wider than a logo that fills its height."""
    sheet = cards(1, 9, is_jahr=False, filled=False)
    (card, _spare) = sheet.cards
    named = replace(card, name="Nikt, Jan", title="", rating=1972, club_name="Klub Szachowy „Pod Gońcem”", remark="")
    paper = papers.cards_paper(
        replace(sheet, cards=(named,)), CARD_FORMATS["4"], Wishes(language="bg", letterhead=SQUARE)
    )
    assert "Gońcem”" in paper.parts[0].html
    assert 'class="logo"' in paper.parts[0].html


@pytest.mark.parametrize("letterhead", [Letterhead(), SQUARE])
def test_an_address_stands_in_a_line_where_there_is_room_below_the_logo(letterhead):
    paper = papers.pairings_paper(pairings(4), Wishes(language="de", letterhead=letterhead), address=ADDRESS)
    (page,) = drawn_pages(set_and_counted(paper)[0])
    assert ADDRESS in page.runs.values()


def test_a_slip_has_no_address_that_nobody_would_type():
    with translation.override("en"):
        whole, none = (
            papers.slips_paper(pairings(2), Wishes(language="en"), address_of=address.format).parts[0].html
            for address in ("https://chess.example/open/boards/{}/", ADDRESS + "boards/{}/")
        )
    assert "chess.example/open/boards/1/" in whole
    assert "chess.example" not in none
