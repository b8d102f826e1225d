"""Place cards, table numbers, badges and diplomas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial

from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.text.name_order import name_in_spoken_order
from common.text.qr_codes import qr_code_data_uri
from pairing.printing.papers.rounds import cut_paper, fit_event_and_club_names
from pairing.printing.pdf.paper_templates import PrintOptions, render_paper
from pairing.printing.pdf.sheet_cutting import CutGrid, svg_background
from pairing.printing.pdf.text_fitting import FittedText, Typeface, fit_text, mm_to_ems
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.players_and_results import SheetPlayer, StartingListPlayer, StartingListSheet
from pairing.view_models.sheets.standings_sheet import StandingsSheet

PLACE_CARD_GRID = CutGrid(across=1, down=2)
BADGE_GRID = CutGrid(across=2, down=4)
DEFAULT_DIPLOMAS = 3
_STYLE = "place_cards_and_badges"

_SIDE = 186.0
"""Width for a name on a place card, in millimetres; `_BADGE` and `_DIPLOMA` are those of the others."""
_BADGE = 93.0
_DIPLOMA = 240.0
_fit_family_name = partial(fit_text, typeface=Typeface.TEXT_BOLD, max_two_line_size=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class NameCard:
    """A player on a card or badge: family name, given name and facts, each in the largest type that fits."""

    number: int
    family: FittedText
    given: FittedText
    facts: FittedText
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiplomaSignature:
    """The signature block of a diploma: the arbiter, the city and the date."""

    arbiter: str
    city: str
    date: date | None


def place_cards_paper(sheet: StartingListSheet, wishes: PrintOptions) -> Paper:
    """Place cards, folded in the middle and readable from both sides, two per page."""
    cards = [
        NameCard(
            number=person.number,
            family=_fit_family_name(person.family_name, mm_to_ems(_SIDE, 44), min_size=40),
            given=_given(person, mm_to_ems(_SIDE, 24)),
            facts=_in_one_line(person.number, person.federation, person.rating),
        )
        for person in sheet.players
    ]
    return cut_paper("place_cards", _("Place cards"), sheet, wishes, cards, PLACE_CARD_GRID, _STYLE)


def table_numbers_paper(sheet: StartingListSheet, tables: int, wishes: PrintOptions) -> Paper:
    """Table numbers on folded cards, readable from both sides, two per page."""
    numbers = range(1, tables + 1)
    return cut_paper("table_numbers", _("Table numbers"), sheet, wishes, numbers, PLACE_CARD_GRID, _STYLE)


def badges_paper(sheet: StartingListSheet, wishes: PrintOptions, *, player_url: Callable[[int], str]) -> Paper:
    """Badges, eight per page, with the QR code of the player's page.

    `player_url` returns the page's address for a number.
    """
    badges = [
        NameCard(
            number=person.number,
            family=_fit_family_name(person.family_name, mm_to_ems(_BADGE, 23), min_size=45),
            given=_given(person, mm_to_ems(_BADGE, 15)),
            facts=fit_text(
                _in_one_line(person.club_name, person.federation).text,
                mm_to_ems(_BADGE, 9),
                typeface=Typeface.TEXT,
                min_size=70,
                max_two_line_size=80,
            ),
            code=qr_code_data_uri(player_url(person.number)),
        )
        for person in sheet.players
    ]
    event = fit_event_and_club_names(sheet.event, sheet.club, mm_to_ems(_BADGE, 8))
    return cut_paper("badges", _("Badges"), sheet, wishes, badges, BADGE_GRID, _STYLE, event_line=event)


def diplomas_paper(
    sheet: StandingsSheet,
    wishes: PrintOptions,
    *,
    signed: DiplomaSignature,
    places: int = DEFAULT_DIPLOMAS,
    category: str = "",
) -> Paper:
    """A diploma for each of the first places, one per page. Provisional ones are marked and undated."""
    context = {
        "lines": [
            (
                line.place,
                _on_diploma(_announced(line.player), 45),
                _on_diploma(_place_in_words(line.place, category), 24),
                _result_in_words(localize(line.values[0]), sheet.after_round) if line.values else "",
            )
            for line in sheet.lines[:places]
        ],
        "event_line": _on_diploma(sheet.event, 20),
        "is_final": sheet.after_round == sheet.rounds_announced and not sheet.is_provisional,
        "arbiter": name_in_spoken_order(signed.arbiter),
        "city": signed.city,
        "date": signed.date,
    }
    css = ("fitted_text", "diplomas", f".diploma {{ background: {_chequered_frame(wishes)} }}")
    heading = _("Diplomas")
    return render_paper(
        "diplomas", heading, sheet, wishes, *css, body_class="diplomas", is_sideways=True, context=context
    )


_FRAME, _SQUARE = 8.0, 2.4
"""The frame's distance from the sheet's edge and about the size of its squares, in millimetres."""


def _chequered_frame(wishes: PrintOptions) -> str:
    """Return a frame of two rows of squares and a thin line, in the club's colour, as a CSS background."""
    high, wide = wishes.size.size_in_mm
    squares = []
    for row in (0, 1):
        edge = _FRAME + (row + 0.5) * _SQUARE
        for length, across, path in ((wide, high, "M{} {}h{}"), (high, wide, "M{1} {0}v{2}")):
            inside = length - 2 * _FRAME
            # An odd number of squares, so that all four corners are alike.
            square = inside / (int(inside / _SQUARE / 2) * 2 + 1)
            squares += [
                f'<path stroke-dasharray="{square:.4f}" d="'
                f'{path.format(_FRAME + row * square, place, inside - 2 * row * square)}"/>'
                for place in (edge, across - edge)
            ]
    inner = _FRAME + 2 * _SQUARE + 1.6
    return svg_background(
        (wide, high),
        f'<g stroke-width="{_SQUARE}">{"".join(squares)}</g>'
        f'<path stroke-width=".3" d="M{inner} {inner}H{wide - inner}V{high - inner}H{inner}z"/>',
        colour=wishes.letterhead.colour,
    )


def _on_diploma(text: str, points: float) -> FittedText:
    """Fit a text in one line down to 55 per cent of its size, or else in two. The serif is narrower than the bold."""
    room, found = mm_to_ems(_DIPLOMA, points), FittedText(lines=(), size=100)
    for two_lines in (0, 55):
        if found.text != text:
            found = fit_text(text, room, typeface=Typeface.TEXT_BOLD, min_size=55, max_two_line_size=two_lines)
    return found


_PLACES = {1: gettext_lazy("First place"), 2: gettext_lazy("Second place"), 3: gettext_lazy("Third place")}


def _place_in_words(place: int, category: str) -> str:
    words = str(_PLACES.get(place) or _("Place %(place)s") % {"place": place})
    if category.startswith("< "):
        category = _("rated under %(rating)s") % {"rating": category[2:]}
    return f"{words}, {category}" if category else words


def _result_in_words(points: str, rounds: int) -> str:
    score = (_("%(points)s point") if points in ("½", "1") else _("%(points)s points")) % {"points": points}
    return ngettext("%(score)s from %(count)s round", "%(score)s from %(count)s rounds", rounds) % {
        "score": score,
        "count": rounds,
    }


def _announced(player: SheetPlayer) -> str:
    return f"{player.title} {name_in_spoken_order(player.name)}".strip()


def _given(person: StartingListPlayer, room: float) -> FittedText:
    return fit_text(f"{person.title} {person.given_name}".strip(), room, typeface=Typeface.TEXT, min_size=40)


def _in_one_line(*facts: object) -> FittedText:
    return FittedText(lines=(" · ".join(str(fact) for fact in facts if fact),), size=100)
