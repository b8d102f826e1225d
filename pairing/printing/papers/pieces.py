"""What stands before somebody, hangs on him or is handed to him: place cards, table numbers, badges, diplomas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.text.name_order import spoken
from pairing.printing.papers.rounds import event_and_club
from pairing.printing.pdf.arranging import Cut, cut_sheets
from pairing.printing.pdf.fitting import MM_OF_POINT, Fitted, ems, fit, in_lines
from pairing.printing.pdf.making import Wishes, code_of, part_of
from pairing.printing.pdf.pdfs import Paper
from pairing.printing.pdf.widths import Face
from pairing.view_models.sheets.parts import SheetPlayer
from pairing.view_models.sheets.people import PeopleSheet, Person
from pairing.view_models.sheets.tables import StandingsSheet

PLACE_CARDS = Cut(across=1, down=2)
BADGES = Cut(across=2, down=4)
USUAL_DIPLOMAS = 3

_SIDE = 186.0
"""How wide the place for a name on a folded card is, in millimetres; that of a badge and of a diploma."""
_BADGE = 93.0
_DIPLOMA = 230.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A player as a piece names him: the parts of his name, each in the largest type that fits, and facts."""

    number: int
    family: Fitted
    given: Fitted
    facts: Fitted
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """Who signs a diploma, where and when."""

    arbiter: str
    city: str
    date: date | None


def place_cards_paper(sheet: PeopleSheet, wishes: Wishes) -> Paper:
    """Cards folded along the middle, on which both sides read upright; two on a page."""
    cards = [
        Named(
            number=person.number,
            family=fit(person.family_name, ems(_SIDE, 44), face=Face.TEXT_BOLD, least=40, broken=60),
            given=_given(person, ems(_SIDE, 24)),
            facts=_in_one_line(person.number, person.federation, person.rating),
        )
        for person in sheet.people
    ]
    return _pieces("place_cards", gettext_lazy("Place cards"), sheet, cards, PLACE_CARDS, "on-2", wishes)


def table_numbers_paper(sheet: PeopleSheet, tables: int, wishes: Wishes) -> Paper:
    """The numbers of tables on folded cards, readable from both sides; two on a page."""
    return _pieces(
        "table_numbers", gettext_lazy("Table numbers"), sheet, list(range(1, tables + 1)), PLACE_CARDS, "on-2", wishes
    )


def badges_paper(sheet: PeopleSheet, wishes: Wishes, *, address_of: Callable[[int], str]) -> Paper:
    """Badges, eight on a page, with the QR code of the player's page; `address_of` a number gives its address."""
    badges = [
        Named(
            number=person.number,
            family=fit(person.family_name, ems(_BADGE, 23), face=Face.TEXT_BOLD, least=45, broken=60),
            given=_given(person, ems(_BADGE, 15)),
            facts=fit(
                _in_one_line(person.club_name, person.federation).text,
                ems(_BADGE, 9),
                face=Face.TEXT,
                least=70,
                broken=80,
            ),
            code=code_of(address_of(person.number)),
        )
        for person in sheet.people
    ]
    event = event_and_club(sheet.event, sheet.club, ems(_BADGE, 8))
    return _pieces("badges", gettext_lazy("Badges"), sheet, badges, BADGES, "on-8", wishes, event_line=event)


def diplomas_paper(
    sheet: StandingsSheet,
    wishes: Wishes,
    *,
    signed: Signed,
    places: int = USUAL_DIPLOMAS,
    category: str = "",
) -> Paper:
    """A diploma for each of the first places, a page each; of a table that is not final marked, without a date."""
    with translation.override(wishes.language):
        heading = _("Diplomas")
        is_final = sheet.after_round == sheet.rounds_announced and not sheet.is_provisional
        context = {
            "lines": [
                (
                    line.place,
                    line.values[0] if line.values else "",
                    fit(_announced(line.player), ems(_DIPLOMA, 30), face=Face.TEXT_BOLD, broken=70),
                )
                for line in sheet.lines[:places]
            ],
            "heading": heading,
            "title": f"{heading}, {sheet.event}",
            "club": sheet.club,
            "event": sheet.event,
            "event_line": fit(sheet.event, ems(_DIPLOMA, 18), face=Face.TEXT, least=55, broken=60),
            "is_final": is_final,
            "category": category,
            "arbiter": spoken(signed.arbiter),
            "city": signed.city,
            "date": signed.date,
            "body_class": "diplomas",
        }
        css = _diploma_filled(context, wishes)
        return Paper(
            parts=(
                part_of(
                    "pairing/printing/papers/diplomas.html", context, wishes, "fit", "diplomas", wishes.sideways, css
                ),
            )
        )


def _diploma_filled(context: Mapping[str, Any], wishes: Wishes) -> str:
    """What the sheet leaves free shared out: above, before the signature, and most below, as the eye has it.

    Where a long name leaves nothing, the signature has less room to be written.
    """
    who = max((len(fitted.lines) * fitted.size for *_rest, fitted in context["lines"]), default=100)
    line: Fitted = context["event_line"]
    letterhead = wishes.letterhead
    signature = in_lines(f"{_('Chief arbiter')}: {context['arbiter']}", ems(_SIGNATURE, 11), Face.TEXT, anywhere=True)
    points = [16 * 1.3, 38 * 1.3, 22 * 1.3, 10 * 1.3, 11 * 1.3 * len(signature)]
    points += [30 * 1.35 * who / 100, 18 * 1.35 * len(line.lines) * line.size / 100]
    points += [10 * 1.3] if letterhead.header else []
    points += [] if context["is_final"] else [11 * 1.3]
    points += [22 * 1.3] if context["category"] else []
    gaps = 7 + 9 + 6 + 8 + 14 + (6 if context["category"] else 0) + (28 if letterhead.logo else 12)
    left = wishes.size.millimetres[0] - 2 * _DIPLOMAS_MARGIN - sum(points) * MM_OF_POINT - gaps
    free = left - 4
    above, before = (free * 0.3, 13 + free * 0.3) if free > 0 else (0.0, max(3.0, 13 + free))
    return f".diploma {{ padding-top: {above:.1f}mm }} .signature {{ margin-top: {before:.1f}mm }}"


_DIPLOMAS_MARGIN, _SIGNATURE = 14.5, 90.0
"""Millimetres beyond its frame, and that; how wide the line is to sign on."""


def _announced(player: SheetPlayer) -> str:
    return f"{player.title} {spoken(player.name)}".strip()


def _given(person: Person, room: float) -> Fitted:
    return fit(f"{person.title} {person.given_name}".strip(), room, face=Face.TEXT, least=40)


def _in_one_line(*facts: object) -> Fitted:
    return Fitted(lines=(" · ".join(str(fact) for fact in facts if fact),), size=100)


def _pieces(
    template: str,
    heading: Promise,
    sheet: PeopleSheet,
    things: list[Any],
    cut: Cut,
    cut_class: str,
    wishes: Wishes,
    **more: object,
) -> Paper:
    with translation.override(wishes.language):
        context = {
            "sheets": cut_sheets(things, cut, stacked=True),
            "marks": cut.marks,
            "heading": str(heading),
            "title": f"{heading}, {sheet.event}",
            "club": sheet.club,
            "event": sheet.event,
            "body_class": f"{wishes.size} {cut_class}",
            **more,
        }
        return Paper(
            parts=(
                part_of(
                    f"pairing/printing/papers/{template}.html", context, wishes, "cut", "fit", "pieces", wishes.upright
                ),
            )
        )
