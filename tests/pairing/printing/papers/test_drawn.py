"""Every paper with the hardest data is drawn correctly: nothing is cut, overprinted or off its sheet.

`python -m tests.pairing.printing.papers.look --all` does it in five languages, for 1, 9 and 300 players.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
import segno

from lab.measure_fonts import FONT_PATTERNS, WIDTHS_FILE, measure_font
from pairing.printing import papers
from pairing.printing.papers.generic_tables import ListColumn, table_paper
from pairing.printing.pdf.paper_templates import PaperNames, PrintOptions
from pairing.printing.pdf.text_fitting import (
    SIZE_PERCENTAGES,
    Typeface,
    fit_text,
    pad_numbers_to_align_digits,
    text_width,
    wrap_text,
)
from pairing.printing.pdf.weasyprint_rendering import Paper, PaperPart
from pairing.view_models.sheets.players_and_results import name_with_title
from tests.pairing.printing.papers import hard_data
from tests.pairing.printing.papers.drawing import faults_of
from tests.pairing.printing.papers.glyphs import drawn_pages, drawn_pdf
from tests.pairing.printing.papers.hard_data import Hard, hard_papers
from tests.pairing.printing.papers.hard_sheets import NAMES
from tests.pairing.printing.papers.structure import faults_of_tags
from tests.test_conventions import ROOT

PRINT = ROOT / "static" / "css" / "print"
GENERAL = {"cut_paper", "table_paper", "multi_section_paper", "render_paper", "_slips_paper", "_pieces_paper"}
"""Functions that make printouts of different kinds."""
A_PICTURE = segno.make("a code").png_data_uri(scale=4)


@pytest.fixture(autouse=True, scope="module")
def _pango() -> None:
    try:
        import weasyprint  # noqa: F401
    except OSError as error:
        pytest.skip(f"Pango is missing: {error}")


def page(body: str, css: str) -> Paper:
    html = f'<!DOCTYPE html><html lang="en"><title>x</title><body>{body}</body></html>'
    return Paper(parts=(PaperPart(html=html, css=f"@page {{ size: 100mm 60mm; margin: 10mm }} {css}"),))


@pytest.mark.parametrize(
    ("body", "css", "told"),
    [
        ("<p>Źdźbło</p>", "p { height: 2mm; overflow: hidden }", "clipped"),
        ("<p>Nikt</p><p>Jan</p>", "p { margin: 0 } p + p { margin-top: -3mm }", "overprinted"),
        ("<p>Nikt</p>", "p { margin-left: 78mm }", "off its sheet"),
        (
            "<p>" + "Nikt" * 20 + "</p>",
            "p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }",
            "not drawn",
        ),
        ("<p>Nikt</p>", "p { display: none }", "not drawn"),
        (f'<p>Nikt</p><img src="{A_PICTURE}">', "img { margin-top: -6mm }", "over a picture"),
    ],
)
def test_what_is_wrong_is_found(body, css, told):
    paper = page(body, css)
    assert told in " ".join(faults_of(paper, drawn_pdf(paper), Hard(make=lambda: paper)))


def test_a_name_that_is_not_there_is_missed():
    paper = page("<p>Nikt, J.</p>", "")
    assert faults_of(paper, drawn_pdf(paper), Hard(make=lambda: paper, names=("Nikt, Jan",))) == [
        "name not in full: 'Nikt, Jan'"
    ]


def test_what_is_right_is_not_blamed():
    paper = page(f"<p>{'<br>'.join(NAMES)}</p>", "p { font: 8pt/1.4 'Noto Sans'; margin: 0 } @page { margin: 5mm }")
    assert faults_of(paper, drawn_pdf(paper), Hard(make=lambda: paper, names=NAMES)) == []


def test_names_in_one_cell_keep_their_accents_off_the_line_above():
    """In a club's best players, one-line names are below the descenders of another."""
    (soft,) = re.findall(r"^\.soft \{[^}]*\}", (PRINT / "lists.css").read_text(encoding="utf-8"), re.MULTILINE)
    paper = page(f'<p class="soft">{"yg" * 18}<br>{NAMES[8]}</p>', f"body {{ font: 10pt/1.3 'Noto Sans' }} {soft}")
    assert faults_of(paper, drawn_pdf(paper), Hard(make=lambda: paper)) == []


def test_a_long_name_has_no_word_of_another_row_broken():
    """Nor is its title on a line of its own, from which an ordinary name begins."""
    long, usual = name_with_title("WGM", NAMES[1]), name_with_title("", "Nikt, Jan")
    columns = (ListColumn(heading="Name", is_row_header=True), ListColumn(heading="Club"))
    (part,) = table_paper(
        "X", columns, [(long, "Wieża"), (usual, "Wieża")], PaperNames(club=""), PrintOptions(language="en")
    ).parts
    assert re.findall(r'data-long="">([^<]*)<', part.html) == [f"WGM\xa0{NAMES[1]}"]


def test_a_month_is_not_parted_from_its_year():
    (part,) = hard_papers("bg")["ratings"].make().parts
    assert re.search(r'class="unbroken"[^>]*>септември 2026', part.html)


def test_a_round_of_very_many_games_leaves_no_sheet_empty():
    (first, *_others) = drawn_pages(drawn_pdf(hard_papers("pl", players=45)["schedule"].make()))
    assert "Li,Bo" in first.text


def test_every_paper_of_the_hardest_data_is_drawn_as_it_was_given():
    found = []
    for place, (name, hard) in enumerate(hard_papers("pl").items()):
        paper = hard.make() if place % 2 else hard_papers("bg")[name].make()
        pdf = drawn_pdf(paper)
        found += [f"{name}: {fault}" for fault in (*faults_of(paper, pdf, hard), *faults_of_tags(pdf))]
    assert found == []


def test_no_paper_is_left_out_of_the_hardest_data():
    """Every paper is in the packages of this folder; combined papers have no names of their own."""
    source = Path(hard_data.__file__).read_text(encoding="utf-8")
    modules = (import_module(f"{papers.__name__}.{each.name}") for each in iter_modules(papers.__path__))
    made = {name for module in modules for name in vars(module) if name.endswith("_paper") and name not in GENERAL}
    assert [name for name in sorted(made) if not re.search(rf"\b{name}\b", source)] == []


def test_no_text_on_paper_is_cut_by_its_box():
    """Nobody sees what a box clips; an ellipsis of the style sheet is read out as the full text."""
    found = [
        path.name
        for path in PRINT.glob("*.css")
        if path.name != "screen_preview.css"
        and re.search(r"overflow:|text-overflow|clip-path|contain:", path.read_text())
    ]
    assert found == []


def test_no_type_is_smaller_than_six_points():
    sizes = {
        (path.name, float(size))
        for path in PRINT.glob("*.css")
        if path.name != "printer_test.css"
        for size in re.findall(r"font-size: ([\d.]+)pt", path.read_text())
    }
    assert [each for each in sizes if each[1] < 6] == []


# -- Measured widths ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", FONT_PATTERNS)
def test_widths_are_those_of_the_fonts(face):
    pytest.importorskip("fontTools")
    try:
        of_font = measure_font(FONT_PATTERNS[face])
    except FileNotFoundError:
        pytest.skip("fontconfig's fc-match is missing")
    assert json.loads(WIDTHS_FILE.read_text(encoding="utf-8"))[face] == of_font


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("room", [10.0, 15.0, 25.0])
def test_a_text_fits_its_place_in_the_size_found(name, room):
    fitted = fit_text(name, room, typeface=Typeface.CARDS_BOLD, max_two_line_size=70)
    assert fitted.size in SIZE_PERCENTAGES
    assert 1 <= len(fitted.lines) <= 2
    assert len(fitted.lines) == 1 or fitted.size <= 70
    for line in fitted.lines:
        assert text_width(line, Typeface.CARDS_BOLD) * fitted.size / 100 <= room + 1e-9


def test_a_short_name_is_set_in_full_size():
    assert fit_text("Li, Bo", 10, typeface=Typeface.CARDS, max_two_line_size=60).css_class == "fit-100 lines-1"


def test_names_are_broken_at_gaps_and_hyphens_first():
    assert wrap_text("Niebyła-Zmyślona, Anna", 9, Typeface.CARDS) == ("Niebyła-Zmyślona,", "Anna")
    assert wrap_text("Niebyła-Zmyślona, Anna", 6, Typeface.CARDS)[0] == "Niebyła-"
    assert "".join(wrap_text("Щърбоподполковник", 3, Typeface.CARDS, can_break_words=True)) == "Щърбоподполковник"


def test_figures_of_a_column_end_under_one_another():
    texts = pad_numbers_to_align_digits(["12½", "7", "½", "0"])
    assert [text.strip() for text in texts] == ["12½", "7", "½", "0"]
    behind = [text_width(re.sub(r"^\d*", "", text), Typeface.TEXT) for text in texts]
    assert max(behind) - min(behind) < 0.11
    assert pad_numbers_to_align_digits(["5.25", "12"])[1] != "12"
    assert pad_numbers_to_align_digits(["5.25", "–"]) == ["5.25", "–"]
    assert pad_numbers_to_align_digits(["", "1"]) == ["", "1"]
    assert pad_numbers_to_align_digits([]) == []


def test_a_combining_mark_takes_no_space():
    assert text_width("Z\u030c") == text_width("Z")


def test_the_reader_of_glyphs_knows_who_stands_where():
    (only,) = drawn_pages(drawn_pdf(page("<p>a</p>", "p { margin: 0; font: 10pt 'Noto Sans' }")))
    (glyph,) = only.glyphs
    assert glyph.letter == "a"
    assert 34 < glyph.box.left < 36
