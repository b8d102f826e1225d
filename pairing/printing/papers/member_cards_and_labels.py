"""Membership cards and address labels, several per sheet, and the list for a general meeting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.models import Club, Member, PaperSize
from common.text.name_order import name_in_spoken_order
from pairing.printing.pdf.paper_templates import PrintOptions, page_size_css, render_paper
from pairing.printing.pdf.sheet_cutting import CutGrid, arrange_on_sheets
from pairing.printing.pdf.text_fitting import MM_PER_POINT, Typeface, fit_text, mm_to_ems, wrap_text
from pairing.printing.pdf.weasyprint_rendering import Paper


@dataclass(frozen=True, kw_only=True)
class PieceFormat(CutGrid):
    """Pieces on a sheet, in millimetres: their size, the first one's position and the gap between two columns."""

    size: PaperSize
    width: float
    height: float
    left: float
    top: float
    gap: float = 0.0

    @property
    def css_rules(self) -> str:
        across = [f".x{x} {{ left: {self.left + x * (self.width + self.gap):.3f}mm }}" for x in range(self.across)]
        down = [f".y{y} {{ top: {self.top + y * self.height:.3f}mm }}" for y in range(self.down)]
        return "\n".join(
            (
                page_size_css(*self.size.size_in_mm),
                f":root {{ --w: {self.width}mm; --h: {self.height}mm }}",
                *across,
                *down,
            )
        )


LABEL_FORMATS = {
    "l7160": PieceFormat(size=PaperSize.A4, across=3, down=7, width=63.5, height=38.1, left=7.21, top=15.15, gap=2.54),
    "l7163": PieceFormat(size=PaperSize.A4, across=2, down=7, width=99.1, height=38.1, left=4.65, top=15.15, gap=2.5),
    "5160": PieceFormat(
        size=PaperSize.LETTER, across=3, down=10, width=66.675, height=25.4, left=4.7625, top=12.7, gap=3.175
    ),
}
"""Sheets of labels by their Avery number."""

_CARD_FORMATS = {
    size: PieceFormat(
        size=size,
        across=2,
        down=5,
        width=85.6,
        height=53.98,
        left=(size.size_in_mm[0] - 2 * 85.6) / 2,
        top=(size.size_in_mm[1] - 5 * 53.98) / 2,
    )
    for size in (PaperSize.A4, PaperSize.LETTER)
}
"""Cards of the size of a bank card, which fit holders and wallets."""

_PADDING = 4.0
"""Millimetres between a text and the edge of its label or card."""
_LABEL_SIZES = (12, 11, 10, 9, 8, 7, 6)
_LEADING = 1.3


def address_labels_paper(
    club: Club, members: Sequence[Member], form: PieceFormat, wishes: PrintOptions, *, used: int = 0
) -> Paper:
    """Address labels for members with an address. The first `used` labels on the first sheet are left blank."""
    labels = [_label(each, form) for each in members if each.address.strip()]
    places = [*[None] * used, *labels] if labels else []
    return _pieces_paper("address_labels", _("Address labels"), club, wishes, places, form)


def _label(member: Member, form: PieceFormat) -> dict[str, Any]:
    """Return the lines of a label's name and address in the largest type that fits, and its size in points."""
    texts = [[name_in_spoken_order(member.name)], list(filter(None, map(str.strip, member.address.splitlines())))]
    wide, high = form.width - 2 * _PADDING, form.height - 2 * _PADDING
    for points in _LABEL_SIZES:
        room = mm_to_ems(wide, points)
        name, address = (
            [part for line in lines for part in wrap_text(line, room, Typeface.TEXT, can_break_words=True)]
            for lines in texts
        )
        if (len(name) + len(address)) * points * _LEADING * MM_PER_POINT <= high:
            break
    return {"name": "\n".join(name), "address": "\n".join(address), "points": points}


def membership_cards_paper(club: Club, members: Sequence[Member], wishes: PrintOptions, *, year: int) -> Paper:
    """Membership cards for a year, ten per sheet, to be cut out along their frames."""
    form = _CARD_FORMATS[wishes.size]
    wide = form.width - 2 * _PADDING
    cards = [_card(each, wide) for each in members]
    club_line = fit_text(club.name, mm_to_ems(wide, 9), typeface=Typeface.TEXT_BOLD, min_size=60, max_two_line_size=80)
    heading = _("Membership cards")
    return _pieces_paper("membership_cards", heading, club, wishes, cards, form, year=year, club_line=club_line)


def _card(member: Member, wide: float) -> dict[str, Any]:
    name = name_in_spoken_order(member.name)
    facts = [capfirst(str(Member.Status(member.status).label))]
    facts += (
        [_("since %(day)s") % {"day": date_format(member.joined_on, "SHORT_DATE_FORMAT")}] if member.joined_on else []
    )
    ids = [f"FIDE {member.fide_id}"] if member.fide_id else []
    return {
        "name": fit_text(name, mm_to_ems(wide, 14), typeface=Typeface.TEXT_BOLD, min_size=45, max_two_line_size=75),
        "facts": " · ".join(facts),
        "ids": " · ".join([*ids, *filter(None, [member.national_id])]),
    }


def _pieces_paper(
    template: str,
    heading: str,
    club: Club,
    wishes: PrintOptions,
    pieces: Sequence[object],
    form: PieceFormat,
    **context: object,
) -> Paper:
    css = ("fitted_text", "labels", form.css_rules)
    context |= {"sheets": arrange_on_sheets(pieces, form)}
    return render_paper(template, heading, club, wishes, *css, body_class="pieces", context=context)


def general_meeting_paper(club: Club, members: Sequence[Member], wishes: PrintOptions) -> Paper:
    """The attendance and voting list for a general meeting: who is present, whose proxy they are, and their votes."""
    heading = _("General meeting: attendance and votes")
    context = {
        "members": members,
        "ballots": range(1, _BALLOTS + 1),
        "blanks": (_("Date"), _("City"), _("Present"), _("Votes represented")),
    }
    return render_paper("general_meeting", heading, club, wishes, "lists", "blank_forms", context=context)


_BALLOTS = 4
"""The columns for marking votes."""
