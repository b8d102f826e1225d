"""PDF papers: pages, text, tags, title, language, fonts; no downloads; long ones in parts; none rendered twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from django.utils import translation
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from clubs.finance.dues.balances import MemberBalance
from clubs.membership.members.member_list import MemberListRow
from clubs.models import PaperSize
from common.file_store.stores import FolderFileStore
from pairing.pages.standings.prize_giving import PrizesOfList, prize_sheet, set_prizes
from pairing.printing.papers.arbiter_records import arbiter_record_paper, opponent_averages_paper
from pairing.printing.papers.badges_and_diplomas import (
    DiplomaSignature,
    badges_paper,
    diplomas_paper,
    place_cards_paper,
    table_numbers_paper,
)
from pairing.printing.papers.blanks_and_posters import printer_test_paper
from pairing.printing.papers.clubs import dues_list_paper, member_list_paper, rating_list_paper, series_standings_paper
from pairing.printing.papers.events import (
    attendance_paper,
    crosstable_paper,
    prizes_paper,
    standings_paper,
    starting_list_paper,
    wall_chart_paper,
)
from pairing.printing.papers.rounds import combine_papers, pairings_paper, result_slips_paper, seating_paper
from pairing.printing.papers.start_cards import CARD_FORMATS, start_cards_paper
from pairing.printing.pdf import weasyprint_rendering
from pairing.printing.pdf.paper_templates import PrintOptions, render_pdf
from pairing.printing.pdf.text_fitting import abbreviate_given_names
from pairing.printing.pdf.weasyprint_rendering import (
    Paper,
    PaperPart,
    PrintingImpossible,
    ProgressCallback,
    load_or_render_pdf,
)
from pairing.view_models.sheets.arbiter_record import arbiter_record_sheet
from pairing.view_models.sheets.opponent_averages import opponent_average_sheet
from pairing.view_models.sheets.players_and_results import StartingListSheet, starting_list_sheet
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.sheets.standings_sheet import crosstable_sheet, standings_sheet
from pairing.view_models.sheets.start_cards import StartCard, StartCardRow, StartCardSheet, start_card_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import make_club, make_event, make_member, played, published
from tests.module_fixtures import make_module_fixtures
from tests.pairing.printing.papers.glyphs import drawn_pdf
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.models import Series, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.series.standings import build_series_table

ENGLISH = PrintOptions(language="en")
LONG_NAMES = (
    "Niebyłowicz-Fikcyjska, Bronisława Kunegunda; 2100\n"
    "Бързописалска-Измислена, Весела Цветелина; 2050\n"
    "Vymyšlená-Příležitostná, Žofie Květoslava; 2000"
)


pytestmark = pytest.mark.one_database


@pytest.fixture(autouse=True, scope="module")
def _pango() -> None:
    try:
        import weasyprint  # noqa: F401
    except OSError as error:
        pytest.skip(f"Pango is missing: {error}")


def make_rows() -> Tournament:
    """Twelve players, three of them with long names; one round finished, one published."""
    event = make_event(make_club("przy-moscie"), players=9, rounds=5)
    enter_pasted_list(event, LONG_NAMES, by=None)
    played(event, 1)
    published(event, 2)
    return event


made_once, event = make_module_fixtures(make_rows)


def read(paper: Paper) -> PdfReader:
    return PdfReader(BytesIO(drawn_pdf(paper)))


def words(page) -> str:
    """A page's text with white space reduced to single spaces, and none after a broken hyphen."""
    return re.sub(r"[\s\u2000-\u200a]+", " ", page.extract_text()).replace("- ", "-")


def text_of(document: PdfReader) -> str:
    return " ".join(words(page) for page in document.pages)


def size_of(document: PdfReader) -> tuple[int, int]:
    """Millimetres."""
    box = document.pages[0].mediabox
    return round(float(box.width) / 72 * 25.4), round(float(box.height) / 72 * 25.4)


# -- Of a round -------------------------------------------------------------------------------------------------------


def test_the_pairing_list(event):
    sheet = pairing_sheet(event.rounds.get(number=2))
    document = read(pairings_paper(sheet, ENGLISH, address="https://club.example/rounds/"))
    text = text_of(document)
    assert "Round 2: pairings" in text
    assert "Version 1, published" in text
    for board in sheet.boards:
        name = board.white.name
        assert name in text or abbreviate_given_names(name) in text
    assert len(document.pages) == 1
    assert size_of(document) == (210, 297)


def test_points_stand_beside_the_players_who_have_them(event):
    sheet = pairing_sheet(event.rounds.get(number=2))
    boards = tuple(
        replace(board, white=replace(board.white, score=2 * number + 1), black=replace(board.black, score=2 * number))
        for number, board in enumerate(sheet.boards, start=1)
    )
    (part,) = pairings_paper(replace(sheet, boards=boards), ENGLISH).parts
    shown = [text.strip() for text in re.findall('points">([^<]*)</td>', part.html)]
    assert shown == [text for number, _board in enumerate(boards, start=1) for text in (f"{number}½", f"{number}")]


def test_a_draft_says_so(event):
    sheet = pairing_sheet(event.rounds.get(number=2))
    text = text_of(read(pairings_paper(replace(sheet, state="draft"), ENGLISH)))
    assert "Draft, version 1" in text
    assert "published" not in text


def test_where_do_i_sit(event):
    sheet = pairing_sheet(event.rounds.get(number=2))
    text = text_of(read(seating_paper(sheet, ENGLISH)))
    rows = re.findall(r"(\w+)[-\w]*, \w+(?: \w+)? (\d+) (\d+) [○●]", text)
    assert [name for name, _number, _board in rows] == ["Niebyłowicz", *["Pionek"] * 9, "Vymyšlená", "Бързописалска"]
    assert sorted(int(board) for _name, _number, board in rows) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_result_slips_eight_on_a_page(event):
    document = read(
        result_slips_paper(pairing_sheet(event.rounds.get(number=2)), ENGLISH, board_url="https://x.example/{}".format)
    )
    assert [len(re.findall("Round 2, board", words(page))) for page in document.pages] == [6]
    assert text_of(document).count("½–½") == 6


def test_everything_for_a_round_is_one_tagged_document(event):
    sheet = pairing_sheet(event.rounds.get(number=2))
    table = standings_sheet(get_event_standings(event, 1))
    one, two = seating_paper(sheet, ENGLISH), standings_paper(table, ENGLISH)
    document = read(combine_papers([one, two]))
    assert len(document.pages) == 2
    assert "seating list" in words(document.pages[0])
    assert "Standings after round 1" in words(document.pages[1])
    assert tags_by_page(document) == [True, True]


# -- Cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "pages", "size"),
    [("8", 2, (210, 297)), ("4", 3, (210, 297)), ("2", 6, (210, 297)), ("a5", 12, (210, 148)), ("a6", 12, (105, 148))],
)
def test_cards_of_every_size(event, code, pages, size):
    document = read(start_cards_paper(start_card_sheet(event), CARD_FORMATS[code], ENGLISH))
    assert (len(document.pages), size_of(document)) == (pages, size)
    text = text_of(document)
    for word in ("Opp. T", "10%", "Remarks:", "Arbiter", "Бързописалска-Измислена, Весела Цветелина"):
        assert word in text


def test_letter_paper(event):
    document = read(
        start_cards_paper(
            start_card_sheet(event), CARD_FORMATS["8"], PrintOptions(language="en", size=PaperSize.LETTER)
        )
    )
    assert (len(document.pages), size_of(document)) == (2, (216, 279))


def test_backs_double_the_pages(event):
    document = read(start_cards_paper(start_card_sheet(event), CARD_FORMATS["4"], ENGLISH, backs=True))
    assert len(document.pages) == 6
    assert ["Phone" in words(page) for page in document.pages] == [False, True] * 3


def test_more_rounds_than_fit_on_a_card():
    sheet = StartCardSheet(club="Pod Wieżą", event="Maraton", is_jahr=True, rounds_announced=14, cards=())
    with pytest.raises(ArbiterProblem, match="13 rounds"):
        start_cards_paper(sheet, CARD_FORMATS["8"], ENGLISH)
    assert start_cards_paper(sheet, CARD_FORMATS["4"], ENGLISH).parts


@translation.override("pl")
def test_a_card_in_the_clubs_language(event):
    text = text_of(
        read(start_cards_paper(start_card_sheet(event, only=1), CARD_FORMATS["4"], PrintOptions(language="pl")))
    )
    assert "2100" in text
    assert "0,00" in text
    assert "0.00" not in text


# -- Of the event -----------------------------------------------------------------------------------------------------


def test_papers_of_the_event(event):
    people, table = starting_list_sheet(event), standings_sheet(get_event_standings(event))
    found = {
        "players": starting_list_paper(people, ENGLISH),
        "attendance": attendance_paper(people, ENGLISH),
        "chart": wall_chart_paper(people, ENGLISH),
        "standings": standings_paper(table, ENGLISH),
        "cross": crosstable_paper(table, ENGLISH),
        "places": place_cards_paper(people, ENGLISH),
        "badges": badges_paper(people, ENGLISH, player_url="https://x.example/{}".format),
        "diplomas": diplomas_paper(
            table, ENGLISH, signed=DiplomaSignature(arbiter="Nikt, Jan", city="Zamatowice", date=None)
        ),
    }
    documents = {name: read(paper) for name, paper in found.items()}
    assert {name: len(document.pages) for name, document in documents.items()} == {
        "players": 1,
        "attendance": 1,
        "chart": 1,
        "standings": 1,
        "cross": 1,
        "places": 6,
        "badges": 2,
        "diplomas": 3,
    }
    for name in ("players", "attendance", "chart", "cross"):
        assert "Niebyłowicz-Fikcyjska, Bronisława" in text_of(documents[name]), name
    assert "provisional" in text_of(documents["standings"]).lower()
    assert re.search(r"\b\d+[○●][10½]", text_of(documents["cross"]))
    assert text_of(documents["places"]).count("Pionek") == 18
    assert "Third place" in text_of(documents["diplomas"])


def test_papers_of_the_arbiter_and_of_the_club(event):
    people, club = starting_list_sheet(event), event.club
    series = Series.objects.create(club=club, name="Grand Prix Zamatowic")
    lines = [MemberListRow(member=make_member(club, "Бързописалска, Весела", 1900), balance=MemberBalance(charged=500))]
    set_prizes(event, [PrizesOfList(category="", prizes=(12300,))], sharing="place", one_prize_each=True, by=None)
    found = {
        "Arbiter’s record": arbiter_record_paper(arbiter_record_sheet(event), ENGLISH),
        "Average rating of opponents after round 1": opponent_averages_paper(opponent_average_sheet(event, 1), ENGLISH),
        "123.00": prizes_paper(prize_sheet(event), ENGLISH),
        "Prizes: signatures": prizes_paper(prize_sheet(event), ENGLISH, with_signatures=True),
        "Бързописалска, Весела": member_list_paper(club, lines, ENGLISH, with_contact=True),
        "5.00": dues_list_paper(club, lines, ENGLISH, on=date(2026, 11, 21)),
        "Rating list": rating_list_paper(club, "standard", [], ENGLISH),
        "Grand Prix Zamatowic": series_standings_paper(series, build_series_table(series), ENGLISH),
        "Printer test": printer_test_paper(ENGLISH, club=club.name),
        "6": table_numbers_paper(people, 6, ENGLISH),
    }
    for word, paper in found.items():
        document = read(paper)
        assert word in " ".join(text_of(document).split()), word
        assert document.root_object["/Lang"] == "en", word
        assert document.metadata.title, word
        assert all(tags_by_page(document)), word


def test_crosstables_name_opponents_by_number_or_by_place(event):
    by_number, by_place = (
        standings_sheet(get_event_standings(event, 1)),
        crosstable_sheet(get_event_standings(event, 1)),
    )
    first = by_number.lines[0].rounds[0]
    place = by_place.lines[0].rounds[0].opponent_line
    assert place != first.opponent
    cell = f"{'○' if first.colour == 'w' else '●'}{first.symbol}"
    assert f" {first.opponent}{cell} " in text_of(read(crosstable_paper(by_number, ENGLISH)))
    text = text_of(read(crosstable_paper(by_place, ENGLISH, by_place=True)))
    assert f" {place}{cell} " in text
    assert "12○1: won with White against the player in 12th place (●: Black)" in text


def test_an_event_without_players():
    people = StartingListSheet(club="Pod Wieżą", event="Pusty", city="", rounds_announced=3, players=())
    assert "Nothing listed yet." in text_of(read(starting_list_paper(people, ENGLISH)))
    cards = StartCardSheet(club="Pod Wieżą", event="Pusty", is_jahr=False, rounds_announced=3, cards=())
    assert len(read(start_cards_paper(cards, CARD_FORMATS["8"], ENGLISH)).pages) == 1


# -- PDF --------------------------------------------------------------------------------------------------------------


def tags_by_page(document: PdfReader) -> list[bool]:
    """Whether each page has an entry of its own in the tag tree, with elements on that page."""
    nums = document.root_object["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    by_place = dict(zip(nums[::2], nums[1::2], strict=True))
    found = []
    for page in document.pages:
        marks = [element.get_object() for element in by_place[page["/StructParents"]].get_object()]
        # Text in the margins belongs to the page, not to the paper's content.
        elements = [element for element in marks if isinstance(element, DictionaryObject)]
        found.append(bool(elements) and all(each.raw_get("/Pg") == page.indirect_reference for each in elements))
    return found


@translation.override("bg")
def test_title_language_tags_and_fonts(event):
    document = read(start_cards_paper(start_card_sheet(event), CARD_FORMATS["8"], PrintOptions(language="bg")))
    root = document.root_object
    assert event.name in document.metadata.title
    assert root["/Lang"] == "bg"
    assert root["/MarkInfo"]["/Marked"]
    assert all(tags_by_page(document))
    fonts = [font.get_object() for page in document.pages for font in page["/Resources"]["/Font"].get_object().values()]
    assert fonts
    for font in fonts:
        descriptor = font["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        assert "/FontFile2" in descriptor, font["/BaseFont"]
        assert re.search("DejaVu|Noto", font["/BaseFont"])


def elements(element: Any) -> Iterator[Any]:
    """An element of the tag tree and everything below it."""
    if not isinstance(element, Mapping):
        return
    yield element
    kids = element.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        yield from elements(kid.get_object() if hasattr(kid, "get_object") else kid)


def test_figures_say_what_they_are_and_stand_on_their_page(event):
    sheet = pairing_sheet(event.rounds.get(number=2))
    document = read(pairings_paper(sheet, ENGLISH, address="https://club.example/rounds/"))
    found = list(elements(document.root_object["/StructTreeRoot"]["/K"][0].get_object()))
    (figure,) = (each for each in found if each.get("/S") == "/Figure")
    left, bottom, right, top = figure["/A"]["/BBox"]
    width, height = (float(length) for length in document.pages[0].mediabox[2:])
    assert width - 23 - 72 < left < right < width - 20
    assert height * 0.8 < bottom < top < height - 26
    assert figure["/Alt"] == "QR code to check that this printout is up to date"
    assert [each["/S"] for each in found if each.get("/S", "")[:2] == "/H"] == ["/H1"]


def test_a_long_document_is_laid_out_in_parts_and_drawn_as_one():
    rows = tuple(StartCardRow(number=number) for number in range(1, 4))
    cards = tuple(StartCard(number=number, name=f"Nikt, Nr{number:03}", rows=rows) for number in range(1, 201))
    sheet = StartCardSheet(club="Pod Wieżą", event="Wielki", is_jahr=True, rounds_announced=3, cards=cards)
    paper = start_cards_paper(sheet, CARD_FORMATS["8"], ENGLISH)
    assert len(paper.parts) == 2
    document = read(paper)
    assert len(document.pages) == 25
    assert "Wielki" in document.metadata.title
    assert document.root_object["/Lang"] == "en"
    assert "Nikt, Nr001" in words(document.pages[0])
    assert "Nikt, Nr200" in words(document.pages[-1])


def test_fonts_are_looked_up_once_in_a_process(monkeypatch):
    """Each font configuration takes a megabyte that is never freed."""
    from weasyprint.text import fonts

    made = []
    usual = fonts.FontConfiguration.__init__
    monkeypatch.setattr(fonts.FontConfiguration, "__init__", lambda self: (made.append(self), usual(self))[1])
    for number in range(3):
        drawn_pdf(Paper(parts=(PaperPart(html=f'<html lang="en"><title>x</title>{number}', css=""),) * 2))
    assert len(made) <= 1


def test_nothing_is_fetched(tmp_path, caplog):
    secret = tmp_path / "secret.svg"
    secret.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>secret</text></svg>')
    html = (
        f'<html lang="en"><title>x</title><img alt="" src="{secret.as_uri()}"><img alt="" src="http://127.0.0.1:9/">x'
    )
    document = read(Paper(parts=(PaperPart(html=html, css=f"@import url({secret.as_uri()});"),)))
    assert caplog.text.count("disallowed protocol") == 3
    assert "secret" not in text_of(document)


def test_the_same_paper_is_set_once(tmp_path, monkeypatch):
    paper = Paper(parts=(PaperPart(html='<html lang="en"><title>x</title>once', css=""),))
    first = load_or_render_pdf(paper, store=FolderFileStore(tmp_path))

    def fail(_paper: Paper, *, report_progress: ProgressCallback) -> tuple[bytes, list[int]]:
        raise AssertionError("set twice")

    monkeypatch.setattr(weasyprint_rendering, "render_and_count_pages", fail)
    assert load_or_render_pdf(paper, store=FolderFileStore(tmp_path)) == first
    other = Paper(parts=(PaperPart(html='<html lang="en"><title>x</title>twice', css=""),))
    with pytest.raises(AssertionError, match="set twice"):
        load_or_render_pdf(other, store=FolderFileStore(tmp_path))


def test_old_papers_are_thrown_away(tmp_path, monkeypatch):
    monkeypatch.setattr(weasyprint_rendering, "MAX_KEPT_PAPERS", 2)
    monkeypatch.setattr(
        weasyprint_rendering,
        "render_and_count_pages",
        lambda paper, report_progress: (paper.parts[0].html.encode(), [1]),
    )
    for number in range(4):
        load_or_render_pdf(Paper(parts=(PaperPart(html=str(number), css=""),)), store=FolderFileStore(tmp_path))
    assert len(list(tmp_path.glob("*.pdf"))) == 2


def test_a_system_without_pango_says_what_is_missing(monkeypatch, settings, tmp_path):
    settings.VAR_DIR = tmp_path

    def without_pango() -> None:
        raise PrintingImpossible("cannot load library 'libpango-1.0-0'")

    monkeypatch.setattr(weasyprint_rendering, "_weasyprint", without_pango)
    with pytest.raises(ArbiterProblem, match="libpango"):
        render_pdf(Paper(parts=(PaperPart(html="x", css=""),)))
