"""Start cards on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _

from pairing.papers.making import Wishes, part_of
from pairing.pdfs import Paper
from pairing.sheets.arranging import Cut, CutSheet, cut_sheets
from pairing.sheets.card_lines import (
    JAHR_NARROW,
    JAHR_WIDE,
    PLAIN_NARROW,
    PLAIN_WIDE,
    CardLayout,
    SetCard,
    grid_css,
    labels,
    set_card,
)
from pairing.sheets.cards import CardSheet
from tournaments.problems import ArbiterProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFormat:
    """How big a card is: `quarters` of a page high. Head, labels, remarks and foot take `taken` millimetres of it."""

    code: str
    cut: Cut
    quarters: int
    taken: float
    most_rounds: int
    jahr: CardLayout = JAHR_NARROW
    plain: CardLayout = PLAIN_NARROW


_FORMATS = (
    CardFormat(code="8", cut=Cut(across=2, down=4), quarters=1, taken=37.4, most_rounds=13),
    CardFormat(code="4", cut=Cut(across=2, down=2), quarters=2, taken=48.5, most_rounds=30),
    CardFormat(
        code="2", cut=Cut(across=1, down=2), quarters=2, taken=63, most_rounds=22, jahr=JAHR_WIDE, plain=PLAIN_WIDE
    ),
    CardFormat(code="a6", cut=Cut(across=1, down=1), quarters=2, taken=49, most_rounds=30),
)
CARD_FORMATS: Mapping[str, CardFormat] = {form.code: form for form in _FORMATS}
"""Eight, four or two on a page of A4 or Letter, or each on a page of A6."""

_A6 = "105mm 148mm", 74.0
"""The page as CSS has it, and half its height in millimetres."""

CARDS_A_PART = 96
"""So many cards are set at once: the process that does it stays below 120 MB."""


def cards_paper(
    sheet: CardSheet, form: CardFormat, wishes: Wishes, *, stacked: bool = False, backs: bool = False
) -> Paper:
    """Start cards, as many on a page as the format has; see `cut_sheets` for `stacked` and `backs`.

    Raises ArbiterProblem when the event has more rounds than the format has room for.
    """
    if sheet.rounds_announced > form.most_rounds:
        raise ArbiterProblem(
            _("Cards of this size hold %(most)s rounds, the event has %(rounds)s: choose a bigger one.")
            % {"most": form.most_rounds, "rounds": sheet.rounds_announced}
        )
    layout = form.jahr if sheet.is_jahr else form.plain
    page, quarter = (
        (wishes.upright, wishes.size.quarter) if form.code != "a6" else (f"@page {{ size: {_A6[0]} }}", _A6[1])
    )
    grid = grid_css(layout, sheet.rounds_announced, quarter * form.quarters - form.taken)
    with translation.override(wishes.language):
        head, foot = labels(layout)
        context = {
            "body_class": f"{wishes.size} on-{form.code} {layout.code}",
            "marks": form.cut.marks,
            "labels": head,
            "foot_labels": foot,
            "event": sheet.event,
            "club": sheet.club,
            "title": _("Start cards: %(event)s") % {"event": sheet.event},
        }
        cards = [set_card(card, layout) for card in sheet.cards]
        sheets = cut_sheets(cards, form.cut, stacked=stacked, backs=backs)
        return Paper(
            parts=tuple(
                part_of("cards", context | {"sheets": some}, "cut", "cards", page, grid)
                for some in _portions(sheets, form.cut.pieces)
            )
        )


def _portions(sheets: Sequence[CutSheet[SetCard]], pieces: int) -> list[Sequence[CutSheet[SetCard]]]:
    """So many sheets at once, fronts and backs together."""
    step = max(2, CARDS_A_PART // pieces // 2 * 2)
    return [sheets[start : start + step] for start in range(0, len(sheets), step)] or [()]
