"""The texts of a start card outside its boxes, in the largest type in which they fit: event, name, facts, remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from pairing.printing.papers.card_geometry import CardGeometry
from pairing.printing.papers.card_lines import SmallName, set_foot, set_rows
from pairing.printing.pdf.fitting import MM_OF_POINT, Fitted, ems, fit, in_lines
from pairing.printing.pdf.widths import Face, shortened, width
from pairing.view_models.sheets.cards import StartCard


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCard:
    """A card as its template prints it: runs of text. `names` are those of opponents that are set in small type."""

    number: str
    name: Fitted
    details: str
    rows: str
    names: tuple[SmallName, ...]
    remarks: str
    foot: str
    with_logo: bool

    @property
    def is_many(self) -> bool:
        """The number has more figures than its box holds at full size."""
        return len(self.number) > 3


def set_card(card: StartCard, geometry: CardGeometry) -> SetCard:
    """A card's texts, in the language now active."""
    form, layout = geometry.form, geometry.layout
    name, with_logo = _name(f"{card.title} {card.name}".strip(), geometry)
    rows, names = set_rows(card.rows, layout, geometry.row)
    return SetCard(
        number="" if card.number is None else str(card.number),
        name=name,
        details=_details(card, ems(geometry.beside_number(with_logo=with_logo), form.small)),
        rows=rows,
        names=names,
        remarks=_lines_of(remark_lines(card, geometry), geometry),
        foot=set_foot(card.result, layout),
        with_logo=with_logo,
    )


def _name(name: str, geometry: CardGeometry) -> tuple[Fitted, bool]:
    """The player's name beside the club's logo, which gives way to a name it would cost some of, or to be written."""
    title = geometry.form.title
    two_lines = int(geometry.name_high / 2 / (1.2 * title * MM_OF_POINT) * 20) * 5
    for with_logo in (True, False) if geometry.logo and name else (False,):
        room = ems(geometry.beside_number(with_logo=with_logo), title)
        fitted = fit(name, room, face=Face.CARDS_BOLD, broken=two_lines)
        if "".join(fitted.text.split()) == "".join(name.split()):
            return fitted, with_logo
    return fitted, False


def event_line(event: str, club: str, geometry: CardGeometry) -> str:
    """The event and the club in one line; the club gives way."""
    room = ems(geometry.within, geometry.form.small)
    both = f"{event} · {club}"
    return both if width(both) <= room else shortened(event, room)


def remark_lines(card: StartCard, geometry: CardGeometry) -> tuple[str, ...]:
    """What is to be known about a player, in as many lines as it takes."""
    apart = _("not with %(numbers)s") % {"numbers": ", ".join(map(str, card.not_with))} if card.not_with else ""
    text = "; ".join(part for part in (apart, card.remark) if part)
    return in_lines(f"{_('Remarks')}: {text}", ems(geometry.within, geometry.form.small), Face.CARDS, anywhere=True)


def _lines_of(lines: Sequence[str], geometry: CardGeometry) -> str:
    most = geometry.remark_lines
    if len(lines) <= most:
        return "\n".join(lines)
    room = ems(geometry.within, geometry.form.small)
    return "\n".join((*lines[: most - 1], shortened(" ".join(lines[most - 1 :]), room)))


def _details(card: StartCard, room: float) -> str:
    """Rating, federation, club and year of birth; where there is not room for all, the club is shortened."""
    rating = _("rating %(rating)s") % {"rating": card.rating} if card.rating else ""
    born = _("born %(year)s") % {"year": card.birth_year} if card.birth_year else ""
    others = " · ".join(fact for fact in (rating, card.federation, born) if fact)
    left = room - width(f"{others} · ")
    club = shortened(card.club_name, left) if card.club_name else ""
    return " · ".join(fact for fact in (rating, card.federation, club, born) if fact)
