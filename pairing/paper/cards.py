"""Start cards on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils import translation
from django.utils.translation import gettext as _

from pairing.paper.arranging import Cut, CutSheet, cut_sheets
from pairing.paper.card_geometry import CardFormat, CardGeometry
from pairing.paper.card_lines import (
    JAHR_NARROW,
    JAHR_WIDE,
    PLAIN_NARROW,
    PLAIN_WIDE,
    CardLayout,
    SetCard,
    labels,
    set_card,
)
from pairing.paper.making import Wishes, page_of, part_of
from pairing.paper.pdfs import Paper
from pairing.sheets.cards import CardSheet
from tournaments.problems import ArbiterProblem

_FORMATS = (
    CardFormat(
        code="8",
        cut=Cut(across=2, down=4),
        head=7.8,
        number=7.4,
        title=11,
        remarks=2.9,
        foot=4.3,
        line=7.6,
    ),
    CardFormat(
        code="4",
        cut=Cut(across=2, down=2),
        head=8.2,
        number=10,
        title=13,
        remarks=8,
        foot=6.5,
        line=14,
    ),
    CardFormat(
        code="2",
        cut=Cut(across=1, down=2),
        edge=8.2,
        head=13,
        number=11,
        title=17,
        labels=5,
        remarks=8,
        foot=7,
        line=14,
        small=9,
        least_row=4.0,
        is_wide=True,
    ),
    CardFormat(
        code="a6",
        cut=Cut(across=1, down=1),
        head=8.2,
        number=10,
        title=13,
        remarks=8,
        foot=6.5,
        line=14,
    ),
)
CARD_FORMATS: Mapping[str, CardFormat] = {form.code: form for form in _FORMATS}
"""Eight, four or two on a page of A4 or Letter, or each on a page of A6."""

_A6 = 105.0, 148.0
"""Millimetres."""

CARDS_A_PART = 160
"""So many cards are set at once: the process that does it stays below 200 MB."""


def cards_paper(
    sheet: CardSheet, form: CardFormat, wishes: Wishes, *, stacked: bool = False, backs: bool = False
) -> Paper:
    """Start cards, as many on a page as the format has; see `cut_sheets` for `stacked` and `backs`.

    Raises ArbiterProblem when the event has more rounds than the format has room for.
    """
    size = _A6 if form.code == "a6" else wishes.size.millimetres
    layout = _layout(sheet, form)
    geometry = CardGeometry(form=form, layout=layout, sheet=size, rows=sheet.rounds_announced)
    if sheet.rounds_announced > geometry.most_rows:
        raise ArbiterProblem(
            _("Cards of this size hold %(most)s rounds, the event has %(rounds)s: choose a bigger one.")
            % {"most": geometry.most_rows, "rounds": sheet.rounds_announced}
        )
    with translation.override(wishes.language):
        head, foot = labels(layout)
        context = {
            "body_class": f"{wishes.size} on-{form.code} {layout.code}",
            "labels": head,
            "foot_labels": foot,
            "event": sheet.event,
            "club": sheet.club,
            "title": _("Start cards: %(event)s") % {"event": sheet.event},
        }
        cards = [set_card(card, layout) for card in sheet.cards]
        sheets = cut_sheets(cards, form.cut, stacked=stacked, backs=backs)
        css = geometry.css({len(each.things) for each in sheets})
        return Paper(
            parts=tuple(
                part_of("cards", context | {"sheets": some}, wishes, "cut", "cards", page_of(*size), css)
                for some in _portions(sheets, form.cut.pieces)
            )
        )


def _layout(sheet: CardSheet, form: CardFormat) -> CardLayout:
    if sheet.is_jahr:
        return JAHR_WIDE if form.is_wide else JAHR_NARROW
    return PLAIN_WIDE if form.is_wide else PLAIN_NARROW


def _portions(sheets: Sequence[CutSheet[SetCard]], pieces: int) -> list[Sequence[CutSheet[SetCard]]]:
    """So many sheets at once, fronts and backs together."""
    step = max(2, CARDS_A_PART // pieces // 2 * 2)
    return [sheets[start : start + step] for start in range(0, len(sheets), step)] or [()]
