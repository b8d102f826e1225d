"""Start cards on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils import translation
from django.utils.translation import gettext as _

from pairing.printing.papers.card_geometry import CardFormat, CardGeometry, remark_line_height
from pairing.printing.papers.card_rows import (
    JAHR_NARROW,
    JAHR_WIDE,
    PLAIN_NARROW,
    PLAIN_WIDE,
    CardLayout,
    box_labels,
    card_legend,
)
from pairing.printing.papers.card_texts import TypesetCard, fit_event_line, typeset_card, wrap_remarks
from pairing.printing.pdf.paper_templates import PrintOptions, page_size_css, render_part
from pairing.printing.pdf.sheet_cutting import CutGrid, CutSheet, arrange_on_sheets
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.start_cards import StartCardSheet
from tournaments.problems import ArbiterProblem

_FORMATS = (
    CardFormat(
        code="8",
        cut=CutGrid(across=2, down=4),
        head=7.8,
        number=7.4,
        title=11,
        remarks=2.9,
        foot=4.3,
        line=7.6,
        min_row_height=2.65,
    ),
    CardFormat(
        code="4",
        cut=CutGrid(across=2, down=2),
        head=8.2,
        number=10,
        title=13,
        remarks=8,
        foot=6.5,
        line=14,
        logo=16,
    ),
    CardFormat(
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
    ),
    CardFormat(
        code="a6",
        cut=CutGrid(across=1, down=1),
        edge=4.87,
        head=8.2,
        number=10,
        title=13,
        remarks=8,
        foot=6.5,
        line=14,
        logo=16,
    ),
)
CARD_FORMATS: Mapping[str, CardFormat] = {
    **{form.code: form for form in _FORMATS},
    "a5": replace(_FORMATS[2], code="a5", cut=CutGrid(across=1, down=1)),
}
"""Eight, four or two on a page of A4 or Letter, or one on a page of A6 or landscape A5."""

_OWN_SIZES = {"a6": (105.0, 148.0), "a5": (210.0, 148.0)}
"""Millimetres."""

CARDS_PER_PART = 160
"""Cards rendered together: this keeps the process below 200 MB."""


def start_cards_paper(
    sheet: StartCardSheet, form: CardFormat, wishes: PrintOptions, *, stacked: bool = False, backs: bool = False
) -> Paper:
    """Start cards, as many on a page as the format has; see `arrange_on_sheets` for `stacked` and `backs`.

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
        raise ArbiterProblem(
            _("Cards of this size have room for %(most)s rounds, but the event has %(rounds)s. Choose a larger size.")
            % {"most": geometry.max_rows, "rounds": sheet.rounds_announced}
        )
    with translation.override(wishes.language):
        explained = card_legend(layout, wishes.second_language, geometry.inner_width)
        geometry = _with_room_for_remarks(_with_room_for_a_legend(geometry, len(explained)), sheet)
        if all(card.number is None for card in sheet.cards):
            geometry = _with_room_to_write(geometry)
        head, foot = box_labels(layout)
        context = {
            "body_class": f"{wishes.size} on-{form.code} {layout.code}",
            "labels": head,
            "foot_labels": foot,
            "legend": "\n".join(explained[: geometry.legend_lines]),
            "event_line": fit_event_line(sheet.event, sheet.club, geometry),
            "club": sheet.club,
            "title": f"{_('Start cards')}, {sheet.event}",
        }
        cards = [typeset_card(card, geometry) for card in sheet.cards]
        sheets = arrange_on_sheets(cards, form.cut, stacked=stacked, backs=backs)
        css = geometry.css_rules({len(each.things) for each in sheets})
        return Paper(
            parts=tuple(
                render_part(
                    "pairing/printing/papers/start_cards.html",
                    context | {"sheets": some},
                    wishes,
                    "cut_sheets",
                    "fitted_text",
                    "start_cards",
                    page_size_css(*size),
                    css,
                )
                for some in _portions(sheets, form.cut.pieces_per_sheet)
            )
        )


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
