"""Blank forms to fill in by hand, and printouts for the playing hall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import quote

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from common.text.qr_codes import qr_code_data_uri
from pairing.printing.papers.rounds import fit_event_and_club_names
from pairing.printing.pdf.paper_templates import PrintOptions, add_no_break_spaces, paper_context, render_paper
from pairing.printing.pdf.sheet_cutting import CutGrid, arrange_on_sheets
from pairing.printing.pdf.text_fitting import MM_PER_POINT, Typeface, fit_text, mm_to_ems, wrap_text
from pairing.printing.pdf.weasyprint_rendering import Paper

BLANK_SLIP_GRID = CutGrid(across=2, down=4)
_SLIP = 93.0
"""Width of the text on a slip, in millimetres."""
_ROWS = 28
_MOVES = 30
_POSTER = 178.0
"""Width of a poster, in millimetres."""


def blank_slips_paper(event: str, club: str, count: int, wishes: PrintOptions) -> Paper:
    """Blank result slips, eight per page. Round, board and names are filled in by hand."""
    with translation.override(wishes.language):
        context = paper_context(_("Blank result slips"), club=club, event=event, body_class=f"{wishes.size} on-8") | {
            "event_line": fit_event_and_club_names(event, club, mm_to_ems(_SLIP, 7.5)),
            "sheets": arrange_on_sheets(range(count), BLANK_SLIP_GRID),
            "marks": BLANK_SLIP_GRID.cut_mark_classes,
        }
        return render_paper("blank_result_slips", context, wishes, "cut_sheets", "result_slips", wishes.portrait_css)


def blank_pairings_paper(event: str, club: str, boards: int, wishes: PrintOptions) -> Paper:
    """A blank pairing list with at least `boards` lines."""
    with translation.override(wishes.language):
        context = paper_context(_("Round ____: pairings"), club=club, event=event)
        context["boards"] = range(1, max(boards, _ROWS) + 1)
        return render_paper("blank_pairings", context, wishes, "lists", wishes.portrait_css)


def score_sheet_paper(event: str, club: str, wishes: PrintOptions) -> Paper:
    """A score sheet for a game of up to sixty moves."""
    with translation.override(wishes.language):
        rows = [(move, move + _MOVES) for move in range(1, _MOVES + 1)]
        context = paper_context(_("Score sheet"), club=club, event=event) | {"rows": rows}
        return render_paper("score_sheet", context, wishes, "lists", "blank_forms", wishes.portrait_css)


def registration_form_paper(event: str, club: str, wishes: PrintOptions) -> Paper:
    """A registration form with a line for the signature."""
    with translation.override(wishes.language):
        lines = (_("Name"), _("Birth date"), _("Club"), _("Federation, FIDE ID"), _("Rating"), _("Phone, email"))
        context = paper_context(_("Registration form"), club=club, event=event) | {
            "lines": (*lines, _("Byes"), _("Remarks"))
        }
        return render_paper("registration", context, wishes, "lists", "blank_forms", wishes.portrait_css)


def manual_pairing_guide_paper(event: str, club: str, wishes: PrintOptions, *, is_jahr: bool) -> Paper:
    """A guide to pairing with cards alone: sorting them by points, and filling in their boxes."""
    with translation.override(wishes.language):
        begin = [
            _("Write each player's name, rating and club on a card. Number the cards by rating, highest first."),
            _(
                "For each round, sort the cards into piles by points and pair within piles. On each card, "
                "write the opponent's number and the player's colour."
            ),
        ]
        context = paper_context(_("If the computer fails"), club=club, event=event)
        context["steps"] = begin + (_jahr_steps() if is_jahr else [_plain_step()])
        return render_paper("manual_pairing_guide", context, wishes, "lists", "blank_forms", wishes.portrait_css)


def door_poster_paper(
    event: str, club: str, city: str, wishes: PrintOptions, *, address: str, days: Sequence[date] = ()
) -> Paper:
    """A poster with the event, its days and the QR code of its pages."""
    with translation.override(wishes.language):
        context = paper_context(_("Door poster"), club=club, event=event) | {
            "picture": qr_code_data_uri(address),
            "address": address,
            "city": city,
            "when": " – ".join(date_format(day, "DATE_FORMAT") for day in dict.fromkeys(days)),
        }
        css = _poster_filled(context, wishes)
        return render_paper("door_poster", context, wishes, "posters_and_signs", wishes.portrait_css, css)


def _poster_filled(context: Mapping[str, Any], wishes: PrintOptions) -> str:
    """Return CSS for the largest title that fits on three lines and the largest QR code that fits."""
    event, where = (
        str(context["event"]),
        f"{context['club']}, {context['city']}" if context["city"] else context["club"],
    )

    def text_height(text: str, points: float, leading: float = _LEADING) -> float:
        lines = len(wrap_text(text, mm_to_ems(_POSTER, points), Typeface.TEXT_BOLD, can_break_words=True))
        return lines * points * leading * MM_PER_POINT

    title = next((each for each in _TITLES if text_height(event, each, 1) <= 3.01 * each * MM_PER_POINT), _TITLES[-1])
    logo = 30.0 if wishes.letterhead.logo else 0.0
    telling = text_height(_("Pairings, results and standings on your phone"), 18) + text_height(
        str(context["when"]), 18
    )
    words = text_height(where, 15) + text_height(event, title) + telling + text_height(str(context["address"]), 11)
    left = wishes.size.size_in_mm[1] - _SHEETS_MARGINS - logo - words - _POSTERS_GAPS
    code = max(60.0, min(130.0, left))
    above = max(0.0, left - code) * _OPTICAL
    return (
        f".poster {{ padding-top: {above:.1f}mm }} .poster h1 {{ font-size: {title}pt }}"
        f" .poster .code {{ width: {code:.1f}mm; height: {code:.1f}mm }}"
    )


_TITLES = (60, 54, 48, 43, 38, 34, 30, 25)
_LEADING, _OPTICAL = 1.37, 0.45
"""Line height for a size of type, and the optical centre of a sheet."""
_SHEETS_MARGINS, _POSTERS_GAPS = 30.0, 45.0
"""Top and bottom margins of a sheet, and the gaps of a poster with a small reserve, in millimetres."""


def hall_signs_paper(event: str, club: str, wishes: PrintOptions) -> Paper:
    """Signs for the playing hall, one per page."""
    with translation.override(wishes.language):
        signs = (
            _("Playing hall"),
            _("Silence"),
            _("Phones off"),
            _("Analysis"),
            _("Arbiter's table"),
            _("Registration"),
            _("No entry during play"),
        )
        high, wide = wishes.size.size_in_mm
        room = wide - 2 * _BESIDE_SIGN
        set_signs = [
            fit_text(
                add_no_break_spaces(sign, {wishes.language}),
                mm_to_ems(room, _SIGN),
                typeface=Typeface.TEXT_BOLD,
                min_size=30,
                max_two_line_size=100,
            )
            for sign in signs
        ]
        below = len(wrap_text(f"{event} · {club}", mm_to_ems(room, _BELOW_SIGN), Typeface.TEXT, can_break_words=True))
        logo = 20.0 if wishes.letterhead.logo else 0.0
        left = high - _SHEETS_MARGINS - logo - below * _BELOW_SIGN * _LEADING * MM_PER_POINT - _SPARE
        heights = {
            each.css_class: len(each.lines) * each.size / 100 * _SIGN * _SIGN_LEADING * MM_PER_POINT
            for each in set_signs
        }
        css = "\n".join(
            f"{name} {{ padding-top: {(left - tall) * _OPTICAL:.1f}mm }}"
            f" {name} + .club {{ padding-top: {(left - tall) * (1 - _OPTICAL):.1f}mm }}"
            for name, tall in ((f"h1.{each.replace(' ', '.')}", tall) for each, tall in heights.items())
        )
        context = paper_context(_("Hall signs"), club=club, event=event) | {"signs": set_signs}
        return render_paper(
            "hall_signs", context, wishes, "posters_and_signs", "fitted_text", wishes.landscape_css, css
        )


_SIGN, _BELOW_SIGN, _BESIDE_SIGN = 150, 15, 16.0
"""The largest type of a sign and the type of its foot, in points; the margin at each side, in millimetres."""
_SIGN_LEADING, _SPARE = 1.15, 4.0


def _jahr_steps() -> list[str]:
    """Return Jahr's articles 2 to 6, 8 and 9, for calculating by hand."""
    return [
        _(
            "Before the game, write the opponent's T in its box. In the next box, write a tenth of it, "
            "rounded to 2 decimal places. Round an exact half to the even digit."
        ),
        _("After the game, add the result to G and the tenth to A. T is G plus A."),
        _(
            "A bye is worth ½ point plus a tenth of the player's own T. A win by forfeit is worth 1 point. "
            "For forfeits, requested byes and absences, write a dash instead of a tenth."
        ),
        _(
            "Sort by G, then T, E and number. E is the sum of the opponents' T before the games. Round 1 has no "
            "totals yet."
        ),
    ]


def _plain_step() -> str:
    return _("After each game, add the points. Sort by points, then by number.")


_RULER = 30
"""The length of a ruler from the edge, in millimetres."""
_SIZES = (5, 5.5, 6.5, 8, 9, 10, 11.5)
"""The type sizes that papers use, in points."""
_GREYS = (0, 25, 50, 75, 90, 100)


def printer_test_paper(wishes: PrintOptions, *, club: str) -> Paper:
    """The printer test: rulers from each edge, cut marks, a ten-centimetre square, greys and type sizes."""
    with translation.override(wishes.language):
        heading = _("Printer test")
        context = paper_context(heading, club=club, body_class=str(wishes.size)) | {
            "sizes": [(size, f"s{str(size).replace('.', '-')}") for size in _SIZES],
            "greys": _GREYS,
        }
        return render_paper("printer_test", context, wishes, "printer_test", wishes.portrait_css, _picture(wishes))


def _picture(wishes: PrintOptions) -> str:
    """Return the rulers and marks as the background of the sheet."""
    wide, high = wishes.size.size_in_mm
    hairs = "".join(_ruler(wide, high))
    across, down = wide / 2, high / 4
    marks = "".join(
        f"M{x:.2f} {y - 8:.2f}v16M{x - 8:.2f} {y:.2f}h16" for x in (0, across, wide) for y in (down, 2 * down, 3 * down)
    )
    frame = f"M5 5h{wide - 10:.2f}v{high - 10:.2f}h-{wide - 10:.2f}z"
    square = f"M{across - 50:.2f} {high / 2 - 50:.2f}h100v100h-100z"
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}"'
        f' fill="none" stroke="#000"><path stroke-width=".1" d="{hairs}{marks}{frame}"/>'
        f'<path stroke-width=".2" d="{square}"/></svg>'
    )
    return f".test {{ height: {high}mm; background: url('data:image/svg+xml,{quote(picture)}') 0 0 no-repeat }}"


def _ruler(wide: float, high: float) -> list[str]:
    """Return strokes a millimetre apart from every edge inwards, longer at each fifth and tenth."""
    strokes = []
    for at in range(_RULER + 1):
        long = 6 if at % 10 == 0 else 4 if at % 5 == 0 else 2
        x, y = wide * 0.25, high * 0.375
        strokes += [
            f"M{x:.2f} {at}h{long}",
            f"M{x:.2f} {high - at:.2f}h{long}",
            f"M{at} {y:.2f}v{long}",
            f"M{wide - at:.2f} {y:.2f}v{long}",
        ]
    return strokes
