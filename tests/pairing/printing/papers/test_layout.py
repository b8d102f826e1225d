"""The layout of papers: no empty sheet, nothing cut, and no break where there is room."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from urllib.parse import quote

import pytest
import segno
from django.utils import translation

from clubs.finance.dues.reminder_texts import render_default_reminder
from clubs.models import Club, PaperSize
from pairing.printing.papers.arbiter_records import arbiter_record_paper
from pairing.printing.papers.badges_and_diplomas import DiplomaSignature, diplomas_paper
from pairing.printing.papers.blanks_and_posters import blank_pairings_paper
from pairing.printing.papers.clubs import dues_reminders_paper
from pairing.printing.papers.events import crosstable_paper, prizes_paper, standings_paper
from pairing.printing.papers.generic_tables import ListColumn, table_paper
from pairing.printing.papers.member_cards_and_labels import general_meeting_paper
from pairing.printing.papers.rounds import pairings_paper, result_slips_paper, seating_paper
from pairing.printing.papers.start_cards import CARD_FORMATS, start_cards_paper
from pairing.printing.pdf.paper_templates import Letterhead, PaperNames, PrintOptions, add_no_break_spaces
from pairing.printing.pdf.text_fitting import MM_PER_POINT, ColumnCells, RowSpace, fit_rows_to_sheets
from pairing.printing.pdf.weasyprint_rendering import Paper, render_and_count_pages
from tests.pairing.printing.papers.glyphs import drawn_pages
from tests.pairing.printing.papers.hard_data import SIGNED, hard_wishes
from tests.pairing.printing.papers.hard_reports import category
from tests.pairing.printing.papers.hard_sheets import (
    CLUB,
    NAMES,
    USUAL_NAMES,
    cards,
    letters,
    pairings,
    player,
    prizes,
    record,
    table_of,
)

pytestmark = pytest.mark.one_database

SQUARE = Letterhead(logo=segno.make("a logo").png_data_uri(scale=4))
ADDRESS = (
    "https://chess.example/a-club/an-open-of-a-name-that-is-fairly-long-as-such-names-are-2026/rounds/9/current/1/"
)


def drawn(paper: Paper) -> tuple[list[str], list[int]]:
    """The text of every sheet, and the number of sheets of each part."""
    try:
        pdf, pages = render_and_count_pages(paper)
    except OSError as error:
        pytest.skip(f"Pango is missing: {error}")
    return [page.text for page in drawn_pages(pdf)], pages


def of_usual_names(sheet):
    """A round of players whose names fit on a line."""
    named = [
        replace(
            board,
            white=replace(player(place), name=f"Nikt, Jan {place}"),
            black=replace(player(place + 100), name=f"Wymyślna, Ewa {place}"),
        )
        for place, board in enumerate(sheet.boards, start=1)
    ]
    return replace(sheet, boards=tuple(named), byes=())


@translation.override("de")
def test_boards_that_nothing_explains_begin_on_the_first_sheet():
    """If each row were kept with the next, the whole list would move to the second sheet."""
    whole = record(110)
    (of_round,) = whole.rounds
    boards = of_usual_names(of_round.sheet).boards
    told = tuple(replace(each, board=board, reasons=()) for each, board in zip(of_round.boards, boards, strict=True))
    sheet = replace(whole, event="Open", arbiter="", rounds=(replace(of_round, boards=told, byes=()),))
    texts, _pages = drawn(arbiter_record_paper(sheet, PrintOptions(language="de")))
    assert "Jan1(1)" in texts[0]


@translation.override("bg")
def test_a_club_name_is_cut_on_a_card_only_where_the_logo_leaves_no_space():
    """The space for a logo is wider than a logo that fills its height."""
    sheet = cards(1, 9, is_jahr=False, filled=False)
    (card, _spare) = sheet.cards
    named = replace(card, name="Nikt, Jan", title="", rating=1972, club_name="Klub Szachowy „Pod Gońcem”", remark="")
    paper = start_cards_paper(
        replace(sheet, cards=(named,)), CARD_FORMATS["4"], PrintOptions(language="bg", letterhead=SQUARE)
    )
    assert "Gońcem”" in paper.parts[0].html
    assert 'class="logo"' in paper.parts[0].html


@translation.override("de")
def test_the_address_of_a_wall_list_is_a_link_of_its_code_and_not_printed():
    paper = pairings_paper(pairings(4), PrintOptions(language="de"), address=ADDRESS)
    (page,) = drawn_pages(render_and_count_pages(paper)[0])
    assert "chess.example" not in page.text
    assert f'<a href="{ADDRESS}" target="_top">Noch aktuell?' in paper.parts[0].html


def test_a_slip_has_no_address_that_nobody_would_type():
    with translation.override("en"):
        whole, none = (
            result_slips_paper(pairings(2), PrintOptions(language="en"), board_url=address.format).parts[0].html
            for address in ("https://chess.example/open/boards/{}/", ADDRESS + "boards/{}/")
        )
    assert "chess.example/open/boards/1/" in whole
    assert "chess.example" not in none


@pytest.mark.parametrize(
    ("language", "written", "kept"),
    [
        ("pl", "Runda i Ewa w (z kim)", "Runda i~Ewa w~(z~kim)"),
        ("cs", "Jan k Evě, a s ní", "Jan k~Evě, a~s~ní"),
        ("fr", "Qui joue ? « Jean »", "Qui joue~? «~Jean~»"),
        ("de", "a b", "a b"),
        ("en", "Is it a b ?", "Is it a b ?"),
    ],
)
def test_words_of_a_letter_end_no_line_where_they_must_not(language, written, kept):
    with translation.override(language):
        part = table_paper(
            "x",
            [ListColumn(heading="x")],
            [(written,)],
            PaperNames(club='z <i class="z a">'),
            PrintOptions(language=language),
        ).parts[0]
    assert f">{kept.replace('~', chr(160))}<" in part.html
    assert "z &lt;i class" in part.html.replace(chr(160), " ")


def cells(count: int, name: str = "Nikt, Jan") -> list[ColumnCells]:
    return [
        ColumnCells(heads=("No.",), texts=["88"] * count),
        ColumnCells(heads=("Name",), texts=[name] * count, can_wrap=True),
    ]


ROOM = RowSpace(width=180, first_height=220, later_height=255, space_below=10)


@pytest.mark.parametrize("count", [1, 20, 38, 45, 60, 82, 84, 100, 300])
def test_a_list_takes_no_sheet_more_for_larger_type_and_leaves_no_few_rows(count):
    """The usual type is 10 pt; only a few rows that 9 pt brings onto the sheet before are smaller."""

    def sheets(points: float, between: float) -> tuple[int, int]:
        head = max(8.5, 0.75 * points) * 1.3 * MM_PER_POINT + 2.5
        room = replace(ROOM, head=head)
        return room.distribute_rows([points * 1.3 * MM_PER_POINT + between + 0.1] * count, ROOM.space_below)

    setting = fit_rows_to_sheets(cells(count), ROOM)
    taken, on_last = sheets(setting.points, setting.row_gap)
    assert 9 <= setting.points <= 20
    assert taken <= sheets(10, 1.1)[0]
    assert taken == 1 or on_last >= 5


def test_few_rows_grow_but_not_so_far_that_long_names_break():
    """But one of a dozen can."""
    long = "Wymyślona-Nieprawdziwa, Konstancja Wirydianna Bożysława z Kątów Dolnych nad Rzeką"
    assert fit_rows_to_sheets(cells(12), ROOM).points == 20
    assert fit_rows_to_sheets(cells(12, long), ROOM).points < 14
    one = [cells(12)[0], ColumnCells(heads=("Name",), texts=[long, *["Nikt, Jan"] * 11], can_wrap=True)]
    assert fit_rows_to_sheets(one, ROOM).points > 19


# -- The wall at three metres -----------------------------------------------------------------------------------------

CAPITAL = 0.714
"""The height of a capital in Noto Sans, in em (the font's OS/2 table: 714 of 1000 units)."""


def of_24_players(names: tuple[str, ...] = USUAL_NAMES):
    """A round of 24 players with these names."""
    named = [
        replace(
            board,
            white=replace(board.white, name=names[place % len(names)], title=""),
            black=replace(board.black, name=names[(place + 3) % len(names)], title=""),
            result="",
        )
        for place, board in enumerate(pairings(24).boards)
    ]
    return replace(pairings(24), event="Memoriał Zmyślony 2026", boards=tuple(named))


def capitals(paper: Paper) -> tuple[float, int]:
    """The height in millimetres of the smallest capital in the table's names, as drawn, and the number of sheets."""
    pages = drawn_pages(render_and_count_pages(paper)[0])
    heights = [
        (glyph.box.top - glyph.box.bottom) * MM_PER_POINT
        for page in pages
        for glyph in page.glyphs
        if glyph.letter in "NJBV" and any(page.runs[glyph.run].startswith(name) for name in ("Nikt", "Niebył", "Vymy"))
    ]
    return min(heights), len(pages)


@pytest.mark.parametrize("wishes", [PrintOptions(language="en"), hard_wishes("pl"), hard_wishes("de")])
@pytest.mark.parametrize("make", [pairings_paper, seating_paper])
def test_a_wall_list_of_24_players_is_read_from_three_metres(make, wishes):
    """Also in two languages below the fullest letterhead."""
    with translation.override(wishes.language):
        height, sheets = capitals(make(of_24_players(), wishes, address=ADDRESS))
    assert sheets == 1
    assert height >= 4.4


@pytest.mark.parametrize("make", [pairings_paper, seating_paper])
def test_a_wall_list_of_61_hard_names_has_capitals_of_3_4_millimetres(make):
    (part,) = make(pairings(61), hard_wishes("en"), address=ADDRESS).parts
    points = [float(each) for each in re.findall(r"table, \.byes \{ font-size: ([\d.]+)pt", part.css)]
    assert points[-1] * MM_PER_POINT * CAPITAL >= 3.4


def test_given_names_of_opponents_become_initials_before_the_type_shrinks():
    html = seating_paper(of_24_players(), PrintOptions(language="en")).parts[0].html
    assert '<td class="player">Niebyłowicz, B.</td>' in html
    assert re.search(r'<th scope="row" class="player">Niebyłowicz, Bronisława</th>', html)
    few = seating_paper(of_usual_names(pairings(4)), PrintOptions(language="en")).parts[0].html
    assert '<td class="player">Nikt, Jan 1</td>' in few


def test_a_chosen_font_size_is_used_however_many_sheets_it_needs():
    sheet = of_24_players()
    for points in (10, 20):
        wishes = PrintOptions(language="en", points=points)
        for paper in (
            pairings_paper(sheet, wishes),
            seating_paper(sheet, wishes),
            seating_paper(sheet, wishes, without_opponents=True),
        ):
            assert f"font-size: {points}pt" in paper.parts[0].css


def test_seats_without_opponents_are_in_larger_type():
    sheet, wishes = of_24_players(), PrintOptions(language="en")
    usual, larger = (capitals(seating_paper(sheet, wishes, without_opponents=each))[0] for each in (False, True))
    assert larger > usual * 1.1


def test_a_wall_list_can_be_on_a3():
    (a3,) = drawn_pages(
        render_and_count_pages(pairings_paper(of_24_players(), PrintOptions(language="en", size=PaperSize.A3)))[0]
    )
    assert (round(a3.wide * MM_PER_POINT), round(a3.high * MM_PER_POINT)) == (297, 420)


@pytest.mark.parametrize("second", ["", "de"])
def test_seats_in_two_columns_begin_on_the_first_sheet_where_many_names_wrap_in_one_of_them(second):
    """Columns of equally many rows were higher than the sheet, and the list began on the second."""
    names = [*["Wymyślona-Nieprawdziwa, Konstancja"] * 6, *["Nikt, Jan"] * 7]
    sheet = of_24_players()
    boards = [
        replace(
            board, white=replace(board.white, name=f"A{names[place]}"), black=replace(board.black, name=f"N{place}")
        )
        for place, board in enumerate(sheet.boards)
    ]
    wishes = PrintOptions(language="en", second_language=second)
    paper = seating_paper(replace(sheet, boards=tuple(boards)), wishes, address=ADDRESS, without_opponents=True)
    (page,) = drawn(paper)[0]
    assert "ANikt" in page


def test_long_names_wrap_no_more_than_they_must():
    """Type larger than needed at three metres broke half of the names."""
    names = ("Wymyślny, Eustachiusz", "Niebywała, Konstancja", "Nikt, Jan", "Niebyłowicz-Zmyślony, Eustachy Bożydar")
    (part,) = pairings_paper(of_24_players(names), PrintOptions(language="en"), address=ADDRESS).parts
    assert "Wymyślny, E." in part.html
    assert "Nikt, Jan" in part.html
    assert "h1 { font-size: 28pt }" in part.css


def test_initials_are_not_used_where_two_players_would_be_alike():
    names = ("Niebyłowicz-Zmyślony, Eustachy", "Niebyłowicz-Zmyślony, Eugenia", "Niebyłowicz-Wymyślny, Bolesław")
    sheet, wishes = of_24_players(names), PrintOptions(language="en")
    for paper in (pairings_paper(sheet, wishes), seating_paper(sheet, wishes, without_opponents=True)):
        assert "Zmyślony, Eugenia" in paper.parts[0].html
        assert "Zmyślony, E." not in paper.parts[0].html
        assert "Wymyślny, B." in paper.parts[0].html


def test_seats_in_two_columns_end_with_columns_of_one_length():
    """The text below them would need a sheet of its own."""
    pages = drawn(seating_paper(of_usual_names(pairings(134)), PrintOptions(language="en")))[0]
    assert all("Nikt,Jan" in page or "Wymyślna,E" in page for page in pages)


@pytest.mark.parametrize("arbiter", ["Nikt, Jan", NAMES[7]])
@translation.override("de")
def test_a_diploma_keeps_its_signature_on_its_sheet(arbiter):
    """Below a two-line category and name and a full letterhead, and before an arbiter's name of three lines."""
    whole = category(9, 13)
    signed = DiplomaSignature(arbiter=arbiter, city="Wymyślin", date=date(2026, 11, 22))
    paper = diplomas_paper(whole.table, hard_wishes("de"), signed=signed, places=9, category=str(whole.label))
    texts, pages = drawn(paper)
    assert pages == [9], "a sheet for each diploma"
    assert ["Hauptschiedsrichter" in text for text in texts] == [True] * 9


@pytest.mark.parametrize("size", PaperSize)
def test_a_reminder_of_six_charges_is_one_sheet(size):
    words = render_default_reminder(3, {"name": "Ewa", "amount": "£60.00", "reference": "RW-8", "account": "GB00 0000"})
    (letter, _second) = letters()
    short = replace(
        letter,
        subject=words.subject,
        text=words.text,
        items=(("Dues 2026/27, an instalment of the family fee", date(2026, 9, 30), "£10.00"),) * 6,
        qr_code_data_uri=segno.make("a" * 120).png_data_uri(scale=4),
    )
    wishes = replace(hard_wishes("en"), size=size)
    texts, _pages = drawn(dues_reminders_paper(Club(name=CLUB, language="en"), [short], wishes))
    assert len(texts) == 1
    # The letterhead has the club's name already.
    assert texts[0].count(CLUB.replace(" ", "")) == 1 + 1  # and the payee


def test_the_signature_column_stays_on_the_sheet_beside_a_long_prize_in_kind():
    paper = prizes_paper(prizes(3), hard_wishes("en"), with_signatures=True)
    (page,) = drawn_pages(render_and_count_pages(paper)[0])
    assert "Signature" in page.text
    margin = 14 / MM_PER_POINT
    assert max(glyph.box.right for glyph in page.glyphs) < page.wide - margin
    assert max(line.right for line in page.lines) < page.wide - margin


def test_no_sheet_of_prizes_has_one_player_alone():
    (first, last) = drawn_pages(
        render_and_count_pages(prizes_paper(prizes(8), hard_wishes("en"), with_signatures=True))[0]
    )
    assert [page.text.count("seniorka") for page in (first, last)] == [4, 4]


@pytest.mark.parametrize("size", [PaperSize.A4, PaperSize.LETTER])
@pytest.mark.parametrize("wishes", [PrintOptions(language="en"), hard_wishes("pl"), hard_wishes("de")])
@pytest.mark.parametrize(("boards", "sheets"), [(8, 1), (34, 2)])
def test_blank_pairing_lists_fill_their_sheets(boards, sheets, wishes, size):
    """No more than a row or two is left free at the foot of a sheet, also below the fullest letterhead."""
    with translation.override(wishes.language):
        paper = blank_pairings_paper(PaperNames(club=CLUB, event="Open"), boards, replace(wishes, size=size))
    pages = drawn_pages(render_and_count_pages(paper)[0])
    assert len(pages) == sheets
    foot = 25 if wishes.letterhead.footer else 16
    assert all(min(line.bottom for line in page.lines) * MM_PER_POINT < foot + 20 for page in pages)
    assert paper.parts[0].html.count('scope="row"') >= boards


def test_the_lines_of_a_form_are_level_where_a_label_takes_two_lines():
    with translation.override("pl"):
        paper = general_meeting_paper(Club(name="Pod Gońcem"), [], PrintOptions(language="pl"))
    (page,) = drawn_pages(render_and_count_pages(paper)[0])
    assert "zpełnomocnictwami" in page.text
    tops = sorted((round(line.bottom, 1) for line in page.lines if 30 < line.right - line.left < 140), reverse=True)
    assert len(set(tops[:4])) == 1


@pytest.mark.parametrize("language", ["bg", "cs", "de", "en", "es", "fr", "it", "pl", "uk"])
def test_a_time_is_kept_with_the_word_before_it(language):
    """A line ended between "provisional until" and the time. It ends at the comma before."""
    with translation.override(language):
        html = pairings_paper(pairings(4), PrintOptions(language=language)).parts[0].html
    (state,) = re.findall(r'class="state">([^<]*)<', html)
    assert state.count("18:30") == 2
    assert state.count("\N{NO-BREAK SPACE}18:30") == 2
    assert " " not in state.rstrip().rpartition(", ")[2]


def test_a_street_is_kept_with_its_abbreviation_and_a_dot_begins_no_line():
    kept = add_no_break_spaces("ul. Zmyślona 1 · бул. Измислен 2", set())
    assert kept == "ul.~Zmyślona 1~· бул.~Измислен 2".replace("~", "\N{NO-BREAK SPACE}")


def test_no_running_text_has_a_space_before_an_element():
    """WeasyPrint ended a line after the first word of a text that fitted but for that space: "T:" stood alone."""
    table = table_of(12, 9)
    wishes = PrintOptions(language="en")
    for paper in (
        standings_paper(table, wishes),
        crosstable_paper(table, wishes),
        arbiter_record_paper(record(9), wishes),
    ):
        (part,) = paper.parts
        assert re.search(r"<b> \w|<cite>&#32;", part.html)
        assert not re.search(r"\. <(?:b|cite)>", part.html)


def test_an_apostrophe_is_curly_on_paper():
    assert add_no_break_spaces("<i title=\"it's\">players' totals, O&#x27;Nobody</i> '26, art. 9", set()) == (
        "<i title=\"it's\">players’ totals, O’Nobody</i> '26, art.\N{NO-BREAK SPACE}9"
    )


def test_a_telephone_number_is_kept_on_one_line():
    assert add_no_break_spaces("tel. +48 888 123 456, 1 2 3", set()) == (
        "tel.\N{NO-BREAK SPACE}+48\N{NO-BREAK SPACE}888\N{NO-BREAK SPACE}123\N{NO-BREAK SPACE}456, 1 2 3"
    )


@pytest.mark.parametrize(
    ("language", "place", "category", "told"),
    [
        ("en", 1, "Women", "First place, Women"),
        ("en", 3, "< 1800", "Third place, rated under 1800"),
        ("de", 2, "", "Zweiter Platz"),
        ("pl", 4, "U18", "Miejsce 4, U18"),
    ],
)
def test_a_diploma_says_the_place_in_words(language, place, category, told):
    with translation.override(language):
        html = (
            diplomas_paper(table_of(9, 9), PrintOptions(language=language), signed=SIGNED, places=9, category=category)
            .parts[0]
            .html
        )
    assert f">{told}</span>" in html.split("<section")[place]


@pytest.mark.parametrize("size", [PaperSize.A4, PaperSize.LETTER])
def test_a_diploma_has_a_frame_and_its_text_inside(size):
    signed = DiplomaSignature(arbiter=NAMES[7], city="Wymyślin", date=date(2026, 11, 22))
    with translation.override("bg"):
        paper = diplomas_paper(table_of(3, 9), replace(hard_wishes("bg"), size=size), signed=signed)
    pages = drawn_pages(render_and_count_pages(paper)[0])
    assert len(pages) == 3
    assert quote('stroke="#7a1f3d"') in paper.parts[0].css, "in the club's colour"
    inside = 14.4 / MM_PER_POINT
    for page in pages:
        assert all(
            inside < glyph.box.left < glyph.box.right < page.wide - inside
            and inside < glyph.box.bottom < glyph.box.top < page.high - inside
            for glyph in page.glyphs
        )


@pytest.mark.parametrize("points", [0, 20])
@translation.override("de")
def test_a_wall_list_in_any_type_stays_on_its_sheet(points):
    """Beside a very long name, whose words are broken, a name of ordinary words is not printed over the points."""
    wishes = replace(hard_wishes("de"), size=PaperSize.LETTER, points=points)
    for paper in (
        pairings_paper(pairings(3), wishes, address=ADDRESS),
        seating_paper(pairings(3), wishes, address=ADDRESS),
        standings_paper(table_of(2, 9), wishes),
    ):
        for page in drawn_pages(render_and_count_pages(paper)[0]):
            assert page.faults(keeps=4.5) == []
