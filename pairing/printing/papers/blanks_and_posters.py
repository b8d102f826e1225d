"""Blank forms to fill in by hand, and printouts for the playing hall."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.text.qr_codes import qr_code_data_uri
from pairing.printing.papers.rounds import SLIP_GRID, cut_paper, fit_event_and_club_names
from pairing.printing.pdf.paper_templates import (
    PaperNames,
    PrintOptions,
    add_no_break_spaces,
    paper_context,
    render_paper,
)
from pairing.printing.pdf.sheet_cutting import svg_background
from pairing.printing.pdf.text_fitting import Typeface, fit_text, mm_to_ems, wrap_text
from pairing.printing.pdf.weasyprint_rendering import Paper

_SLIP = 93.0
"""Width of the text on a slip, in millimetres."""
_ROWS = 28
_MOVES = 30
_POSTER = 178.0
"""Width of a poster, in millimetres."""


def blank_slips_paper(event: str, club: str, count: int, wishes: PrintOptions) -> Paper:
    """Blank result slips on full sheets, at least `count`. Round, board and names are filled in by hand."""
    line = fit_event_and_club_names(event, club, mm_to_ems(_SLIP, 7.5))
    of = PaperNames(event=event, club=club)
    sheets = -(-count // SLIP_GRID.pieces_per_sheet)
    slips, heading = range(sheets * SLIP_GRID.pieces_per_sheet), gettext_lazy("Blank result slips")
    return cut_paper("blank_result_slips", heading, of, slips, SLIP_GRID, wishes, "result_slips", event_line=line)


def blank_pairings_paper(event: str, club: str, boards: int, wishes: PrintOptions) -> Paper:
    """A blank pairing list with at least `boards` lines."""
    with translation.override(wishes.language):
        context = paper_context(_("Round ____: pairings"), PaperNames(event=event, club=club), wishes)
        context["boards"] = range(1, max(boards, _ROWS) + 1)
        return render_paper("blank_pairings", context, wishes, "lists", wishes.portrait_css)


def score_sheet_paper(event: str, club: str, wishes: PrintOptions) -> Paper:
    """A score sheet for a game of up to sixty moves."""
    with translation.override(wishes.language):
        rows = [(move, move + _MOVES) for move in range(1, _MOVES + 1)]
        context = paper_context(_("Score sheet"), PaperNames(event=event, club=club), wishes) | {"rows": rows}
        return render_paper("score_sheet", context, wishes, "lists", "blank_forms", wishes.portrait_css)


def registration_form_paper(event: str, club: str, wishes: PrintOptions) -> Paper:
    """A registration form with a line for the signature."""
    with translation.override(wishes.language):
        lines = (_("Name"), _("Birth date"), _("Club"), _("Federation, FIDE ID"), _("Rating"), _("Phone, email"))
        context = paper_context(_("Registration form"), PaperNames(event=event, club=club), wishes) | {
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
        context = paper_context(_("If the computer fails"), PaperNames(event=event, club=club), wishes)
        context["steps"] = begin + (_jahr_steps() if is_jahr else [_plain_step()])
        return render_paper("manual_pairing_guide", context, wishes, "lists", "blank_forms", wishes.portrait_css)


def door_poster_paper(
    event: str, club: str, city: str, wishes: PrintOptions, *, address: str, days: Sequence[date] = ()
) -> Paper:
    """A poster with the event, its days and the QR code of its pages."""
    with translation.override(wishes.language):
        context = paper_context(_("Door poster"), PaperNames(event=event, club=club), wishes) | {
            "picture": qr_code_data_uri(address),
            "address": address,
            "city": city,
            "when": " – ".join(date_format(day, "DATE_FORMAT") for day in dict.fromkeys(days)),
        }
        wrapped = {
            points: wrap_text(event, mm_to_ems(_POSTER, points), Typeface.TEXT_BOLD, can_break_words=True)
            for points in _TITLES
        }
        title = next((points for points, lines in wrapped.items() if len(lines) <= 3), _TITLES[-1])
        css = f".poster h1 {{ font-size: {title}pt }}"
        return render_paper("door_poster", context, wishes, "posters_and_signs", wishes.portrait_css, css)


_TITLES = (60, 54, 48, 43, 38, 34, 30, 25)


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
        room = mm_to_ems(wishes.size.size_in_mm[1] - 2 * _BESIDE_SIGN, _SIGN)
        fitted = [
            fit_text(
                add_no_break_spaces(sign, {wishes.language}),
                room,
                typeface=Typeface.TEXT_BOLD,
                min_size=30,
                max_two_line_size=100,
            )
            for sign in signs
        ]
        context = paper_context(_("Hall signs"), PaperNames(event=event, club=club), wishes) | {"signs": fitted}
        return render_paper("hall_signs", context, wishes, "posters_and_signs", "fitted_text", wishes.landscape_css)


_SIGN, _BESIDE_SIGN = 150, 16.0
"""The largest type of a sign, in points; the margin at each side, in millimetres."""


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
        context = paper_context(heading, PaperNames(club=club), wishes, body_class=str(wishes.size)) | {
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
    picture = f'<path stroke-width=".1" d="{hairs}{marks}{frame}"/><path stroke-width=".2" d="{square}"/>'
    return f".test {{ height: {high}mm; background: {svg_background((wide, high), picture)} }}"


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
