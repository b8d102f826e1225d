"""The layout of a sheet of start cards, with all ruled lines as one background picture.

Lines drawn as borders and backgrounds take a third of a card's rendering time; one picture takes almost none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from pairing.printing.papers.card_rows import (
    CardColumn,
    CardLayout,
    full_size_line_height,
    max_full_size_lines,
    max_small_lines,
    small_line_height,
)
from pairing.printing.pdf.sheet_cutting import CutGrid, svg_background

_PIXEL = 25.4 / 96
_FOOT_LABELS = 2.8
_ABOVE_LABELS = 0.8
"""Millimetres between the lower writing line and the headings of the boxes."""
_GAP = 2.5
"""Millimetres between the number's box and the name."""
_BEFORE_REMARKS = 0.7
_BEFORE_LEGEND = 0.4
_ABOVE_THE_LINE = 0.2
"""Names that fill their row are this much higher, so that descenders do not touch the line."""
_OF_NUMBER = 0.72
"""The height of the name as a part of the number's box; the player's facts are below it."""
_THICK, _THIN = 0.35, 0.13


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFormat:
    """The size of a card in millimetres. `title` and `small` are font sizes in points.

    From the top, it has a white margin (`edge`), the event, and the number's box at `head` with the name beside it.
    Then follow the boxes with their `labels`, a legend, `remarks`, and the foot, whose writing space is `foot` high.
    `line` is a line of the form on the back. `min_row_height` is the lowest row in which digits fit between two lines.
    Cards that are written on need `min_handwritten_row_height`.
    """

    code: str
    cut: CutGrid
    head: float
    number: float
    title: float
    remarks: float
    foot: float
    line: float
    edge: float = 5.0
    labels: float = 2.9
    small: float = 6.5
    min_row_height: float = 2.85
    min_handwritten_row_height: float = 3.4
    logo: float = 0.0
    """Width for the club's logo, to the right of the name; 0 if the name needs all the space."""
    is_wide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGeometry:
    """The geometry of a card: its format, the sheet's size in millimetres, and the rows of its layout."""

    form: CardFormat
    layout: CardLayout
    sheet: tuple[float, float]
    rows: int
    logo: float = 0.0
    """Width of the club's logo on a card; 0 without one."""
    legend_lines: int = 1
    colour: str = ""
    """The club's colour for the frame round the number; empty for black.

    Small type stays black: printers without colours would break it into dots.
    """

    @property
    def card_width(self) -> float:
        return self.sheet[0] / self.form.cut.across

    @property
    def card_height(self) -> float:
        return self.sheet[1] / self.form.cut.down

    @property
    def inner_width(self) -> float:
        """The width of the boxes and of every line of text."""
        return self.layout.width_px * _PIXEL

    def width_beside_number(self, *, with_logo: bool) -> float:
        """Return the width for the name next to the number. With `with_logo`, the logo's width is subtracted."""
        beside = self.logo + _GAP if with_logo else 0.0
        return self.inner_width - self.form.number - _GAP - beside

    @property
    def name_height(self) -> float:
        """The height for the name, in one line or two."""
        return self.form.number * _OF_NUMBER

    @property
    def max_remark_lines(self) -> int:
        """The number of lines of remarks that fit."""
        return max(1, int(self.form.remarks / remark_line_height(self.form)))

    @property
    def boxes_top(self) -> float:
        """The top of the boxes."""
        return self.form.head + self.form.number + 1.6

    @property
    def foot_top(self) -> float:
        """The top of the foot."""
        return self.card_height - self.form.edge - self.form.foot - _FOOT_LABELS

    @property
    def remarks_top(self) -> float:
        """The top of the remarks."""
        return self.foot_top - self.form.remarks - 0.9

    @property
    def legend_line_height(self) -> float:
        """The height of a line in the legend."""
        return self.layout.labels * _PIXEL * 96 / 72 * 1.2

    @property
    def legend_height(self) -> float:
        """The height of the legend."""
        return self.legend_line_height * self.legend_lines + (_BEFORE_LEGEND if self.legend_lines else 0)

    @property
    def row_height(self) -> float:
        """The height of a row."""
        return self._room / self.rows

    @property
    def max_rows(self) -> int:
        """The maximum number of rounds on a card."""
        return int(self._room / self.form.min_row_height)

    @property
    def _room(self) -> float:
        return self.remarks_top - self.legend_height - _BEFORE_REMARKS - self.boxes_top - self.form.labels

    def css_rules(self, counts: Iterable[int]) -> str:
        """Return CSS: variables for `css/print/start_cards.css`, and the lines for each number of cards in `counts`."""
        form, layout = self.form, self.layout
        lengths = {
            "edge": form.edge,
            "head": form.head,
            "number": form.number,
            "boxes": self.boxes_top,
            "written": (self.boxes_top - form.head) / 2,
            "second-line": (self.boxes_top + form.head) / 2 - _ABOVE_LABELS,
            "labels": form.labels,
            "rows-high": self.row_height * self.rows,
            "before-remarks": _BEFORE_REMARKS,
            "legend": self.legend_line_height * self.legend_lines,
            "before-legend": _BEFORE_LEGEND,
            "legend-line": self.legend_line_height,
            "logo": form.logo,
            "row-high": self.row_height,
            "remarks": self.remarks_top,
            "gap": _GAP,
            "name-high": self.name_height,
            "names-line": small_line_height(layout),
            "full-line": full_size_line_height(layout),
            "remark-line": remark_line_height(form),
            "foot": self.foot_top,
            "foot-labels": _FOOT_LABELS,
            "foot-high": form.foot,
            "line": form.line,
        }
        sizes = {
            "title": form.title,
            "small": form.small,
            "figures": layout.figures,
            "names": layout.names,
            "label": layout.labels,
            "foot-figures": layout.foot_figures,
        }
        variables = [f"--{name}: {length:.3f}mm" for name, length in lengths.items()]
        variables += [f"--{name}: {size}pt" for name, size in sizes.items()]
        variables += [f"--unit: {layout.unit}px", f"--boxes-wide: {layout.width_px}px"]
        variables.append(f"--before-name: {layout.name_offset_px}px")
        rules = [f"body {{ {'; '.join(variables)} }}"]
        if form.cut.across == 2:
            rules.append(f".card.x1 {{ left: {self._left_of(1):.3f}mm }}")
        rules += self._places_of_names()
        rules += [f".holds-{count} {{ {self._picture(count)} }}" for count in counts]
        return "\n".join(rules)

    def _places_of_names(self) -> Iterator[str]:
        """Yield the CSS of wrapped names, which come after the rows and are moved up to the middle of theirs."""
        line, full, high = small_line_height(self.layout), full_size_line_height(self.layout), self.row_height
        for row in range(1, self.rows + 1):
            middle = (self.rows - row + 0.5) * high
            for lines in range(1, max_small_lines(self.layout, high) + 1):
                each = min(line, max(high, line) / lines)
                up = middle + lines * each / 2 + (_ABOVE_THE_LINE if each < line else 0)
                tight = f"; line-height: {each:.3f}mm" if each < line else ""
                yield f".r{row}-{lines} {{ margin-top: {-up:.3f}mm; margin-bottom: {up:.3f}mm{tight} }}"
            for lines in range(2, max_full_size_lines(self.layout, high) + 1):
                up = middle + lines * full / 2
                yield f".f{row}-{lines} {{ margin-top: {-up:.3f}mm; margin-bottom: {up:.3f}mm }}"

    def _picture(self, count: int) -> str:
        """Return the lines of a sheet with `count` cards as a CSS background."""
        across = self.form.cut.across
        corners = [(self._left_of(place % across), place // across * self.card_height) for place in range(count)]
        layers = (
            (_THIN, "", "".join(self._thin_lines(x, y) for x, y in corners)),
            (_THICK, "", "".join(self._thick_lines(x, y) for x, y in corners)),
            (_THICK, self.colour, "".join(self._round_the_number(x, y) for x, y in corners)),
        )
        return f"background: {svg_background(self.sheet, ''.join(_path(*layer) for layer in layers))}"

    def _left_of(self, column: int) -> float:
        """Return the left of a column of cards: left of the cut if its boxes would be too near the sheet's edge."""
        return min(column * self.card_width, self.sheet[0] - self.inner_width - 2 * self.form.edge) if column else 0.0

    def _thin_lines(self, x: float, y: float) -> str:
        """Return the lines between columns and rows of a card, and in its foot."""
        left, right = x + self.form.edge, x + self.form.edge + self.layout.width_px * _PIXEL
        top = y + self.boxes_top
        first = top + self.form.labels
        bottom = first + self.rows * self.row_height
        uprights = [_upright(left + at, top, bottom) for at in self._between(self.layout.columns)]
        levels = [_level(first + number * self.row_height, left, right) for number in range(self.rows)]
        foot_top, foot_bottom = y + self.foot_top, y + self.card_height - self.form.edge
        uprights += [_upright(left + at, foot_top, foot_bottom) for at in self._between(self.layout.foot)]
        return "".join((*uprights, *levels))

    def _thick_lines(self, x: float, y: float) -> str:
        """Return the lines round the boxes and the foot, and beside the added box of Jahr's card."""
        form = self.form
        left, wide = x + form.edge, self.layout.width_px * _PIXEL
        boxes_high = form.labels + self.rows * self.row_height
        frames = (
            _frame(left, y + self.boxes_top, wide, boxes_high),
            _frame(left, y + self.foot_top, wide, form.foot + _FOOT_LABELS),
        )
        added = [
            _upright(left + at, y + self.boxes_top, y + self.boxes_top + boxes_high) for at in self._beside("tenth")
        ]
        return "".join((*frames, *added))

    def _round_the_number(self, x: float, y: float) -> str:
        return _frame(x + self.form.edge, y + self.form.head, self.form.number, self.form.number)

    def _between(self, columns: tuple[CardColumn, ...]) -> list[float]:
        """Return the borders between columns, from the left of the boxes."""
        unit = self.layout.unit * _PIXEL
        return [units * unit for units in accumulate(column.units for column in columns[:-1])]

    def _beside(self, name: str) -> list[float]:
        """Return the left and right of a column. Empty if there is no such column."""
        names = [column.name for column in self.layout.columns]
        return self._between(self.layout.columns)[names.index(name) - 1 :][:2] if name in names else []


def remark_line_height(form: CardFormat) -> float:
    """Return the height of a line of remarks, in millimetres."""
    return form.small * _PIXEL * 96 / 72 * 1.2


def _path(thickness: float, colour: str, path: str) -> str:
    stroke = f' stroke="{colour}"' if colour else ""
    return f'<path stroke-width="{thickness}"{stroke} d="{path}"/>' if path else ""


def _upright(x: float, top: float, bottom: float) -> str:
    return f"M{x:.2f} {top:.2f}V{bottom:.2f}"


def _level(y: float, left: float, right: float) -> str:
    return f"M{left:.2f} {y:.2f}H{right:.2f}"


def _frame(x: float, y: float, wide: float, high: float) -> str:
    return f"M{x:.2f} {y:.2f}h{wide:.2f}v{high:.2f}h-{wide:.2f}z"
