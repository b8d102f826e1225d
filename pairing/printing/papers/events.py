"""Printouts of an event: starting list, standings, crosstable, wall chart, prizes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import PaperSize
from pairing.explanations.reason_sentences import points_text
from pairing.printing.papers.generic_tables import (
    ListColumn,
    fit_wall_table,
    legend_height,
    table_paper,
    without_empty_columns,
)
from pairing.printing.papers.rounds import code_and_sheet, in_both_languages, list_head_height, list_row_space
from pairing.printing.pdf.paper_templates import WALL, PrintOptions, in_every_language, render_paper
from pairing.printing.pdf.text_fitting import (
    CROSS_SIZES,
    MM_PER_POINT,
    ColumnCells,
    Typeface,
    fit_rows_to_sheets,
    fit_text,
    mm_to_ems,
    pad_numbers_to_align_digits,
    spaces_of_width,
    text_width,
)
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.players_and_results import StartingListSheet
from pairing.view_models.sheets.prize_sheet import PrizeSheet
from pairing.view_models.sheets.round_robin_schedule import RoundRobinScheduleSheet
from pairing.view_models.sheets.standings_sheet import RoundResultCell, StandingsLine, StandingsSheet


def starting_list_paper(sheet: StartingListSheet, wishes: PrintOptions, *, order: str = "") -> Paper:
    """The starting list by `rating` or `name`, or else by number."""
    by_order = {"rating": sheet.players_by_rating, "name": sheet.players_by_name}
    columns = (
        ListColumn(heading=gettext_lazy("No."), is_figure=True),
        ListColumn(heading=gettext_lazy("Title"), is_unbroken=True),
        ListColumn(heading=gettext_lazy("Name"), is_row_header=True),
        ListColumn(heading=gettext_lazy("Rating"), is_figure=True),
        ListColumn(heading=gettext_lazy("Fed."), is_unbroken=True),
        ListColumn(heading=gettext_lazy("Club"), is_small=True),
        ListColumn(heading=gettext_lazy("Born"), is_figure=True),
    )
    rows = [
        (each.number, each.title, each.name, each.rating or "–", each.federation, each.club_name, each.birth_year)
        for each in by_order.get(order, sheet.players)
    ]
    return table_paper(gettext_lazy("Starting list"), columns, rows, sheet, wishes, is_wall_list=True)


def schedule_paper(sheet: RoundRobinScheduleSheet, wishes: PrintOptions) -> Paper:
    """All rounds of a round robin."""
    heading, context = gettext_lazy("Schedule"), {"schedule": sheet.rounds, "is_drawn": sheet.has_drawn_numbers}
    return render_paper("schedule", heading, sheet.starting_list, wishes, "lists", context=context)


def attendance_paper(sheet: StartingListSheet, wishes: PrintOptions) -> Paper:
    """All players by name, with a box for each round."""
    context = {"people": sheet.players_by_name, "rounds": range(1, sheet.rounds_announced + 1)}
    return render_paper("attendance", _("Attendance"), sheet, wishes, "lists", context=context)


def wall_chart_paper(sheet: StartingListSheet, wishes: PrintOptions, *, table: StandingsSheet | None = None) -> Paper:
    """All players by number, with a box for each round: opponent and colour above, running score below.

    Boxes are filled for the rounds of `table`; without it they are empty, for writing by hand.
    """
    heading = _("Wall chart")
    lines = {line.player.tpn: line for line in table.lines} if table else {}
    is_a3 = wishes.size is PaperSize.A3
    form = _LARGE_CHART if is_a3 else _CHART
    later = WALL.height(wishes, is_sideways=True) - _HEAD_OF_COLUMNS
    lead = _("In each box: opponent and colour above, points so far below.")
    head = list_head_height(heading, sheet, wishes, lead, is_sideways=True)
    row = form.fit_row_height(len(sheet.players), later - head, later)
    free = WALL.width(wishes, is_sideways=True) - form.others * (
        4 if any(line.player.rating for line in lines.values()) else 3
    )
    name = max(form.name, min(free - form.box * sheet.rounds_announced, form.name * _WIDEST_NAME))
    room, broken = mm_to_ems(name, form.points), int(row / 2 / (form.points * MM_PER_POINT * 1.2) * 20) * 5
    fit_name = partial(fit_text, ems=room, typeface=Typeface.TEXT, min_size=60, max_two_line_size=min(broken, 90))
    context = {
        "people": [
            (
                person,
                fit_name(f"{person.title} {person.name}".strip()),
                _boxes(lines.get(person.number), sheet.rounds_announced),
                lines.get(person.number),
            )
            for person in sheet.players
        ],
        "rounds": range(1, sheet.rounds_announced + 1),
        "with_rating": any(person.rating for person in sheet.players),
    }
    rules = (
        f".chart td, .chart tbody th {{ height: {row:.2f}mm }} .half {{ line-height: {row / 2 - 0.1:.2f}mm }}"
        f" .list .chart .name {{ width: {name + 3:.1f}mm }}"
    )
    css, body_class = ("lists", "wall", "fitted_text", rules), "list a3" if is_a3 else "list"
    return render_paper(
        "wall_chart", heading, sheet, wishes, *css, body_class=body_class, is_sideways=True, context=context
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChartForm:
    """The form of a wall chart: type in points, and widths of a name, a box and another column in millimetres.

    `name` is wider if there are few rounds; `highest` is the greatest height of a row.
    """

    points: float
    name: float
    box: float
    others: float
    highest: float

    def fit_row_height(self, count: int, first: float, later: float) -> float:
        """Return the largest row height that needs no more sheets than the smallest.

        `first` and `later` are the millimetres for rows on the first sheet and on the others.
        """
        heights = [self.highest * place / 40 for place in range(_LOWEST_ROW, 41)]

        def count_sheets(row: float) -> int:
            left = count - int(first / (row + _RULE))
            return 1 + max(0, -(-left // int(later / (row + _RULE))))

        return max(row for row in heights if count_sheets(row) == count_sheets(heights[0]))


_CHART = _ChartForm(points=10, name=50, box=15, others=13, highest=9)
_LARGE_CHART = _ChartForm(points=14, name=75, box=21, others=19, highest=12.5)
_WIDEST_NAME = 1.7
_LOWEST_ROW = 33
"""In fortieths of the highest."""
_HEAD_OF_COLUMNS, _RULE = 7.0, 0.2
"""Heights of the column headings and of the rule below a row, in millimetres."""


def _boxes(line: StandingsLine | None, rounds: int) -> list[tuple[str, str]]:
    """Return the upper and lower text of a player's boxes: opponent and colour, points so far."""
    boxes, sum_so_far = [], 0
    for cell in line.rounds if line else ():
        sum_so_far += _HALF_POINTS.get(cell.symbol, 0)
        above = f"{cell.opponent}{_PIECES[cell.colour]}" if cell.opponent else "–"
        boxes.append((above, points_text(sum_so_far) if cell.symbol else ""))
    return [*boxes, *[("", "")] * (rounds - len(boxes))]


_HALF_POINTS = {"1": 2, "1*": 2, "+": 2, "½": 1, "½*": 1}


def standings_paper(sheet: StandingsSheet, wishes: PrintOptions, *, address: str = "", category: str = "") -> Paper:
    """The standings after a round, or of a `category`. `address` is the page with the latest standings."""

    def full_heading() -> str:
        return f"{_heading(sheet)}: {category}" if category else _heading(sheet)

    heading = in_every_language(full_heading)
    columns = (
        ListColumn(heading=gettext_lazy("Place"), is_figure=True, is_bold=True),
        ListColumn(heading=gettext_lazy("No."), is_figure=True, is_small=True),
        ListColumn(heading=gettext_lazy("Name"), is_row_header=True),
        ListColumn(heading=gettext_lazy("Rating"), is_figure=True),
        ListColumn(heading=gettext_lazy("Fed."), is_unbroken=True),
        *(
            ListColumn(heading=in_every_language(partial(str, column.heading)), is_figure=True, is_bold=not place)
            for place, column in enumerate(sheet.columns)
        ),
        ListColumn(heading=gettext_lazy("Overall"), is_figure=True, is_small=True),
    )
    rows = [
        (
            line.place,
            line.player.tpn or "",
            line.player.name_with_title + (f" ({_('withdrawn')})" if line.has_withdrawn else ""),
            line.player.rating or "–",
            line.federation,
            *values,
            line.overall_place or "",
        )
        for line, values in zip(sheet.lines, _values(sheet), strict=True)
    ]
    kept, lines = without_empty_columns(columns, rows)
    head = list_head_height(heading, sheet, wishes, with_code=bool(address))
    below = legend_height(_column_meanings(sheet, wishes), wishes)
    css = fit_wall_table(kept, lines, wishes, head=head, below=below)
    context = code_and_sheet(sheet, address)
    context |= {"columns": kept, "rows": [tuple(zip(kept, line, strict=True)) for line in lines]}
    return render_paper("standings", heading, sheet, wishes, "lists", "wall", css, context=context)


def crosstable_paper(sheet: StandingsSheet, wishes: PrintOptions, *, by_place: bool = False) -> Paper:
    """The crosstable: opponent, colour and result of every round. Portrait if it fits.

    Opponents are given by number, or for a `crosstable_sheet` by place.
    """
    heading = in_every_language(partial(_crossed_after, sheet))
    cells = _circles_under_one_another([[_crossed(cell) for cell in line.rounds] for line in sheet.lines])
    values = _values(sheet)
    signs = _(
        "+ and −: win and loss by forfeit. Number alone: points for a bye. –: absent. ·: no "
        "result yet. Blank: not in the event in that round."
    )
    below = legend_height([signs, *_column_meanings(sheet, wishes)], wishes)
    is_sideways, css = _fit_crosstable(sheet, cells, values, wishes, heading, below)
    context = {
        "sheet": sheet,
        "by_place": by_place,
        "lines": list(zip(sheet.lines, cells, values, strict=True)),
        "signs": _meanings_of(signs),
    }
    return render_paper(
        "crosstable", heading, sheet, wishes, "lists", "wall", css, is_sideways=is_sideways, context=context
    )


def _values(sheet: StandingsSheet) -> list[tuple[str, ...]]:
    """Return the values of every line, aligned by column."""
    columns = zip(*(line.values for line in sheet.lines), strict=True)
    return list(zip(*map(pad_numbers_to_align_digits, columns), strict=True))


def _column_meanings(sheet: StandingsSheet, wishes: PrintOptions) -> list[str]:
    """Return what the columns mean, in both languages."""

    def in_words() -> str:
        return " ".join(f"{each.heading}: {each.meaning}." for each in sheet.columns)

    return [in_words(), wishes.in_second_language(in_words)]


def _fit_crosstable(
    sheet: StandingsSheet,
    cells: Sequence[Sequence[str]],
    values: Sequence[Sequence[str]],
    wishes: PrintOptions,
    heading: Promise,
    below: float,
) -> tuple[bool, str]:
    """Return True if the page is landscape, which makes small type larger, and the CSS of the table.

    `below` is the height in millimetres of what is below the table.
    """
    column = partial(ColumnCells, padding=_CROSS_GAP)
    names = [line.player.name_with_title for line in sheet.lines]
    rounds = [
        column(heads=(str(number), ""), texts=each) for number, each in enumerate(zip(*cells, strict=True), start=1)
    ]
    points = [
        column(heads=(str(of.heading), wishes.in_second_language(partial(str, of.heading))), texts=each)
        for of, each in zip(sheet.columns, zip(*values, strict=True), strict=False)
    ]
    columns = [
        column(heads=in_both_languages("Place", wishes), texts=[str(line.place) for line in sheet.lines]),
        column(heads=in_both_languages("No.", wishes), texts=[str(line.player.tpn or "") for line in sheet.lines]),
        column(heads=in_both_languages("Name", wishes), texts=names, can_wrap=True, whole=_NAME_EMS),
        *rounds,
        *points,
    ]
    ways = []
    for is_sideways in (False, True):
        head = list_head_height(heading, sheet, wishes, "12○1", is_sideways=is_sideways)
        room = list_row_space(wishes, head, below=below, is_sideways=is_sideways)
        style = fit_rows_to_sheets(columns, room, CROSS_SIZES)
        name = room.width - sum(style.widths) + style.widths[2]
        css = f"{style.css_rules} .cross th:nth-child(3) {{ width: {name - _CROSS_GAP:.1f}mm }}"
        ways.append((style.points, is_sideways, css))
    upright, sideways = ways
    return upright[1:] if upright[0] >= min(CROSS_SIZES.usual, sideways[0]) else sideways[1:]


_NAME_EMS, _CROSS_GAP = 16.0, 2.4
"""A longer name is wrapped; the gap between two columns in millimetres."""


def prizes_paper(sheet: PrizeSheet, wishes: PrintOptions, *, with_signatures: bool = False) -> Paper:
    """The prizes, list by list, or one line per player with space for a signature."""
    heading = _("Prizes: signatures") if with_signatures else _("Prizes")
    context = {"sheet": sheet, "with_signatures": with_signatures}
    return render_paper("prizes", heading, sheet, wishes, "lists", context=context)


def _meanings_of(text: str) -> list[tuple[str, str]]:
    """Return the signs and their meanings from sentences such as `+: won without play.`."""
    return re.findall(r"([^:]+?\s?): (.+?)\.(?:\s+|$)", text)


def _crossed(cell: RoundResultCell) -> tuple[str, str]:
    """Return opponent with colour, and result: `12○`, `1` is a win with White against number or place 12."""
    if cell.opponent is None:
        return "", cell.localised_symbol
    return f"{cell.opponent_line or cell.opponent}{_PIECES[cell.colour]}", cell.localised_symbol or "·"


def _circles_under_one_another(lines: Sequence[Sequence[tuple[str, str]]]) -> list[list[str]]:
    """Return opponents and results as one text, padded so that the colours are aligned."""
    rounds = [
        max((text_width(sign, Typeface.TEXT) for _opponent, sign in column), default=0.0)
        for column in zip(*lines, strict=True)
    ]
    return [
        [
            f"{opponent}{sign}{spaces_of_width(wide - text_width(sign, Typeface.TEXT), Typeface.TEXT) if sign else ''}"
            for (opponent, sign), wide in zip(line, rounds, strict=True)
        ]
        for line in lines
    ]


_PIECES = {"w": "○", "b": "●", "": ""}


def _heading(sheet: StandingsSheet) -> str:
    if not sheet.after_round:
        return _("Starting list")
    if sheet.first_round > 1:
        return _("Standings of rounds %(first)s to %(last)s") % {"first": sheet.first_round, "last": sheet.after_round}
    if sheet.after_round == sheet.rounds_announced and not sheet.is_provisional:
        return _("Final standings")
    return _("Standings after round %(number)s") % {"number": sheet.after_round}


def _crossed_after(sheet: StandingsSheet) -> str:
    if sheet.after_round == sheet.rounds_announced and not sheet.is_provisional:
        return _("Final crosstable")
    return _("Crosstable after round %(number)s") % {"number": sheet.after_round}
