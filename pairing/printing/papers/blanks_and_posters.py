"""Blank forms to fill in by hand, and printouts for the playing hall."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from common.text.qr_codes import qr_code_data_uri
from pairing.printing.papers.rounds import SLIP_GRID, cut_paper, fit_event_and_club_names, list_head_height
from pairing.printing.pdf.paper_templates import FILED, PaperNames, PrintOptions, add_no_break_spaces, render_paper
from pairing.printing.pdf.sheet_cutting import svg_background
from pairing.printing.pdf.text_fitting import Typeface, fit_text, mm_to_ems, wrap_text
from pairing.printing.pdf.weasyprint_rendering import Paper

_SLIP = 93.0
"""Width of the text on a slip, in millimetres."""
_MOVES = 30
_POSTER = 178.0
"""Width of a poster, in millimetres."""


def blank_slips_paper(names: PaperNames, count: int, wishes: PrintOptions) -> Paper:
    """Blank result slips on full sheets, at least `count`. Round, board and names are filled in by hand."""
    line = fit_event_and_club_names(names.event, names.club, mm_to_ems(_SLIP, 7.5))
    slips = range(-(-count // SLIP_GRID.pieces_per_sheet) * SLIP_GRID.pieces_per_sheet)
    heading = _("Blank result slips")
    return cut_paper("blank_result_slips", heading, names, wishes, slips, SLIP_GRID, "result_slips", event_line=line)


def blank_pairings_paper(names: PaperNames, boards: int, wishes: PrintOptions) -> Paper:
    """A blank pairing list with at least `boards` lines, which fill their sheets."""
    heading = _("Round ____: pairings")
    high = FILED.height(wishes) - _BLANK_HEAD - (_SECOND_LANGUAGE if wishes.second_language else 0)
    later = int(high / _BLANK_ROW)
    rows = int((high - list_head_height(heading, names, wishes, margins=FILED)) / _BLANK_ROW)
    while rows < boards:
        rows += later
    context = {"boards": range(1, rows + 1)}
    return render_paper("blank_pairings", heading, names, wishes, "lists", context=context)


_BLANK_HEAD, _SECOND_LANGUAGE, _BLANK_ROW = 5.0, 3.3, 9.69
"""The heights of the column headings, of those in the second language, and of a row, in millimetres."""


def score_sheet_paper(names: PaperNames, wishes: PrintOptions) -> Paper:
    """A score sheet for a game of up to sixty moves."""
    rows = [(move, move + _MOVES) for move in range(1, _MOVES + 1)]
    return render_paper("score_sheet", _("Score sheet"), names, wishes, "lists", "blank_forms", context={"rows": rows})


def registration_form_paper(names: PaperNames, wishes: PrintOptions) -> Paper:
    """A registration form with a line for the signature."""
    lines = [_("Name"), _("Birth date"), _("Club"), _("Federation, FIDE ID"), _("Rating"), _("Phone, email")]
    context = {"lines": [*lines, _("Byes"), _("Remarks")]}
    return render_paper("registration", _("Registration form"), names, wishes, "lists", "blank_forms", context=context)


def manual_pairing_guide_paper(names: PaperNames, wishes: PrintOptions, *, is_jahr: bool) -> Paper:
    """A guide to pairing with cards alone: sorting them by points, and filling in their boxes."""
    steps = [
        _("Write each player's name, rating and club on a card. Number the cards by rating, highest first."),
        _(
            "For each round, sort the cards into piles by points and pair within piles. On each card, "
            "write the opponent's number and the player's colour."
        ),
    ]
    steps += _jahr_steps() if is_jahr else [_("After each game, add the points. Sort by points, then by number.")]
    heading = _("If the computer fails")
    return render_paper(
        "manual_pairing_guide", heading, names, wishes, "lists", "blank_forms", context={"steps": steps}
    )


def door_poster_paper(
    names: PaperNames, city: str, wishes: PrintOptions, *, address: str, days: Sequence[date] = ()
) -> Paper:
    """A poster with the event, its days and the QR code of its pages."""
    context = {
        "picture": qr_code_data_uri(address),
        "address": address,
        "city": city,
        "when": " – ".join(date_format(day, "DATE_FORMAT") for day in dict.fromkeys(days)),
    }
    wrapped = {
        points: wrap_text(names.event, mm_to_ems(_POSTER, points), Typeface.TEXT_BOLD, can_break_words=True)
        for points in _TITLES
    }
    title = next((points for points, lines in wrapped.items() if len(lines) <= 3), _TITLES[-1])
    css = f".poster h1 {{ font-size: {title}pt }}"
    return render_paper("door_poster", _("Door poster"), names, wishes, "posters_and_signs", css, context=context)


_TITLES = (60, 54, 48, 43, 38, 34, 30, 25)


def hall_signs_paper(names: PaperNames, wishes: PrintOptions) -> Paper:
    """Signs for the playing hall, one per page."""
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
    css = ("posters_and_signs", "fitted_text")
    return render_paper("hall_signs", _("Hall signs"), names, wishes, *css, is_sideways=True, context={"signs": fitted})


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


_RULER = 30
"""The length of a ruler from the edge, in millimetres."""
_SIZES = (5, 5.5, 6.5, 8, 9, 10, 11.5)
"""The type sizes that papers use, in points."""
_GREYS = (0, 25, 50, 75, 90, 100)


def printer_test_paper(wishes: PrintOptions, *, club: str) -> Paper:
    """The printer test: rulers from each edge, cut marks, a ten-centimetre square, greys and type sizes."""
    heading, names, body_class = _("Printer test"), PaperNames(club=club), str(wishes.size)
    context = {"sizes": [(size, f"s{str(size).replace('.', '-')}") for size in _SIZES], "greys": _GREYS}
    css = ("printer_test", _picture(wishes))
    return render_paper("printer_test", heading, names, wishes, *css, body_class=body_class, context=context)


def _picture(wishes: PrintOptions) -> str:
    """Return the rulers and marks as the background of the sheet."""
    wide, high = wishes.size.size_in_mm
    hairs = "".join(_ruler(wide, high))
    across, down = wide / 2, high / 4
    places = [(x, y) for x in (0, across, wide) for y in (down, 2 * down, 3 * down) if (x, y) != (across, 2 * down)]
    marks = "".join(f"M{x:.2f} {y - 8:.2f}v16M{x - 8:.2f} {y:.2f}h16" for x, y in places)
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
