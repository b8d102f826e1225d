"""Printouts of an event: starting list, standings, crosstable, wall chart, prizes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Any

from django.utils import translation
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import PaperSize
from common.text.qr_codes import qr_code_data_uri
from pairing.explanations.reason_sentences import points_text
from pairing.printing.papers.generic_tables import (
    ListColumn,
    fit_wall_table,
    legend_height,
    table_paper,
    without_empty_columns,
)
from pairing.printing.papers.rounds import list_head_height
from pairing.printing.pdf.paper_templates import WALL, PrintOptions, paper_context, render_paper
from pairing.printing.pdf.text_fitting import (
    MM_PER_POINT,
    Typeface,
    fit_text,
    mm_to_ems,
    pad_numbers_to_align_digits,
    spaces_of_width,
    text_width,
)
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.players_and_results import StartingListPlayer, StartingListSheet
from pairing.view_models.sheets.prize_sheet import PrizeSheet
from pairing.view_models.sheets.round_robin_schedule import RoundRobinScheduleSheet
from pairing.view_models.sheets.standings_sheet import RoundResultCell, StandingsColumn, StandingsLine, StandingsSheet


class StartingListOrder(StrEnum):
    """The order of a starting list."""

    NUMBER = "number"
    RATING = "rating"
    NAME = "name"


def starting_list_paper(
    sheet: StartingListSheet, wishes: PrintOptions, *, order: StartingListOrder = StartingListOrder.NUMBER
) -> Paper:
    """The starting list by number, rating or name."""
    with translation.override(wishes.language):
        people = {
            StartingListOrder.NUMBER: sheet.players,
            StartingListOrder.RATING: sheet.players_by_rating,
            StartingListOrder.NAME: sheet.players_by_name,
        }[order]
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
            for each in people
        ]
        return table_paper(
            _("Starting list"),
            columns,
            rows,
            wishes,
            club=sheet.club,
            event=sheet.event,
            second_heading=wishes.in_second_language(lambda: _("Starting list")),
            is_wall_list=True,
        )


def schedule_paper(sheet: RoundRobinScheduleSheet, wishes: PrintOptions) -> Paper:
    """All rounds of a round robin."""
    with translation.override(wishes.language):
        context = _of_event(sheet.starting_list, _("Schedule"), sheet.starting_list.players) | {
            "schedule": sheet.rounds,
            "is_drawn": sheet.has_drawn_numbers,
            "second_heading": wishes.in_second_language(lambda: _("Schedule")),
        }
        return render_paper("schedule", context, wishes, "lists", wishes.portrait_css)


def attendance_paper(sheet: StartingListSheet, wishes: PrintOptions) -> Paper:
    """All players by name, with a box for each round."""
    with translation.override(wishes.language):
        context = _of_event(sheet, _("Attendance"), sheet.players_by_name)
        return render_paper("attendance", context, wishes, "lists", wishes.portrait_css)


def wall_chart_paper(sheet: StartingListSheet, wishes: PrintOptions, *, table: StandingsSheet | None = None) -> Paper:
    """All players by number, with a box for each round: opponent and colour above, running score below.

    Boxes are filled for the rounds of `table`; without it they are empty, for writing by hand.
    """
    with translation.override(wishes.language):
        context = _of_event(sheet, _("Wall chart"), sheet.players)
        lines = {line.player.tpn: line for line in table.lines} if table else {}
        is_a3 = wishes.size is PaperSize.A3
        form = _LARGE_CHART if is_a3 else _CHART
        later = WALL.height(wishes, is_sideways=True) - _HEAD_OF_COLUMNS
        lead = _("In each box: opponent and colour above, points so far below.")
        head = list_head_height(context, wishes, lead, is_sideways=True)
        row = form.fit_row_height(len(sheet.players), later - head, later)
        free = WALL.width(wishes, is_sideways=True) - form.others * (
            4 if any(line.player.rating for line in lines.values()) else 3
        )
        name = max(form.name, min(free - form.box * sheet.rounds_announced, form.name * _WIDEST_NAME))
        room, broken = mm_to_ems(name, form.points), int(row / 2 / (form.points * MM_PER_POINT * 1.2) * 20) * 5
        context["people"] = [
            (
                person,
                fit_text(
                    f"{person.title} {person.name}".strip(),
                    room,
                    typeface=Typeface.TEXT,
                    min_size=60,
                    max_two_line_size=min(broken, 90),
                ),
                _boxes(lines.get(person.number), sheet.rounds_announced),
                lines.get(person.number),
            )
            for person in sheet.players
        ]
        context["with_rating"] = any(person.rating for person in sheet.players)
        context["body_class"] = "list a3" if is_a3 else "list"
        css = (
            f".chart td, .chart tbody th {{ height: {row:.2f}mm }} .half {{ line-height: {row / 2 - 0.1:.2f}mm }}"
            f" .list .chart .name {{ width: {name + 3:.1f}mm }}"
        )
        return render_paper("wall_chart", context, wishes, "lists", "wall", "fitted_text", wishes.landscape_css, css)


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
    with translation.override(wishes.language):

        def full_heading() -> str:
            return f"{_heading(sheet)}: {category}" if category else _heading(sheet)

        context = _of_table(sheet, full_heading(), wishes.in_second_language(full_heading)) | {
            "code": qr_code_data_uri(address),
            "code_address": address,
        }
        columns = (
            ListColumn(heading=gettext_lazy("Place"), is_figure=True, is_bold=True),
            ListColumn(heading=gettext_lazy("No."), is_figure=True, is_small=True),
            ListColumn(heading=gettext_lazy("Name"), is_row_header=True),
            ListColumn(heading=gettext_lazy("Rating"), is_figure=True),
            ListColumn(heading=gettext_lazy("Fed."), is_unbroken=True),
            *(
                ListColumn(heading=_lazy_heading(column), is_figure=True, is_bold=not place)
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
        meanings = [" ".join(f"{each.heading}: {each.meaning}." for each in sheet.columns)]
        meanings.append(
            wishes.in_second_language(lambda: " ".join(f"{each.heading}: {each.meaning}." for each in sheet.columns))
        )
        css = fit_wall_table(
            kept,
            lines,
            wishes,
            head=list_head_height(context, wishes, ""),
            below=legend_height(meanings, wishes),
        )
        context |= {"columns": kept, "rows": [tuple(zip(kept, line, strict=True)) for line in lines]}
        return render_paper("standings", context, wishes, "lists", "wall", wishes.portrait_css, css)


def _lazy_heading(column: StandingsColumn) -> Promise:
    heading: Promise = lazy(lambda: str(column.heading), str)()  # type: ignore[assignment]
    return heading


def crosstable_paper(sheet: StandingsSheet, wishes: PrintOptions, *, by_place: bool = False) -> Paper:
    """The crosstable: opponent, colour and result of every round. Portrait if it fits.

    Opponents are given by number, or for a `crosstable_sheet` by place.
    """
    with translation.override(wishes.language):
        context = _of_table(sheet, _crossed_after(sheet), wishes.in_second_language(lambda: _crossed_after(sheet)))
        cells = _circles_under_one_another([[_crossed(cell) for cell in line.rounds] for line in sheet.lines])
        lines = list(zip(sheet.lines, cells, _values(sheet), strict=True))
        setting = _cross_setting(sheet, cells, wishes)
        signs = _(
            "+ and −: win and loss by forfeit. Number alone: points for a bye. –: absent. ·: no "
            "result yet. Blank: not in the event in that round."
        )
        context |= {
            "by_place": by_place,
            "lines": lines,
            "signs": _meanings_of(signs),
            "close": f"c{setting.points}".replace(".", "-"),
        }
        context["body_class"] = "list tight" if setting.is_tight else "list"
        page = wishes.portrait_css if setting.is_upright else wishes.landscape_css
        return render_paper("crosstable", context, wishes, "lists", "wall", page, setting.css_rules)


def _values(sheet: StandingsSheet) -> list[tuple[str, ...]]:
    """Return the values of every line, aligned by column."""
    columns = zip(*(line.values for line in sheet.lines), strict=True)
    return list(zip(*map(pad_numbers_to_align_digits, columns), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _CrossSetting:
    """The setting of a crosstable: type in points, gap between columns in millimetres, width of names in em."""

    is_upright: bool
    points: float
    gap: float
    name: float
    is_tight: bool = False

    @property
    def css_rules(self) -> str:
        half, name = self.gap / 2, self.name * self.points * MM_PER_POINT
        return (
            f".cross .cell, .cross .figure {{ padding-left: {half:.2f}mm; padding-right: {half:.2f}mm }}"
            f" .cross th:nth-child(3) {{ width: {name:.1f}mm }}"
            f" .cross {{ font-size: {self.points}pt }}"
        )

    def estimate_sheets(self, names: Sequence[str], wishes: PrintOptions) -> tuple[int, bool]:
        """Return the number of sheets for these names, and True if the last one holds only a few."""
        line = self.points * 1.3 * MM_PER_POINT + (_BETWEEN_TIGHT if self.is_tight else _BETWEEN_LINES)
        later = WALL.height(wishes, is_sideways=not self.is_upright) - _HEAD_OF_COLUMNS
        first = later - (_HEAD_OF_A_GUESTS_LIST if wishes.second_language else _HEAD_OF_A_LIST)
        needed = sum(line * (1 + (text_width(name, Typeface.TEXT) > self.name)) for name in names) + _MEANINGS
        count, left = 1, needed - first
        while left > 0:
            count, left = count + 1, left - later
        return count, count > 1 and left + later <= _A_FEW * line + _MEANINGS


_BETWEEN_LINES, _BETWEEN_TIGHT, _HEAD_OF_A_LIST, _HEAD_OF_A_GUESTS_LIST = 1.2, 0.7, 30.0, 42.0
"""Millimetres between two lines of a table, and for its head in one language or in two."""
_A_FEW, _MEANINGS = 5, 18.0
"""A number of lines that looks lost on a sheet, and the millimetres for the legend below the table."""


def _cross_setting(sheet: StandingsSheet, cells: Sequence[Sequence[str]], wishes: PrintOptions) -> _CrossSetting:
    """Return the largest type that fits, portrait if possible. A smaller one if it saves a sheet with few lines."""
    rounds = [
        max((text_width(each, Typeface.TEXT) for each in column), default=1.0) for column in zip(*cells, strict=True)
    ]
    values = [
        max(
            [
                text_width(str(column.heading), Typeface.TEXT),
                *(text_width(str(line.values[place]), Typeface.TEXT) for line in sheet.lines),
            ]
        )
        for place, column in enumerate(sheet.columns)
    ]
    names = sorted(text_width(line.player.name_with_title, Typeface.TEXT) for line in sheet.lines)
    name = min(_NAME_EMS, names[-1] if names else 1.0)
    needed = sum(rounds) + sum(values) + name + _PLACE_AND_NUMBER
    columns = len(rounds) + len(values) + 3

    def try_font_size(points: float, is_upright: bool) -> _CrossSetting | None:
        gap = (WALL.width(wishes, is_sideways=not is_upright) - needed * points * MM_PER_POINT) / columns
        if gap < _LEAST_GAP:
            return None
        left = max(0.0, gap - _MOST_GAP) * columns / (points * MM_PER_POINT)
        return _CrossSetting(is_upright=is_upright, points=points, gap=min(gap, _MOST_GAP), name=name + left)

    settings = (try_font_size(*each) for each in product(_CROSS_SIZES, (True, False)))
    found = [one for each in settings if each for one in (each, replace(each, is_tight=True))]
    if not found:
        return _CrossSetting(is_upright=False, points=_CROSS_SIZES[-1], gap=_LEAST_GAP / 2, name=name)
    everyone = [line.player.name_with_title for line in sheet.lines]
    count, leaves_a_few = found[0].estimate_sheets(everyone, wishes)
    smaller = [each for each in found if each.is_upright == found[0].is_upright] if leaves_a_few else []
    saved = next((each for each in smaller if each.estimate_sheets(everyone, wishes)[0] < count), None)
    larger = (try_font_size(points, found[0].is_upright) for points in _LARGER_CROSS_SIZES)
    fits = (each for each in larger if each and each.estimate_sheets(everyone, wishes)[0] <= count)
    return saved or next(fits, found[0])


_CROSS_SIZES = (9, 8, 7, 6.5, 6)
_LARGER_CROSS_SIZES = (20, 18, 16, 15, 14, 13, 12, 11.5, 11, 10.5, 10, 9.5)
"""Used if they need no more sheets."""
_NAME_EMS = 16.0
"""A longer name is wrapped."""
_PLACE_AND_NUMBER = 5.0
_LEAST_GAP, _MOST_GAP = 2.0, 3.0


def prizes_paper(sheet: PrizeSheet, wishes: PrintOptions, *, with_signatures: bool = False) -> Paper:
    """The prizes, list by list, or one line per player with space for a signature.

    The sheet must have been made in the printout's language.
    """
    with translation.override(wishes.language):
        heading = _("Prizes: signatures") if with_signatures else _("Prizes")
        context = paper_context(heading, club=sheet.club, event=sheet.event)
        context |= {"sheet": sheet, "with_signatures": with_signatures}
        return render_paper("prizes", context, wishes, "lists", wishes.portrait_css)


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


def _of_table(sheet: StandingsSheet, heading: str, second_heading: str = "") -> dict[str, Any]:
    context = paper_context(heading, club=sheet.club, event=sheet.event)
    return context | {"sheet": sheet, "second_heading": second_heading}


def _of_event(sheet: StartingListSheet, heading: str, people: tuple[StartingListPlayer, ...]) -> dict[str, Any]:
    context = paper_context(heading, club=sheet.club, event=sheet.event)
    return context | {"sheet": sheet, "people": people, "rounds": range(1, sheet.rounds_announced + 1)}
