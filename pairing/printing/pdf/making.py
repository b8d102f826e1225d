"""From a template and its context to a part of a paper, and from a paper to PDF."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path
from struct import calcsize, unpack
from typing import Any

import segno
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Club, ClubPaper, PaperSize, languages
from common.file_store.shelves import Shelf, shelf
from common.text.colours import light_tones
from pairing.printing.pdf.constants import needed, settled
from pairing.printing.pdf.fitting import MM_OF_POINT, Fitted, ems, fit
from pairing.printing.pdf.pdfs import Paper, Part, PrintingImpossible, Tell, kept_pages, print_paper, tell_nobody
from pairing.printing.pdf.widths import Face, width
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Letterhead:
    """What a club has on its papers: a line at the top and one at the bottom, the address of its logo's picture.

    `colour` is the club's, as dark as it must be to be read on white, so that a printer without colours prints it dark.
    """

    header: str = ""
    footer: str = ""
    logo: str = ""
    colour: str = ""

    def logo_wide(self, wide: float, high: float) -> float:
        """How wide the logo is in a place of so many millimetres, which it fills one way; 0 without a logo."""
        if not self.logo:
            return 0.0
        # The size of a PNG stands at its 16th byte.
        size = b64decode(self.logo.partition(",")[2][:32])[16:]
        across, down = unpack(">II", size) if len(size) == calcsize(">II") else (0, 0)
        return min(wide, high * float(across) / float(down)) if across and down else wide


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """How whoever prints wants it: the language by its code, the paper, and what the club has on it."""

    language: str
    second: str = ""
    """The second language of headings, for guests; empty for none."""
    size: PaperSize = PaperSize.A4
    letterhead: Letterhead = Letterhead()

    def in_second(self, words: Callable[[], str]) -> str:
        """Words made in the second language; empty without one."""
        if not self.second:
            return ""
        with translation.override(self.second):
            return words()

    @property
    def upright(self) -> str:
        return page_of(*self.size.millimetres)

    @property
    def sideways(self) -> str:
        wide, high = self.size.millimetres
        return page_of(high, wide)


def page_of(wide: float, high: float) -> str:
    """The rules for paper of so many millimetres: for the printer, and for the preview on a screen."""
    return f"@page {{ size: {wide}mm {high}mm }} :root {{ --paper-wide: {wide}mm; --paper-high: {high}mm }}"


def wishes_of(club: Club, *, language: str = "", second: str = "", size: str = "") -> Wishes:
    """As the club has its papers printed; what is given is for this time, where it is a known language or size."""
    usual = ClubPaper.of(club)
    known = dict(languages())
    first = language if language in known else usual.language or club.language
    return Wishes(
        language=first,
        second=second if second in known and second != first else "",
        size=PaperSize(size if size in PaperSize.values else usual.size),
        letterhead=Letterhead(
            header=usual.header,
            footer=usual.footer,
            logo=_address_of(bytes(usual.logo)),
            colour=light_tones(club.colour).accent if club.colour else "",
        ),
    )


def printed(paper: Paper, tell: Tell = tell_nobody) -> bytes:
    """The paper as PDF. Raises ArbiterProblem where the system lacks what printing needs."""
    try:
        return print_paper(paper, kept_in=paper_shelf(), tell=tell)
    except PrintingImpossible as error:
        raise ArbiterProblem(
            _(
                "This computer cannot print to PDF: the library Pango is missing. "
                "Whoever runs it can install the package libpango-1.0-0 (%(detail)s)."
            )
            % {"detail": error}
        ) from error


def pages_of(paper: Paper) -> list[tuple[str, int]] | None:
    """How many pages each of its papers has, by their names, as soon as it has been set; None before."""
    pages = kept_pages(paper, kept_in=paper_shelf())
    if pages is None:
        return None
    found: list[tuple[str, int]] = []
    for part, count in zip(paper.parts, pages, strict=True):
        if found and found[-1][0] == part.name:
            found[-1] = (part.name, found[-1][1] + count)
        else:
            found.append((part.name, count))
    return found


def paper_shelf() -> Shelf:
    """Where papers are kept."""
    return shelf("paper")


def part_of(template: str, context: Mapping[str, Any], wishes: Wishes, *css: str) -> Part:
    """A page from a template, in the language now active, with the club's letterhead.

    `css` are names of files of `css/print`, or rules themselves.
    """
    body_class = f"{context['body_class']} sideways" if wishes.sideways in css else context["body_class"]
    page = {
        **context,
        "body_class": body_class,
        "language": translation.get_language(),
        "second": wishes.second,
        "letterhead": wishes.letterhead,
        "today": date_format(timezone.localdate(), "SHORT_DATE_FORMAT"),
    }
    html = kept_together(render_to_string(template, page), {page["language"], wishes.second})
    rules = [_file("paper"), *(_file(each) if each.isalpha() else each for each in css)]
    if "lists" in css:
        rules.append(_foot_shared(html, "\n".join(rules)))
        rules.append(f":root {{ --logo: {wishes.letterhead.logo_wide(*LOGO_ON_LISTS):.1f}mm }}")
    if wishes.letterhead.footer and "lists" in css:
        rules.append(f"@page {{ margin-bottom: {margin_below(wishes.letterhead):.1f}mm }}")
        rules.append(f".running .footer {{ font-size: {_foot_of(wishes.letterhead).size * 0.08:.1f}pt }}")
    if wishes.letterhead.colour:
        rules.append(f":root {{ --club: {wishes.letterhead.colour} }}")
    if _has_long_word(html):
        html = _CELL.sub(_marked, html)
        rules.append(_BROKEN)
    if wishes.letterhead.logo:
        # Once in the style, not once for each badge.
        rules.append(f'.logo {{ background-image: url("{wishes.letterhead.logo}") }}')
    style = needed(settled("\n".join(rules), body_class), html)
    return Part(html=html, css=style, name=str(context.get("heading") or context["title"]))


LOGO_ON_LISTS = (42.0, 15.0)
"""The place for the club's logo at the head of a list, in millimetres; it takes no more of it than it fills."""


def margin_below(letterhead: Letterhead) -> float:
    """The lower margin of a list in millimetres: two lines of what it is, below them the club's."""
    return 16 + 3.7 * len(_foot_of(letterhead).lines) if letterhead.footer else 16


def _foot_shared(html: str, css: str) -> str:
    """The foot of a page shared out: to what stands at the right no more than it needs, the rest to the left."""
    state, wide = _STATE.search(html), _WIDE.findall(css)
    if state is None or not wide:
        return ""
    needed = width(unescape(state[1]).strip(), Face.TEXT) * _OF_FOOT * MM_OF_POINT + _BETWEEN
    right = min(40.0, 100 * needed / (float(wide[-1]) - 2 * _BESIDE))
    return f"@page {{ @bottom-left {{ width: {100 - right:.1f}% }} @bottom-right {{ width: {right:.1f}% }} }}"


_STATE = re.compile(r'<p class="state">([^<]*)</p>')
_WIDE = re.compile(r"@page \{ size: ([\d.]+)mm")
_OF_FOOT, _BETWEEN, _BESIDE = 8.0, 2.0, 15.0
"""The type of the foot in points; what is left between its two texts and beside the page, in millimetres."""


def _foot_of(letterhead: Letterhead) -> Fitted:
    """The club's line at the foot of a list, smaller where that keeps it in one."""
    return fit(letterhead.footer, ems(_FOOTER, 8), face=Face.TEXT, least=75, broken=75)


_FOOTER = 100.0
"""How wide the place at the foot of a list is, in millimetres."""


def kept_together(text: str, languages: set[str]) -> str:
    """A text or a page where no line ends between initials, nor where a language keeps a word with the next sign."""
    text = _INITIALS.sub("\\1\N{NO-BREAK SPACE}", text)
    if letters := "".join(_HELD.get(each, "") for each in sorted(languages)):
        text = _single(letters).sub("\\1\N{NO-BREAK SPACE}", text)
    return _FRENCH.sub("\N{NO-BREAK SPACE}", text) if "fr" in languages else text


@lru_cache
def _single(letters: str) -> re.Pattern[str]:
    """The space behind a word of one of these letters in a text, not within a tag."""
    return re.compile(rf"(?<![^\s(>„“«\N{{NO-BREAK SPACE}}])([{letters}{letters.upper()}]) (?=[^\s<>])(?![^<>]*>)")


_HELD = {"pl": "aiouwz", "cs": "aikosuvz", "uk": "авзійоуя", "bg": "авиосу"}
"""Words of a letter that typesetters of a language let end no line."""
_FRENCH = re.compile(r"(?: (?=[;:?!»])|(?<=«) )(?![^<>]*>)")
"""Signs before which, and the quotation mark behind which, French has a space."""
_INITIALS = re.compile(r"\b(\w\.) (?=\w\.)")
"""Between initials, and in "e. V.", no line ends."""

_TAG = re.compile(r"<[^>]*>")
_LONG_WORD = re.compile(r"\w{16}|\xa0\w{12}")
"""An address for e-mail has places of its own where it may be broken."""
_CELL = re.compile(r"<(t[dh]\b[^>]*)>(.*?)(?=</t[dh]>)", re.DOTALL)
_BROKEN = "tbody [data-long], h1, li, header p { overflow-wrap: anywhere }"
"""A name without a gap is broken sooner than that it leaves its column. WeasyPrint looks at every letter of what may be
broken anywhere, and sets the rest of the text anew for each: cells without a long word are spared that."""


def _has_long_word(html: str) -> bool:
    return _LONG_WORD.search(_TAG.sub(" ", html)) is not None


def _marked(cell: re.Match[str]) -> str:
    return f'<{cell[1]} data-long="">{cell[2]}' if _has_long_word(cell[2]) else cell[0]


def code_of(address: str) -> str:
    """A QR code of an address, as the address of a picture; empty for none."""
    if not address:
        return ""
    # One mask for all: trying all eight takes three times as long, and phones read each of them.
    return segno.make(address, micro=False, error="m", boost_error=False, mask=3).png_data_uri(scale=4, border=0)


def _address_of(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}" if png else ""


@lru_cache
def _file(name: str) -> str:
    path = finders.find(f"css/print/{name}.css")
    return Path(str(path)).read_text(encoding="utf-8")
