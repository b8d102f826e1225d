"""Checks that a PDF shows its page: every word, every name in full, every glyph whole."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser

from pairing.printing.pdf.sheet_cutting import CutGrid
from pairing.printing.pdf.weasyprint_rendering import Paper
from tests.pairing.printing.papers.glyphs import MM, Box, DrawnPage, drawn_pages
from tests.pairing.printing.papers.hard_data import Hard

KEEPS = 4.5
"""Millimetres that stay white at every edge: printers do not reach further."""
KEEPS_OF_A_CUT = 3.0


def faults_of(paper: Paper, pdf: bytes, hard: Hard) -> list[str]:
    """Faults of a paper as it is drawn."""
    pages = drawn_pages(pdf)
    drawn = _plain("".join(page.text for page in pages))
    found = [f"not drawn: {text!r}" for text in _texts(paper) if not _stands(text, drawn)]
    found += [f"name not in full: {name!r}" for name in hard.names if _plain(name) not in drawn]
    if hard.pages not in (None, len(pages)):
        found.append(f"takes {len(pages)} pages in place of {hard.pages}")
    for number, page in enumerate(pages, start=1):
        cuts = () if hard.cut is None else tuple(_pieces(page, hard.cut))
        keeps = 0.0 if hard.to_the_edge else KEEPS
        found += [f"page {number}: {fault}" for fault in page.faults(keeps=keeps, cuts=cuts)]
        if not page.glyphs:
            found.append(f"page {number} is empty")
        found += [f"page {number}: {fault}" for fault in _lines_beyond(page, hard)]
    return found


def _stands(text: str, drawn: str) -> bool:
    """A text is drawn in one run, or in words on two pages."""
    return _plain(text) in drawn or all(_plain(word) in drawn for word in text.split())


def _plain(text: str) -> str:
    """Without white space, with composed characters.

    Marks that stand over a letter without being one with it are left out: WeasyPrint draws them without a name.
    """
    composed = unicodedata.normalize("NFC", text)
    letters = (sign for sign in composed if unicodedata.category(sign) not in ("Mn", "Cc", "Cf") and not sign.isspace())
    return "".join(letters).casefold()


def _pieces(page: DrawnPage, cut: CutGrid) -> Iterator[Box]:
    """The pieces of a page, without the white margins at a cut."""
    wide, high = page.wide / cut.across, page.high / cut.down
    white = KEEPS_OF_A_CUT * MM
    for across in range(cut.across):
        for down in range(cut.down):
            left, bottom = across * wide, down * high
            yield Box(left + white, bottom + white, left + wide - white, bottom + high - white)


def _lines_beyond(page: DrawnPage, hard: Hard) -> list[str]:
    """Frames and pictures outside the margins, except cut marks and background pictures."""
    if hard.cut is not None or hard.to_the_edge:
        return []
    white = KEEPS * MM
    sheet = Box(white, white, page.wide - white, page.high - white)
    return [f"a line at {[round(length / MM) for length in line]} mm" for line in page.lines if not line.within(sheet)]


class _TextReader(HTMLParser):
    """The texts of a page between its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.in_body = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.in_body = self.in_body or tag == "body"

    def handle_data(self, data: str) -> None:
        if self.in_body and data.strip():
            self.texts.append(data.strip())


def _texts(paper: Paper) -> list[str]:
    texts: dict[str, None] = {}
    for part in paper.parts:
        reader = _TextReader()
        reader.feed(part.html)
        texts |= dict.fromkeys(reader.texts)
    return list(texts)
