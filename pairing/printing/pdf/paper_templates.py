"""Renders templates as parts of printouts, and printouts as PDF."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from html import unescape
from pathlib import Path
from struct import calcsize, unpack
from typing import Protocol

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext as _

from clubs.models import Club, ClubLetterhead, PaperSize, language_choices
from common.file_store.protocol import FileStore
from common.file_store.stores import file_store
from common.text.colours import tones_for_light_background
from pairing.printing.pdf.text_fitting import (
    LONG_WORD,
    MM_PER_POINT,
    FittedText,
    Typeface,
    fit_text,
    mm_to_ems,
    text_width,
)
from pairing.printing.pdf.weasyprint_rendering import (
    Paper,
    PaperPart,
    PrintingImpossible,
    ProgressCallback,
    cached_page_counts,
    ignore_progress,
    load_or_render_pdf,
)
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Letterhead:
    """A club's letterhead: a line at the top, a line at the bottom, and the logo as a data URI.

    `colour` is the club's, dark enough to read on white and to print without colours.
    """

    header: str = ""
    footer: str = ""
    logo: str = ""
    colour: str = ""

    def names_club(self, club: str) -> bool:
        """Return True if the top line has the club's name, which then isn't printed again."""
        return bool(club) and club.casefold() in self.header.casefold()

    def logo_width(self, wide: float, high: float) -> float:
        """Return the logo's width in a box of this size, in millimetres, or 0 without a logo."""
        if not self.logo:
            return 0.0
        # A PNG has its size at byte 16.
        size = b64decode(self.logo.partition(",")[2][:32])[16:]
        across, down = unpack(">II", size) if len(size) == calcsize(">II") else (0, 0)
        return min(wide, high * float(across) / float(down)) if across and down else wide


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintOptions:
    """Printing options: language code, second language, paper size and the club's letterhead."""

    language: str
    second_language: str = ""
    """The second language of headings, for guests; empty for none."""
    size: PaperSize = PaperSize.A4
    points: float = 0
    """The font size of wall lists; 0 for the largest that fits."""
    letterhead: Letterhead = Letterhead()

    def in_second_language(self, words: Callable[[], str]) -> str:
        """Return words in the second language, or an empty string if there is none."""
        if not self.second_language:
            return ""
        with translation.override(self.second_language):
            return words()


def page_size_css(wide: float, high: float) -> str:
    """Return the CSS of a paper size in millimetres, for the printer and for the preview."""
    return f"@page {{ size: {wide}mm {high}mm }} :root {{ --paper-wide: {wide}mm; --paper-high: {high}mm }}"


FONT_SIZES = ("10", "12", "14", "17", "20")
"""The font sizes of wall lists to choose from, in points."""


def club_print_options(
    club: Club, *, language: str = "", second: str = "", size: str = "", points: str = ""
) -> PrintOptions:
    """Return the club's print options. Arguments override them if they are a known language or size."""
    usual = ClubLetterhead.get_or_default(club)
    known = dict(language_choices())
    first = language if language in known else usual.language or club.language
    return PrintOptions(
        language=first,
        second_language=second if second in known and second != first else "",
        size=PaperSize(size if size in PaperSize.values else usual.size),
        points=float(points) if points in FONT_SIZES else 0,
        letterhead=Letterhead(
            header=usual.header,
            footer=usual.footer,
            logo=_address_of(bytes(usual.logo)),
            colour=tones_for_light_background(club.colour).accent if club.colour else "",
        ),
    )


def render_pdf(paper: Paper, report_progress: ProgressCallback = ignore_progress) -> bytes:
    """Return the printout as PDF. Raises ArbiterProblem if the system cannot print."""
    try:
        return load_or_render_pdf(paper, store=paper_store(), report_progress=report_progress)
    except PrintingImpossible as error:
        raise ArbiterProblem(
            _(
                "This server can't create PDFs because the Pango library is missing. The server "
                "administrator can install the package libpango-1.0-0 (%(detail)s)."
            )
            % {"detail": error}
        ) from error


def rendered_page_counts(paper: Paper) -> list[tuple[str, int]] | None:
    """Return the page count of each part by name, or None if the printout has not been rendered."""
    pages = cached_page_counts(paper, store=paper_store())
    if pages is None:
        return None
    found: list[tuple[str, int]] = []
    for part, count in zip(paper.parts, pages, strict=True):
        if found and found[-1][0] == part.name:
            found[-1] = (part.name, found[-1][1] + count)
        else:
            found.append((part.name, count))
    return found


def paper_store() -> FileStore:
    """Return the store of printouts."""
    return file_store("paper")


class HasNames(Protocol):
    """What a printout is of: a sheet with the names of a club and an event, or `PaperNames`."""

    @property
    def club(self) -> str: ...

    @property
    def event(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperNames:
    """The names on a printout without a sheet."""

    club: str
    event: str = ""


def in_every_language(words: Callable[[], str]) -> Promise:
    """Return a lazy text that is in the language active when it is used."""
    text: Promise = lazy(words, str)()  # type: ignore[assignment]
    return text


def names_of(of: HasNames | Club) -> HasNames:
    """Return the names that are printed at the head of a printout."""
    return PaperNames(club=of.name) if isinstance(of, Club) else of


def second_heading(heading: str | Promise, wishes: PrintOptions) -> str:
    """Return a lazy heading in the second language."""
    return wishes.in_second_language(partial(str, heading)) if isinstance(heading, Promise) else ""


def render_paper(
    name: str,
    heading: str | Promise,
    of: HasNames | Club,
    wishes: PrintOptions,
    *css: str,
    context: Mapping[str, object],
    body_class: str = "list",
    is_sideways: bool = False,
) -> Paper:
    """Render a template of `pairing/printing/papers` in the active language, with the club's letterhead.

    A lazy heading is also shown in the second language. `css` are names of files in `css/print`, or rules. `context` is
    what this template needs besides the letterhead. The page is portrait unless it `is_sideways`.
    """
    names = names_of(of)
    letterhead, language = wishes.letterhead, translation.get_language()
    margins = WALL if "wall" in css else FILED
    classes = (body_class, *(["wall"] if margins is WALL else []), *(["sideways"] if is_sideways else []))
    page = {
        "heading": str(heading),
        "second_heading": second_heading(heading, wishes),
        "title": f"{heading}, {names.event or names.club}",
        "club": names.club,
        "event": names.event,
        "body_class": " ".join(classes),
        "language": language,
        "second": wishes.second_language,
        "letterhead": letterhead,
        "club_in_header": letterhead.names_club(names.club),
        "today": date_format(timezone.localdate(), "SHORT_DATE_FORMAT"),
    }
    languages = {language, wishes.second_language}
    html = add_no_break_spaces(render_to_string(f"pairing/printing/papers/{name}.html", {**page, **context}), languages)
    wide, high = wishes.size.size_in_mm
    size = page_size_css(high, wide) if is_sideways else page_size_css(wide, high)
    rules = [_file("base"), size, *(_file(each) if each.isidentifier() else each for each in css)]
    if "lists" in css:
        rules.append(_share_foot(html, margins.width(wishes, is_sideways=is_sideways)))
        rules.append(f":root {{ --logo: {letterhead.logo_width(*LIST_LOGO_SIZE):.1f}mm }}")
    if letterhead.footer and "lists" in css:
        rules.append(f"@page {{ margin-bottom: {margins.bottom_with_footer(letterhead):.1f}mm }}")
        rules.append(f".running .footer {{ font-size: {margins.fit_footer(letterhead).size * 0.08:.1f}pt }}")
    if letterhead.colour:
        rules.append(f":root {{ --club: {letterhead.colour} }}")
    if _has_long_word(html):
        html = _CELL.sub(_marked, html)
        rules.append(_BROKEN)
    if letterhead.logo:
        # Once in the style instead of once for each badge.
        rules.append(f'.logo {{ background-image: url("{letterhead.logo}") }}')
    return Paper(parts=(PaperPart(html=html, css="\n".join(rules), name=str(heading)),))


LIST_LOGO_SIZE = (42.0, 15.0)
"""The greatest size of the logo at the head of a list, in millimetres."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """The margins of a list in millimetres, as in its style."""

    top: float
    side: float
    bottom: float

    def fit_footer(self, letterhead: Letterhead) -> FittedText:
        """Return the club's line at the foot of a list, smaller if it then fits on one line."""
        footer = add_no_break_spaces(letterhead.footer, set())
        room = mm_to_ems(0.6 * (_NARROWEST - 2 * self.side) - 6, 8)
        return fit_text(footer, room, typeface=Typeface.TEXT, min_size=75, max_two_line_size=75)

    def bottom_with_footer(self, letterhead: Letterhead) -> float:
        """Return the bottom margin with room for the club's footer, also below a heading that takes two lines."""
        lines = len(self.fit_footer(letterhead).lines) if letterhead.footer else 0
        return self.bottom + (2.5 + 3.7 * lines if lines else 0)

    def width(self, wishes: PrintOptions, *, is_sideways: bool = False) -> float:
        """Return the width between the margins."""
        return wishes.size.size_in_mm[is_sideways] - 2 * self.side

    def height(self, wishes: PrintOptions, *, is_sideways: bool = False) -> float:
        """Return the height between the margins."""
        return wishes.size.size_in_mm[not is_sideways] - self.top - self.bottom_with_footer(wishes.letterhead)


_NARROWEST = 210.0
"""The width of the narrowest sheet of lists, in millimetres. The club's line has three fifths of it."""
FILED = Margins(top=14, side=15, bottom=16)
WALL = Margins(top=10, side=8, bottom=12)
"""As small as most printers allow."""


def _share_foot(html: str, wide: float) -> str:
    """Return CSS that divides the foot of a page: as little as needed at the right, the rest at the left."""
    state = "".join(_STATE.findall(html))
    needed = text_width(unescape(state).strip(), Typeface.TEXT) * _OF_FOOT * MM_PER_POINT + _BETWEEN
    right = min(40.0, 100 * needed / wide)
    return f"@page {{ @bottom-left {{ width: {100 - right:.1f}% }} @bottom-right {{ width: {right:.1f}% }} }}"


_STATE = re.compile(r'<p class="state">([^<]*)</p>')
_OF_FOOT, _BETWEEN = 8.0, 2.0
"""Type of the foot in points; gap between its texts in millimetres."""


def add_no_break_spaces(text: str, languages: set[str]) -> str:
    """Return a text or page with no-break spaces between initials and where a language needs them, and apostrophes."""
    text = _APOSTROPHE.sub("’", text)
    text = _KEPT_TOGETHER.sub("\N{NO-BREAK SPACE}", text)
    text = _ON_ONE_LINE.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    if letters := "".join(_HELD.get(each, "") for each in sorted(languages)):
        text = _single(letters).sub("\\1\N{NO-BREAK SPACE}", text)
    return _FRENCH.sub("\N{NO-BREAK SPACE}", text) if "fr" in languages else text


@lru_cache
def _single(letters: str) -> re.Pattern[str]:
    """Return the pattern of the space after a word of one of these letters, outside tags."""
    return re.compile(rf"(?<![^\s(>„“«\N{{NO-BREAK SPACE}}])([{letters}{letters.upper()}]) (?=[^\s<>])(?![^<>]*>)")


_HELD = {"pl": "aiouwz", "cs": "aikosuvz", "uk": "авзійоуя", "bg": "авиосу"}
"""One-letter words that must not end a line, by language."""
_APOSTROPHE = re.compile(r"(?<=\w)(?:'|&#x27;)(?![^<>]*>)")
_FRENCH = re.compile(r"(?: (?=[;:?!»])|(?<=«) )(?![^<>]*>)")
"""French has a space before these characters and after the opening quotation mark."""
_KEPT_TOGETHER = re.compile(
    r"(?<=\b\w\.) (?=\w\.)"  # initials, and abbreviations such as "e. V."
    r"|(?<=\b(?:ul|al|pl|ул)\.) (?=\w)|(?<=\b(?:бул|art)\.) (?=\w)"  # streets, articles
    r"| (?=\d{1,2}:\d\d(?!\d))|(?<=\d) (?=[ap]\.m\.)"  # times of day: "until 18:30", "6:30 p.m."
    r"| (?=· )"  # a dot between two facts begins no line
)
"""Spaces at which no line ends in any language."""

_ON_ONE_LINE = re.compile(r"(?:\b[Tt]el\.:? )?\+\d[\d ]{5,18}\d|(?<=, )[^,<>\d]{1,30}(?=\d{1,2}:\d\d)")
"""An international telephone number, and the words between a comma and a time: ", provisional until 18:30"."""

_TAG = re.compile(r"<[^>]*>")
_CELL = re.compile(r"<(t[dh]\b[^>]*)>(.*?)(?=</t[dh]>)", re.DOTALL)
_BROKEN = "tbody [data-long], h1, li, header p { overflow-wrap: anywhere }"
"""Lets long words be broken instead of leaving their column.

WeasyPrint is slow for text that may be broken anywhere, so only cells with a long word are marked.
"""


def _has_long_word(html: str) -> bool:
    return LONG_WORD.search(_TAG.sub(" ", html)) is not None


def _marked(cell: re.Match[str]) -> str:
    return f'<{cell[1]} data-long="">{cell[2]}' if _has_long_word(cell[2]) else cell[0]


def _address_of(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}" if png else ""


@lru_cache
def _file(name: str) -> str:
    path = finders.find(f"css/print/{name}.css")
    return Path(str(path)).read_text(encoding="utf-8")
