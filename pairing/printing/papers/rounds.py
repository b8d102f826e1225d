"""Printouts of a round: pairings, seating, result slips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.models import Club
from common.text.qr_codes import qr_code_data_uri
from pairing.printing.pdf.paper_templates import (
    LIST_LOGO_SIZE,
    WALL,
    HasNames,
    Margins,
    PrintOptions,
    in_every_language,
    names_of,
    render_paper,
    second_heading,
)
from pairing.printing.pdf.sheet_cutting import CutGrid, arrange_on_sheets
from pairing.printing.pdf.text_fitting import (
    MM_PER_POINT,
    SEAT_SIZES,
    ColumnCells,
    FittedText,
    RowSpace,
    RowStyle,
    Typeface,
    abbreviate_given_names,
    fit_rows_to_sheets,
    fit_text,
    mm_to_ems,
    pad_numbers_to_align_digits,
    text_width,
    wrap_text,
)
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.round_pairings import PairingSheet, PlayerSeat, seats_in_name_order
from pairing.view_models.sheets.standings_sheet import StandingsSheet
from tournaments.models import Round

SLIP_GRID = CutGrid(across=2, down=4)
FittedList = tuple[Any, RowStyle, str]
"""The names of a list as they fit, the style of its rows, and its CSS."""


def pairings_paper(sheet: PairingSheet, wishes: PrintOptions, *, address: str = "") -> Paper:
    """The pairings by board, byes last. `address` is the URL of the page that shows whether they are still current."""
    heading, context = in_every_language(partial(_heading, sheet)), code_and_sheet(sheet, address)
    players = [player for board in sheet.boards for player in (board.white, board.black)]
    points = pad_numbers_to_align_digits([player.points for player in players])
    fit = partial(_fit_pairings, sheet, points, wishes)
    (names, style, css), title = _with_largest_title(fit, heading, sheet, wishes, address)
    context["boards"] = list(zip(sheet.boards, names, points[::2], points[1::2], strict=True))
    context["table_class"] = style.table_class
    return render_paper("pairings", heading, sheet, wishes, "lists", "wall", css + title, context=context)


def code_and_sheet(sheet: PairingSheet | StandingsSheet, address: str) -> dict[str, Any]:
    """Return the sheet, and the QR code of the page that has its latest version."""
    return {"sheet": sheet, "code": qr_code_data_uri(address), "code_address": address}


def _fit_pairings(sheet: PairingSheet, points: Sequence[str], wishes: PrintOptions, head: float) -> FittedList:
    """Fit a pairing list below a head of `head` millimetres. Given names too long for a line become initials."""
    named: Any = [(each.white.name_with_title, each.black.name_with_title) for each in sheet.boards]
    short = _short_names(chain.from_iterable(named))
    numbers = [str(player.number) for board in sheet.boards for player in (board.white, board.black)]

    make_column = partial(_column, wishes, _BESIDE_PAIRED)
    number = make_column("No.", numbers, relative_size=0.8)
    score = make_column("Pts", list(points))
    board = make_column("Board", [str(each.board) for each in sheet.boards], typeface=Typeface.TEXT_BOLD)
    result = make_column("Result", [each.result_text for each in sheet.boards], min_width=_RESULT)
    byes = len(sheet.byes) + 1 if sheet.byes else 0
    room = list_row_space(wishes, head, below=7.0 if byes else 0.0, lines_below=byes)

    def fit_names(named: Sequence[tuple[str, ...]]) -> RowStyle:
        # Both names get the width of the longer ones.
        both, twins = ([of(each, key=_width) for each in named] for of in (max, min))
        names = ColumnCells(heads=(), texts=both, twins=twins, padding=_BESIDE_PAIRED + 0.8, can_wrap=True)
        columns = (board, number, names, score, result, score, names, number)
        return fit_rows_to_sheets(columns, room, SEAT_SIZES, points=wishes.points)

    for _again in range(3):
        style = fit_names(named)
        free = (room.width - sum(style.widths) + 2 * style.widths[2]) / 2 - _BESIDE_PAIRED - 0.8
        ems = mm_to_ems(free, style.points)
        named = [tuple(each if _width(each) <= ems else short.get(each, each) for each in pair) for pair in named]
    of_board, of_number, _names, of_score, of_result, *_others = (round(each - _PADDING, 1) for each in style.widths)
    css = (
        f"{style.css_rules} .pairings th:nth-child(1) {{ width: {of_board}mm }}"
        f" .pairings th.number {{ width: {of_number}mm }}"
        f" .pairings th.points {{ width: {of_score}mm }} .pairings th.result {{ width: {of_result}mm }}"
    )
    return named, style, css


_width = partial(text_width, typeface=Typeface.TEXT)
_BESIDE_PAIRED, _PADDING, _RESULT = 2.0, 1.6, 18.0
"""Millimetres beside a text of a pairing list, the part of them in its CSS, and the width of the result column."""


def _column(wishes: PrintOptions, padding: float, head: str, texts: Sequence[str], **more: Any) -> ColumnCells:
    return ColumnCells(heads=in_both_languages(head, wishes), texts=texts, padding=padding, **more)


def _with_largest_title(
    fit: Callable[[float], FittedList], heading: Promise, sheet: PairingSheet, wishes: PrintOptions, address: str
) -> tuple[FittedList, str]:
    """Return what `fit` returns for the height of the list's head, and the CSS of the title.

    The title is read from afar if that costs no sheet and leaves the rows legible from there.
    """
    lead = _("Starts %(time)s") % {"time": ""} if sheet.starts_at else wishes.second_language
    head = partial(list_head_height, heading, sheet, wishes, lead, with_code=bool(address))
    large, usual = (fit(head(title=title)) for title in (28, 18))
    if large[1].sheets > usual[1].sheets or large[1].points < min(usual[1].points, SEAT_SIZES.from_afar):
        return usual, ""
    return large, " h1 { font-size: 28pt }"


def _short_names(names: Iterable[str]) -> dict[str, str]:
    """Return names with initials, or in full if initials don't tell two of them apart."""
    short = {name: abbreviate_given_names(name) for name in names}
    counts = Counter(short.values())
    return {name: name if counts[initials] > 1 else initials for name, initials in short.items()}


def in_both_languages(word: str, wishes: PrintOptions) -> tuple[str, str]:
    """Return a word in both languages of a printout."""
    return _(word), wishes.in_second_language(lambda: _(word))


def list_row_space(
    wishes: PrintOptions, head: float, *, below: float = 0.0, lines_below: int = 0, is_sideways: bool = False
) -> RowSpace:
    """Return the space for rows on the sheets of a list. `head` is the height of the list's head in millimetres."""
    high = WALL.height(wishes, is_sideways=is_sideways)
    return RowSpace(
        width=WALL.width(wishes, is_sideways=is_sideways),
        first_height=high - head,
        later_height=high,
        space_below=below,
        lines_below=lines_below,
    )


def seating_paper(
    sheet: PairingSheet, wishes: PrintOptions, *, address: str = "", without_opponents: bool = False
) -> Paper:
    """The seating by name. `address` is the same as for `pairings_paper`.

    `without_opponents` leaves more room for large type: name, board and colour in two columns.
    """
    heading, context = in_every_language(partial(_where, sheet)), code_and_sheet(sheet, address)
    seats = seats_in_name_order(sheet)
    is_in_columns = without_opponents or len(seats) > MAX_SEATS_IN_ONE_COLUMN
    fit = _fit_two_columns if is_in_columns else _fit_seats
    context["with_circles"] = is_in_columns or wishes.second_language
    (found, style, css), title = _with_largest_title(partial(fit, seats, wishes), heading, sheet, wishes, address)
    context |= {"pages" if is_in_columns else "seats": found, "table_class": style.table_class}
    return render_paper("seating", heading, sheet, wishes, "lists", "wall", css + title, context=context)


def _fit_seats(found: Sequence[PlayerSeat], wishes: PrintOptions, head: float) -> FittedList:
    """Fit a list of seats with opponents below a head of `head` millimetres.

    Given names of opponents become initials if that saves a sheet, wraps fewer lines or makes the type larger.
    """
    words = "" if wishes.second_language else max(_("White"), _("Black"), key=_width)

    make_column = partial(_column, wishes, _BESIDE_SEATS)
    columns = (
        make_column("Player", [each.player.name for each in found], can_wrap=True),
        make_column("No.", [str(each.player.number) for each in found], relative_size=0.8),
        make_column("Board", [str(each.board) for each in found], typeface=Typeface.TEXT_BOLD),
        make_column("Colour", [f"○ {words}"] * len(found)),
    )
    room = list_row_space(wishes, head)
    whole = [each.opponent.name if each.opponent else "" for each in found]

    def fit_names(names: list[str]) -> FittedList:
        opponents = make_column("Opponent", names, can_wrap=True)
        style = fit_rows_to_sheets((*columns, opponents), room, SEAT_SIZES, points=wishes.points)
        return list(zip(found, names, strict=True)), style, style.css_rules

    ways = map(fit_names, (whole, list(map(abbreviate_given_names, whole))))
    return min(ways, key=lambda way: (way[1].sheets, way[1].wrapped, -way[1].points))


_BESIDE_SEATS = 2.5
"""Millimetres beside a text."""

MAX_SEATS_IN_ONE_COLUMN = 100
"""The most names in one column, with opponents; more are in two columns, with board and colour only."""


def _fit_two_columns(found: Sequence[PlayerSeat], wishes: PrintOptions, head: float) -> FittedList:
    """Fit a list of seats in two columns below a head of `head` millimetres.

    The type is as large as possible without more sheets than usual. Fewer wrapped lines come before type that is larger
    than needed at three metres. Given names of those too long for a line become initials.
    """
    usual = _in_two_columns(found, wishes, head, wishes.points or SEAT_SIZES.usual)
    sizes = () if wishes.points else range(_LARGEST_SEATS, int(SEAT_SIZES.usual), -1)
    ways = [way for size in sizes if (way := _in_two_columns(found, wishes, head, size))[1].sheets <= usual[1].sheets]
    afar = [way for way in ways if way[1].points >= SEAT_SIZES.from_afar]
    pages, style = min(afar, key=lambda way: way[1].wrapped) if afar else [*ways, usual][0]
    board, colour = (each * style.points * MM_PER_POINT for each in _BOARD_AND_COLOUR)
    css = f".columns {{ font-size: {style.points}pt }} .columns .figure {{ width: {board:.1f}mm }}"
    return pages, style, f"{css} .columns .colour {{ width: {colour:.1f}mm }}"


def _in_two_columns(
    found: Sequence[PlayerSeat], wishes: PrintOptions, head: float, points: float
) -> tuple[Any, RowStyle]:
    """Return pages of two columns and their style. `head` is in millimetres, and wrapped texts take several lines."""
    line = points * 1.3 * MM_PER_POINT
    high = WALL.height(wishes) - line - (6 if wishes.second_language else 2)
    beside = sum(_BOARD_AND_COLOUR)
    room = mm_to_ems(WALL.width(wishes) * 0.485 - 9, points) - beside
    short = _short_names(seat.player.name for seat in found)
    rows, wrapped = [], 0
    for seat in found:
        name = seat.player.name if _width(seat.player.name) <= room else short[seat.player.name]
        lines = len(wrap_text(name, room - (0.8 if _width(name) > room else 0), Typeface.TEXT, can_break_words=True))
        wrapped += lines - 1
        # A label is set smaller.
        label = 0 if seat.board else 0.87 * len(wrap_text(str(seat.label), beside / 0.8, Typeface.TEXT))
        rows.append(((seat, name), max(lines, label) * line + _BETWEEN))
    columns: list[list[Any]] = [[]]
    left = high - head
    for row in rows:
        if left < row[1]:
            columns.append([])
            left = high - head if len(columns) == 2 else high
        left -= row[1]
        columns[-1].append(row)
    # The last sheet's columns have about equal heights, to leave space for the text below them.
    last = [row for column in columns[-2 + len(columns) % 2 :] for row in column]
    halves = [(last[:at], last[at:]) for at in range(len(last) + 1)]
    columns[-2 + len(columns) % 2 :] = min(halves, key=lambda half: max(sum(row[1] for row in each) for each in half))
    seats = [[seat for seat, _high in column] for column in columns]
    pages = [seats[place : place + 2] for place in range(0, len(seats), 2)]
    style = RowStyle(sheets=len(pages), wrapped=wrapped, points=points, row_gap=_BETWEEN, widths=())
    return pages, style


def list_head_height(
    heading: str | Promise,
    of: HasNames | Club,
    wishes: PrintOptions,
    lead: str = "",
    *,
    with_code: bool = False,
    is_sideways: bool = False,
    margins: Margins = WALL,
    title: float = 18,
) -> float:
    """Return the largest height of a list's head in millimetres. `title` is the size of its title in points."""
    letterhead, names = wishes.letterhead, names_of(of)
    wide = margins.width(wishes, is_sideways=is_sideways) - (29 if with_code else 0)
    logo = letterhead.logo_width(*LIST_LOGO_SIZE) + 4 if letterhead.logo else 0
    beside = (
        ("" if letterhead.names_club(names.club) else names.club, 11, Typeface.TEXT),
        (letterhead.header, 8.5, Typeface.TEXT),
        (names.event, 11, Typeface.TEXT_BOLD),
        (f"{heading} {_('provisional')} …", title, Typeface.TEXT_BOLD),
    )
    below = ((second_heading(heading, wishes), 12, Typeface.TEXT), (lead, 10, Typeface.TEXT))
    texts = [(each, wide - logo) for each in beside] + [(each, wide - (0 if names.event else logo)) for each in below]
    lines = (
        (wrap_text(text, mm_to_ems(room, points), face, can_break_words=True), points)
        for (text, points, face), room in texts
        if text
    )
    return max(25.0, sum(len(each) * points for each, points in lines) * 1.3 * MM_PER_POINT + 2) + _BELOW_HEAD


_BELOW_HEAD, _BETWEEN = 6.0, 1.22
"""The space below a list's head, and the extra height of a row in a column, in millimetres."""
_BOARD_AND_COLOUR = (2.2, 1.3)
"""The widths of these columns of a list without opponents, in ems."""
_LARGEST_SEATS = 28
"""The largest type of a list without opponents, in points."""


def result_slips_paper(sheet: PairingSheet, wishes: PrintOptions, *, board_url: Callable[[int], str]) -> Paper:
    """Result slips, eight per page. Once cut and stacked, the piles are in board order.

    `board_url` returns the address of a board's page, where its result is entered.
    """
    slips = [
        {
            "board": board,
            "code": qr_code_data_uri(link),
            "link": link,
            "address": _written(link),
            "white": _on_slip(board.white.name),
            "black": _on_slip(board.black.name),
        }
        for board, link in ((each, board_url(each.board)) for each in sheet.boards)
    ]
    heading = _("Round %(number)s: result slips") % {"number": sheet.number}
    return _slips_paper("result_slips", heading, sheet, slips, wishes)


def number_slips_paper(
    sheet: PairingSheet, numbers: Iterable[tuple[str, int, int | None]], wishes: PrintOptions
) -> Paper:
    """Slips for players whose number changed because of late entries: name, new and former number. Eight per page.

    The former number is None for players who had none on paper.
    """
    slips = [{"name": _on_slip(name), "number": number, "former": former} for name, number, former in numbers]
    return _slips_paper("number_slips", _("Slips with new numbers"), sheet, slips, wishes)


def _slips_paper(
    template: str, heading: str, sheet: PairingSheet, slips: Sequence[object], wishes: PrintOptions
) -> Paper:
    line = _event_and_state(sheet)
    return cut_paper(template, heading, sheet, wishes, slips, SLIP_GRID, "result_slips", sheet=sheet, event_line=line)


def cut_paper(
    template: str,
    heading: str,
    of: HasNames,
    wishes: PrintOptions,
    things: Sequence[object],
    cut: CutGrid,
    style: str,
    **context: object,
) -> Paper:
    """Return a printout of `things` on sheets to cut. Once cut and stacked, the piles are in order."""
    body_class = f"{wishes.size} on-{cut.pieces_per_sheet}"
    context |= {"sheets": arrange_on_sheets(things, cut, stacked=True), "marks": cut.cut_mark_classes}
    css = ("cut_sheets", "fitted_text", style)
    return render_paper(template, heading, of, wishes, *css, body_class=body_class, context=context)


_SLIP = 93.0
"""Width of the text on a slip, in millimetres; `_BEFORE_NAME` is the part for piece and number."""
_BEFORE_NAME = 14.0
_BESIDE_CODE = 18.0


def _event_and_state(sheet: PairingSheet) -> FittedText:
    """Return the event with the state of the pairing."""
    state = _("draft") if sheet.is_draft else pgettext("pairing", "provisional") if sheet.provisional_until else ""
    return fit_event_and_club_names(
        sheet.event, sheet.club, mm_to_ems(_SLIP - _BESIDE_CODE, 7.5), suffix=f" · {state}" if state else ""
    )


def fit_event_and_club_names(event: str, club: str, room: float, *, suffix: str = "") -> FittedText:
    """Return the event and, if both fit in `room` ems, its club. A long event name is set smaller, on two lines."""
    both = f"{event} · {club}{suffix}"
    if text_width(both, Typeface.TEXT) <= room:
        return FittedText(lines=(both,), size=100)
    return fit_text(event + suffix, room, typeface=Typeface.TEXT, min_size=80, max_two_line_size=80)


def _written(address: str) -> str:
    """Return an address for typing. Empty if it is longer than a line."""
    words = address.partition("://")[2] or address
    return words if text_width(words, Typeface.TEXT) <= mm_to_ems(_SLIP - _BESIDE_CODE, 6) else ""


def _on_slip(name: str) -> FittedText:
    return fit_text(
        name, mm_to_ems(_SLIP - _BEFORE_NAME, 11), typeface=Typeface.TEXT, min_size=55, max_two_line_size=60
    )


def combine_papers(papers: Iterable[Paper]) -> Paper:
    """Combine several printouts into one document."""
    return Paper(parts=tuple(part for paper in papers for part in paper.parts))


def _heading(sheet: PairingSheet) -> str:
    """Return the heading of a pairing list: results once the round is finished."""
    is_over = sheet.state == Round.State.FINISHED and not sheet.open_board_count
    words = _("Round %(number)s: results") if is_over else _("Round %(number)s: pairings")
    return words % {"number": sheet.number}


def _where(sheet: PairingSheet) -> str:
    return _("Round %(number)s: seating list") % {"number": sheet.number}
