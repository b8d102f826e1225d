"""Texts of a start card outside its boxes, in the largest type that fits: event, name, facts, remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from pairing.printing.papers.card_geometry import CardGeometry
from pairing.printing.papers.card_rows import WrappedName, typeset_card_foot, typeset_card_rows
from pairing.printing.pdf.text_fitting import MM_PER_POINT, FittedText, fit_text, mm_to_ems, wrap_text
from pairing.printing.pdf.text_widths import Typeface, text_width, truncate_text
from pairing.view_models.sheets.start_cards import StartCard


@dataclass(frozen=True, slots=True, kw_only=True)
class TypesetCard:
    """A card as runs of text for its template; `names` are opponents' names that need several lines."""

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
    """Return a card's texts in the active language."""
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
    """Return the event and the club in one line; without the club if it is too long."""
    room = mm_to_ems(geometry.inner_width, geometry.form.small)
    both = f"{event} · {club}"
    return both if text_width(both) <= room else truncate_text(event, room)


def wrap_remarks(card: StartCard, geometry: CardGeometry) -> tuple[str, ...]:
    """Return a player's remarks, in as many lines as needed."""
    apart = (
        _("not with %(numbers)s") % {"numbers": ", ".join(map(str, card.forbidden_opponents))}
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
    """Return rating, federation, club and year of birth; the club is shortened to fit."""
    rating = _("rating %(rating)s") % {"rating": card.rating} if card.rating else ""
    born = _("born %(year)s") % {"year": card.birth_year} if card.birth_year else ""
    others = " · ".join(fact for fact in (rating, card.federation, born) if fact)
    left = room - text_width(f"{others} · ")
    club = truncate_text(card.club_name, left) if card.club_name else ""
    return " · ".join(fact for fact in (rating, card.federation, club, born) if fact)
