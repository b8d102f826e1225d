"""The effects of a letterhead and of guests with another language on cards and slips, page by page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from pairing.printing.papers.rounds import list_head_height, result_slips_paper, seating_paper
from pairing.printing.papers.start_cards import CARD_FORMATS, start_cards_paper
from pairing.printing.pdf.paper_templates import Letterhead, PaperNames, PrintOptions
from pairing.view_models.sheets.start_cards import StartCard, StartCardRow, StartCardSheet
from tests.pairing.printing.papers.glyphs import MM, drawn_pages, drawn_pdf
from tests.pairing.printing.papers.hard_data import hard_wishes
from tests.pairing.printing.papers.hard_sheets import pairings
from tournaments.models.point_systems import describe_point_system

pytestmark = pytest.mark.one_database
ENGLISH = PrintOptions(language="en")
WITH_LOGO = replace(ENGLISH, letterhead=Letterhead(logo="data:image/png;base64,AAAA"))


def cards(name: str = "Nikt, Jan", *, rounds: int = 9, is_jahr: bool = True) -> StartCardSheet:
    rows = tuple(StartCardRow(number=number) for number in range(1, rounds + 1))
    return StartCardSheet(
        club="Pod Wieżą",
        event="Środa",
        is_jahr=is_jahr,
        rounds_announced=rounds,
        cards=(StartCard(number=1, title="WGM", name=name, rows=rows),),
    )


def page(sheet: StartCardSheet, code: str, wishes: PrintOptions) -> str:
    return start_cards_paper(sheet, CARD_FORMATS[code], wishes).parts[0].html


@pytest.mark.parametrize("code", CARD_FORMATS)
def test_the_logo_is_on_cards_where_it_fits(code):
    assert ('class="logo"' in page(cards(), code, WITH_LOGO)) == (code != "8")
    assert 'class="logo"' not in page(cards(), code, ENGLISH)


def test_the_logo_gives_way_to_a_name():
    name = "Wimmerwommwalmwammesmwimmerwachtmweinmwam-Wimmerwommwalmwammesmwimmer, Ömer"
    html = page(cards(name), "4", WITH_LOGO)
    assert 'class="logo"' not in html
    assert name.replace(" ", "") in html.replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("is_jahr", [True, False])
def test_a_card_says_what_stands_over_its_boxes_to_guests(is_jahr):
    html = page(cards(is_jahr=is_jahr), "4", replace(ENGLISH, second_language="pl"))
    assert "Opponent: Przeciwnik" in html
    assert ("punkty z gry" in " ".join(html.split())) == is_jahr
    assert "Przeciwnik" not in page(cards(is_jahr=is_jahr), "4", ENGLISH)


def test_rows_are_not_made_too_low_for_guests():
    """Ten rounds fill the smallest card: it only has room for its own legend."""
    assert "Przeciwnik" not in page(cards(rounds=10), "8", replace(ENGLISH, second_language="pl"))


def test_a_slip_is_to_be_read_by_guests_and_bears_the_club():
    wishes = replace(WITH_LOGO, second_language="pl")
    (part,) = result_slips_paper(pairings(2), wishes, board_url="https://club.example/{}".format).parts
    assert 'Round 13, board 1 <span class="second" lang="pl">Runda 13, szachownica 1</span>' in part.html
    assert part.html.count('class="logo"') == 1


@pytest.mark.parametrize("languages", [("pl", "en"), ("uk", "de")])
def test_the_second_language_of_a_slip_is_not_printed_over_its_code(languages):
    pytest.importorskip("weasyprint", exc_type=OSError)
    first, second = languages
    wishes = replace(hard_wishes(first), second_language=second)
    with translation.override(first):
        paper = result_slips_paper(pairings(17), wishes, board_url="https://club.example/a-long-address/{}".format)
    assert [fault for page in drawn_pages(drawn_pdf(paper)) for fault in page.faults(keeps=4)] == []


def test_a_slip_says_its_whole_event_and_address():
    event = "Internationales Sechzigerturnier am Stadtwald zu Łódź-Hinterwald im Sommer 2026"
    address = "https://club.example/pod-wieza/sommer-2026/rounds/13/boards/{}"
    sheet = replace(pairings(2), event=event)
    (part,) = result_slips_paper(sheet, ENGLISH, board_url=address.format).parts
    told = " ".join(part.html.split())
    assert event in told
    assert "".join(address.removeprefix("https://").format(1).split()) in told.replace(" ", "")


def test_a_round_without_games_has_no_empty_slips():
    (part,) = result_slips_paper(pairings(1), ENGLISH, board_url=str).parts
    assert "This round has no games." in part.html


@pytest.mark.parametrize(
    ("kept", "words"),
    [("1-0.5-0", "1 – ½ – 0"), ("3-1-0 P1.5", "3 – 1 – 0, bye 1½"), ("3-2-1 A0 P1", "3 – 2 – 1, absent 0, bye 1")],
)
def test_points_are_announced_in_words(kept, words):
    assert describe_point_system(kept) == words


@translation.override("pl")
def test_seats_in_two_columns_begin_below_a_high_head():
    """A column that does not fit below the head would leave the first sheet empty otherwise."""
    pytest.importorskip("weasyprint", exc_type=OSError)
    pages = drawn_pages(drawn_pdf(seating_paper(pairings(181), hard_wishes("pl"), address="https://club.example/")))
    assert all(sum(letter in "○●" for letter in page.text) > 20 for page in pages[:2])
    # The foot begins 20 mm above the edge; a name of four lines that does not fit leaves 27 mm more.
    assert min(line.bottom for line in pages[1].lines) < 47 * MM


def test_a_logo_takes_its_place_from_the_words_beside_it():
    """They need more lines then, so the columns begin lower."""
    names = PaperNames(club="Pod Wieżą " * 60, event="Memoriał " * 60)
    assert list_head_height("Seating list", names, WITH_LOGO) > list_head_height("Seating list", names, ENGLISH)
