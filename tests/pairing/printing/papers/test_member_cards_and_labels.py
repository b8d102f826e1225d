"""Membership cards, address labels and the list for a general meeting: where things stand, and who is on them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from clubs.models import Club, Member, PaperSize
from pairing.printing.papers.member_cards_and_labels import (
    LABEL_FORMATS,
    address_labels_paper,
    general_meeting_paper,
    membership_cards_paper,
)
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.printing.pdf.text_fitting import MM_PER_POINT
from tests.pairing.printing.papers.glyphs import drawn_pages, drawn_pdf

pytestmark = pytest.mark.one_database
ENGLISH = PrintOptions(language="en")
CLUB = Club(name="Pod Gońcem", slug="pod-goncem")


def member(number: int, address: str = "ul. Zmyślona 1\n00-950 Nigdzie") -> Member:
    return Member(club=CLUB, family_name="Nikt", given_name=f"Nr{number}", address=address)


@pytest.mark.parametrize(
    ("code", "count", "first", "last"),
    # The makers' dimensions: the upper left corners of the first and the last label, in millimetres.
    [
        ("l7160", 21, (7.2, 15.15), (139.3, 243.75)),
        ("l7163", 14, (4.65, 15.15), (106.25, 243.75)),
        ("5160", 30, (4.8, 12.7), (144.5, 241.3)),
    ],
)
def test_labels_are_where_the_makers_sheet_has_them(code, count, first, last):
    form = LABEL_FORMATS[code]
    assert form.pieces_per_sheet == count
    members = [member(number) for number in range(1, count + 1)]
    (page,) = drawn_pages(drawn_pdf(address_labels_paper(CLUB, members, form, ENGLISH)))
    size = (PaperSize.LETTER if code == "5160" else PaperSize.A4).size_in_mm
    assert (round(page.wide * MM_PER_POINT, 1), round(page.high * MM_PER_POINT, 1)) == size
    for name, (left, top) in (("Nr1 Nikt", first), (f"Nr{count} Nikt", last)):
        (run,) = (run for run, text in page.runs.items() if text.strip() == name)
        glyphs = [glyph.box for glyph in page.glyphs if glyph.run == run]
        x, y = min(box.left for box in glyphs), page.high - max(box.top for box in glyphs)
        # Text begins 4 mm inside the label, and its capitals 1 to 2 mm lower.
        assert abs(x * MM_PER_POINT - left - 4) < 0.7
        assert 4 < y * MM_PER_POINT - top < 6.5


def test_a_sheet_of_labels_is_used_up_and_nobody_without_an_address_has_one():
    members = [member(1), member(2, " \n"), member(3)]
    html = address_labels_paper(CLUB, members, LABEL_FORMATS["l7160"], ENGLISH, used=20).parts[0].html
    first, second = html.split('<section class="sheet">')[1:]
    assert "Nr1 Nikt" in first
    assert 'class="label x2 y6' in first
    assert "Nr3 Nikt" in second
    assert 'class="label x0 y0' in second
    assert "Nr2" not in html
    none = address_labels_paper(CLUB, [member(2, "")], LABEL_FORMATS["l7160"], ENGLISH).parts[0].html
    assert "No member has an address." in none


def test_a_membership_card_names_the_club_the_member_and_the_year():
    wishes = replace(ENGLISH, size=PaperSize.LETTER)
    members = [member(number) for number in range(1, 12)]
    pages = drawn_pages(drawn_pdf(membership_cards_paper(CLUB, members, wishes, year=2027)))
    assert [page.text.count("2027") for page in pages] == [10, 1]
    assert all(text in pages[1].text for text in ("PodGońcem", "Nr11Nikt", "Member"))


def test_a_voting_list_has_room_to_sign():
    html = general_meeting_paper(CLUB, [member(1), member(2)], ENGLISH).parts[0].html
    (page,) = drawn_pages(drawn_pdf(general_meeting_paper(CLUB, [member(1)], ENGLISH)))
    assert html.index("Nikt, Nr1") < html.index("Nikt, Nr2")
    assert "Signature" in page.text
    assert "Nobody listed yet." in general_meeting_paper(CLUB, [], ENGLISH).parts[0].html
    with translation.override("de"):
        german = general_meeting_paper(CLUB, [member(1)], PrintOptions(language="de")).parts[0].html
    assert "Ort" in german
    assert "Platz" not in german, "where it is, not a rank"
