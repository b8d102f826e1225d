"""Texts of a start card outside its boxes, in the largest type that fits: event, name, facts, remarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from pairing.printing.papers.card_geometry import CardFormat, CardGeometry, remark_line_height
from pairing.printing.papers.card_rows import (
    JAHR_NARROW,
    JAHR_WIDE,
    PLAIN_NARROW,
    PLAIN_WIDE,
    CardLayout,
    WrappedName,
    box_labels,
    card_legend,
    typeset_card_foot,
    typeset_card_rows,
)
from pairing.printing.papers.rounds import combine_papers
from pairing.printing.pdf.paper_templates import PrintOptions, in_every_language, page_size_css, render_paper
from pairing.printing.pdf.sheet_cutting import CutGrid, CutSheet, arrange_on_sheets
from pairing.printing.pdf.text_fitting import (
    MM_PER_POINT,
    FittedText,
    Typeface,
    fit_text,
    mm_to_ems,
    text_width,
    truncate_text,
    wrap_text,
)
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.start_cards import StartCard, StartCardSheet
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class TypesetCard:
    """A card as text runs for its template. `names` are opponents' names that need several lines."""

    number: str
    name: FittedText
    details: str
    rows: str
    names: tuple[WrappedName, ...]
    remarks: str
    foot: str
    with_logo: bool

    @property
    def has_long_number(self) -> bool:
        """Return True if the number has too many digits for its box at full size."""
        return len(self.number) > 3


def typeset_card(card: StartCard, geometry: CardGeometry) -> TypesetCard:
    """Return a card typeset for its template, in the active language."""
    form, layout = geometry.form, geometry.layout
    name, with_logo = _name(f"{card.title} {card.name}".strip(), geometry)
    rows, names = typeset_card_rows(card.rows, layout, geometry.row_height)
    return TypesetCard(
        number="" if card.number is None else str(card.number),
        name=name,
        details=_details(card, mm_to_ems(geometry.width_beside_number(with_logo=with_logo), form.small)),
        rows=rows,
        names=names,
        remarks=_lines_of(wrap_remarks(card, geometry), geometry),
        foot=typeset_card_foot(card.result, layout),
        with_logo=with_logo,
    )


def _name(name: str, geometry: CardGeometry) -> tuple[FittedText, bool]:
    """Return the player's name, and True if the logo fits beside it without cutting it.

    A card without a name has no logo, to leave space for writing.
    """
    title = geometry.form.title
    two_lines = int(geometry.name_height / 2 / (1.2 * title * MM_PER_POINT) * 20) * 5
    for with_logo in (True, False) if geometry.logo and name else (False,):
        room = mm_to_ems(geometry.width_beside_number(with_logo=with_logo), title)
        fitted = fit_text(name, room, typeface=Typeface.CARDS_BOLD, max_two_line_size=two_lines)
        if "".join(fitted.text.split()) == "".join(name.split()):
            return fitted, with_logo
    return fitted, False


def fit_event_line(event: str, club: str, geometry: CardGeometry) -> str:
    """Return the event and the club in one line, without the club if it is too long."""
    room = mm_to_ems(geometry.inner_width, geometry.form.small)
    both = f"{event} · {club}"
    return both if text_width(both) <= room else truncate_text(event, room)


def wrap_remarks(card: StartCard, geometry: CardGeometry) -> tuple[str, ...]:
    """Return a player's remarks, in as many lines as needed."""
    apart = (
        _("don't pair with %(numbers)s") % {"numbers": ", ".join(map(str, card.forbidden_opponents))}
        if card.forbidden_opponents
        else ""
    )
    text = "; ".join(part for part in (apart, card.remark) if part)
    return wrap_text(
        f"{_('Remarks')}: {text}",
        mm_to_ems(geometry.inner_width, geometry.form.small),
        Typeface.CARDS,
        can_break_words=True,
    )


def _lines_of(lines: Sequence[str], geometry: CardGeometry) -> str:
    most = geometry.max_remark_lines
    if len(lines) <= most:
        return "\n".join(lines)
    room = mm_to_ems(geometry.inner_width, geometry.form.small)
    return "\n".join((*lines[: most - 1], truncate_text(" ".join(lines[most - 1 :]), room)))


def _details(card: StartCard, room: float) -> str:
    """Return rating, federation, club and year of birth, with the club shortened to fit."""
    rating = _("rating %(rating)s") % {"rating": card.rating} if card.rating else ""
    born = _("born %(year)s") % {"year": card.birth_year} if card.birth_year else ""
    others = " · ".join(fact for fact in (rating, card.federation, born) if fact)
    left = room - text_width(f"{others} · ")
    club = truncate_text(card.club_name, left) if card.club_name else ""
    return " · ".join(fact for fact in (rating, card.federation, club, born) if fact)


_EIGHT = CardFormat(
    code="8",
    cut=CutGrid(across=2, down=4),
    head=7.8,
    number=7.4,
    title=11,
    remarks=2.9,
    foot=4.3,
    line=7.6,
    min_row_height=2.65,
)
_FOUR = CardFormat(
    code="4", cut=CutGrid(across=2, down=2), head=8.2, number=10, title=13, remarks=8, foot=6.5, line=14, logo=16
)
_TWO = CardFormat(
    code="2",
    cut=CutGrid(across=1, down=2),
    edge=8.2,
    head=13,
    number=11,
    title=17,
    labels=3.4,
    remarks=8,
    foot=7,
    line=14,
    small=9,
    min_row_height=3.95,
    logo=22,
    is_wide=True,
)
_WHOLE = CutGrid(across=1, down=1)
CARD_FORMATS: Mapping[str, CardFormat] = {
    "8": _EIGHT,
    "4": _FOUR,
    "2": _TWO,
    "a6": replace(_FOUR, code="a6", cut=_WHOLE, edge=4.87),
    "a5": replace(_TWO, code="a5", cut=_WHOLE),
}
"""Eight, four or two on a page of A4 or Letter, or one on a page of A6 or landscape A5."""

_OWN_SIZES = {"a6": (105.0, 148.0), "a5": (210.0, 148.0)}
"""Millimetres."""

CARDS_PER_PART = 160
"""Cards rendered together: this keeps the process below 200 MB."""


def start_cards_paper(
    sheet: StartCardSheet, form: CardFormat, wishes: PrintOptions, *, stacked: bool = False, backs: bool = False
) -> Paper:
    """Start cards, with as many per page as the format allows. See `arrange_on_sheets` for `stacked` and `backs`.

    Raises ArbiterProblem if the event has more rounds than fit on the format.
    """
    size = _OWN_SIZES.get(form.code, wishes.size.size_in_mm)
    layout = _layout(sheet, form)
    if any(card.result is None for card in sheet.cards):
        form = replace(form, min_row_height=max(form.min_row_height, form.min_handwritten_row_height))
    geometry = CardGeometry(
        form=form,
        layout=layout,
        sheet=size,
        rows=sheet.rounds_announced,
        logo=wishes.letterhead.logo_width(form.logo, form.number),
        legend_lines=int(layout.has_jahr_boxes),
        colour=wishes.letterhead.colour,
    )
    if sheet.rounds_announced > geometry.max_rows:
        raise ArbiterProblem(in_every_language(partial(_too_many_rounds, geometry.max_rows, sheet.rounds_announced)))
    explained = card_legend(layout, wishes.second_language, geometry.inner_width)
    geometry = _with_room_for_remarks(_with_room_for_a_legend(geometry, len(explained)), sheet)
    if all(card.number is None for card in sheet.cards):
        geometry = _with_room_to_write(geometry)
    head, foot = box_labels(layout)
    context: dict[str, Any] = {
        "body_class": f"{wishes.size} on-{form.code} {layout.code}",
        "marks": form.cut.cut_mark_classes,
        "labels": head,
        "foot_labels": foot,
        "legend": "\n".join(explained[: geometry.legend_lines]),
        "event_line": fit_event_line(sheet.event, sheet.club, geometry),
    }
    cards = [typeset_card(card, geometry) for card in sheet.cards]
    sheets = arrange_on_sheets(cards, form.cut, stacked=stacked, backs=backs)
    rules = geometry.css_rules({len(each.things) for each in sheets})
    css = ("cut_sheets", "fitted_text", "start_cards", page_size_css(*size), rules)
    return combine_papers(
        render_paper("start_cards", _("Start cards"), sheet, wishes, *css, context=context | {"sheets": some})
        for some in _portions(sheets, form.cut.pieces_per_sheet)
    )


def _too_many_rounds(most: int, rounds: int) -> str:
    words = _("Cards of this size have room for %(most)s rounds, but the event has %(rounds)s. Choose a larger size.")
    return words % {"most": most, "rounds": rounds}


def _with_room_for_a_legend(geometry: CardGeometry, lines: int) -> CardGeometry:
    """Add the legend in both languages if the rows stay high enough to read."""
    roomier = replace(geometry, legend_lines=lines)
    return roomier if roomier.rows <= roomier.max_rows else geometry


def _with_room_to_write(geometry: CardGeometry) -> CardGeometry:
    """Enlarge the head of blank cards if the rows stay high enough to write in."""
    roomier = replace(geometry, form=replace(geometry.form, number=geometry.form.number * _ROOMIER))
    return roomier if roomier.rows <= roomier.max_rows and roomier.row_height >= _HANDWRITING else geometry


_ROOMIER, _HANDWRITING = 1.5, 6.0
"""The enlargement of a blank card's head, and the lowest row for handwriting, in millimetres."""


def _with_room_for_remarks(geometry: CardGeometry, sheet: StartCardSheet) -> CardGeometry:
    """Add the lines of remarks that a card needs, if the rows stay high enough to read."""
    form = geometry.form
    needed = max(
        (len(wrap_remarks(card, geometry)) for card in sheet.cards if card.remark or card.forbidden_opponents),
        default=1,
    )
    for lines in range(min(needed, _MOST_REMARKS), geometry.max_remark_lines, -1):
        roomier = replace(geometry, form=replace(form, remarks=lines * remark_line_height(form)))
        if roomier.rows <= roomier.max_rows:
            return roomier
    return geometry


_MOST_REMARKS = 4
"""Most lines of remarks on a card; a longer text ends with an ellipsis."""


def _layout(sheet: StartCardSheet, form: CardFormat) -> CardLayout:
    if sheet.is_jahr:
        return JAHR_WIDE if form.is_wide else JAHR_NARROW
    return PLAIN_WIDE if form.is_wide else PLAIN_NARROW


def _portions(sheets: Sequence[CutSheet[TypesetCard]], pieces: int) -> list[Sequence[CutSheet[TypesetCard]]]:
    """Divide the sheets into parts, with fronts and backs together."""
    step = max(2, CARDS_PER_PART // pieces // 2 * 2)
    return [sheets[start : start + step] for start in range(0, len(sheets), step)] or [()]
