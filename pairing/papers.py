"""What can be printed: from the sheets of an event to papers, in the language of its club."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.receipts import ReceiptSheet
from pairing.pdfs import Paper, PrintingImpossible, print_paper
from pairing.sheets import PairingSheet
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
from pairing.sheets.seating import seats
from tournaments.problems import ArbiterProblem


class PaperSize(StrEnum):
    """What the printer is loaded with."""

    A4 = "a4"
    LETTER = "letter"


_SHEETS: Mapping[PaperSize, tuple[str, float]] = {
    PaperSize.A4: ("210mm 297mm", 74.25),
    PaperSize.LETTER: ("215.9mm 279.4mm", 69.85),
}
"""Width and height as CSS has them, and a quarter of the height in millimetres."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFormat:
    """How big a card is. `taken` are the millimetres of its height that head, labels, remarks and foot take."""

    code: str
    cut: Cut
    quarters: int
    taken: float
    most_rounds: int
    jahr: CardLayout
    plain: CardLayout


CARD_FORMATS: Mapping[str, CardFormat] = {
    form.code: form
    for form in (
        CardFormat(
            code="8",
            cut=Cut(across=2, down=4),
            quarters=1,
            taken=37.4,
            most_rounds=13,
            jahr=JAHR_NARROW,
            plain=PLAIN_NARROW,
        ),
        CardFormat(
            code="4",
            cut=Cut(across=2, down=2),
            quarters=2,
            taken=48.5,
            most_rounds=30,
            jahr=JAHR_NARROW,
            plain=PLAIN_NARROW,
        ),
        CardFormat(
            code="2",
            cut=Cut(across=1, down=2),
            quarters=2,
            taken=63,
            most_rounds=22,
            jahr=JAHR_WIDE,
            plain=PLAIN_WIDE,
        ),
        CardFormat(
            code="a6",
            cut=Cut(across=1, down=1),
            quarters=2,
            taken=49,
            most_rounds=30,
            jahr=JAHR_NARROW,
            plain=PLAIN_NARROW,
        ),
    )
}

CARDS_A_PART = 96
"""So many cards are set at once: a process stays below 120 MB."""


def printed(paper: Paper) -> bytes:
    """The paper as PDF. Raises ArbiterProblem where the system lacks what printing needs."""
    try:
        return print_paper(paper, kept_in=Path(settings.VAR_DIR) / "paper")
    except PrintingImpossible as error:
        raise ArbiterProblem(
            _(
                "This computer cannot print to PDF: the library Pango is missing. "
                "Whoever runs it can install the package libpango-1.0-0 (%(detail)s)."
            )
            % {"detail": error}
        ) from error


def cards_paper(
    sheet: CardSheet,
    form: CardFormat,
    *,
    language: str,
    size: PaperSize = PaperSize.A4,
    stacked: bool = False,
    backs: bool = False,
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
    rows = max(1, sheet.rounds_announced)
    page, quarter = _SHEETS[size] if form.code != "a6" else ("105mm 148mm", 74)
    with translation.override(language):
        cards = [set_card(card, layout) for card in sheet.cards]
        head, foot = labels(layout)
        context = {
            "body_class": f"{size} on-{form.code} {layout.code}",
            "marks": form.cut.marks,
            "labels": head,
            "foot_labels": foot,
            "event": sheet.event,
            "club": sheet.club,
            "title": _("Start cards: %(event)s") % {"event": sheet.event},
        }
        sheets = cut_sheets(cards, form.cut, stacked=stacked, backs=backs)
        parts = [context | {"sheets": some} for some in _portions(sheets, form.cut.pieces)]
        return _paper(
            "cards", parts, f"@page {{ size: {page} }}", grid_css(layout, rows, quarter * form.quarters - form.taken)
        )


def pairings_paper(sheet: PairingSheet, *, language: str, address: str = "", size: PaperSize = PaperSize.A4) -> Paper:
    """The pairing of a round by boards, byes last; `address` is where phones find it."""
    with translation.override(language):
        title = _("Round %(number)s: pairings") % {"number": sheet.number}
        context = _of_round(sheet, title) | {"code": code_of(address), "address": address}
        context["body_class"] = _size_of_list(len(sheet.boards) + len(sheet.byes), large=22, middling=32)
        return _paper("pairings", [context], _list_page(size))


def seating_paper(sheet: PairingSheet, *, language: str, size: PaperSize = PaperSize.A4) -> Paper:
    """Where everyone sits, by name."""
    with translation.override(language):
        context = _of_round(sheet, _("Round %(number)s: where do I sit?") % {"number": sheet.number})
        context |= {"seats": seats(sheet), "body_class": _size_of_list(2 * len(sheet.boards), large=30, middling=38)}
        return _paper("seating", [context], _list_page(size))


def receipt_paper(sheet: ReceiptSheet, *, language: str) -> Paper:
    """A receipt for money, on half a sheet (A5)."""
    with translation.override(language):
        title = _("Receipt %(number)s") % {"number": sheet.number}
        context = {"sheet": sheet, "title": f"{title}, {sheet.club}", "heading": title, "club": sheet.club}
        return _paper("receipt", [context], "@page { size: 148mm 210mm }")


def code_of(address: str) -> str:
    """A QR code of an address, as the address of a picture; empty for none."""
    if not address:
        return ""
    return segno.make(address, micro=False, error="m").png_data_uri(scale=4, border=0)


def _of_round(sheet: PairingSheet, title: str) -> dict[str, Any]:
    return {
        "sheet": sheet,
        "heading": title,
        "title": f"{title}, {sheet.event}",
        "club": sheet.club,
        "event": sheet.event,
    }


def _size_of_list(lines: int, *, large: int, middling: int) -> str:
    """The CSS class of the largest type in which so many lines stand on one page."""
    return "list large" if lines <= large else "list middling" if lines <= middling else "list"


def _portions(sheets: Sequence[CutSheet[SetCard]], pieces: int) -> list[Sequence[CutSheet[SetCard]]]:
    step = max(2, CARDS_A_PART // pieces // 2 * 2)
    return [sheets[start : start + step] for start in range(0, len(sheets), step)] or [()]


def _list_page(size: PaperSize) -> str:
    return f"@page {{ size: {_SHEETS[size][0]} }}"


_STYLES = {"cards": "cards", "receipt": "receipt"}
"""The CSS of papers that are no lists."""


def _paper(kind: str, contexts: Sequence[Mapping[str, Any]], *more_css: str) -> Paper:
    """A paper of a kind, whose template and CSS have its name, in the language now active."""
    language = translation.get_language()
    return Paper(
        parts=tuple(
            render_to_string(f"pairing/print/{kind}.html", {**context, "language": language}) for context in contexts
        ),
        css="\n".join([_css("paper"), _css(_STYLES.get(kind, "lists")), *more_css]),
    )


@lru_cache
def _css(name: str) -> str:
    path = finders.find(f"css/print/{name}.css")
    return Path(str(path)).read_text(encoding="utf-8")
