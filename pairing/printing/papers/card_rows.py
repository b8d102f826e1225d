"""Typesetting of a start card's boxes: each row is one run of text with tabs between columns.

A text run costs a PDF the same for one box as for eleven. A run for each row therefore prints a card in a fifth of the
time of a table (`lab/paper.py`). There is a tab stop at every `unit`, and a column is a whole number of units wide.
Spaces of known width centre each text and reach into the column's last unit. One tab then leads to the next column.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from django.utils import translation
from django.utils.formats import get_format
from django.utils.translation import pgettext

from pairing.engine.rules.colour_preferences import ColourPreference, PreferenceStrength
from pairing.engine.rules.players import FloatDirection
from pairing.engine.snapshot import Colour, HalfPoints
from pairing.engine.systems.jahr.point_totals import Hundredths
from pairing.printing.pdf.text_fitting import (
    EM_SPACE,
    EN_SPACE,
    FIGURE_SPACE,
    PUNCTUATION_SPACE,
    Typeface,
    abbreviate_given_names,
    mm_to_ems,
    spaces_of_width,
    text_width,
    truncate_text,
    wrap_text,
)
from pairing.printing.pdf.weasyprint_pages import CELL_SEPARATOR
from pairing.view_models.sheets.start_cards import StartCardResult, StartCardRow

COLOUR_SYMBOLS = {Colour.WHITE: "○", Colour.BLACK: "●"}
_FLOATS = {FloatDirection.DOWN: "↓", FloatDirection.UP: "↑"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardColumn:
    """A column of boxes, `units` wide. `name` says what is in it."""

    name: str
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLayout:
    """The layout of a card's boxes: units in CSS pixels (1/96 inch), font sizes in points.

    `names` is the type of names that are too long for their box in the type `figures`.
    """

    code: str
    unit: int
    figures: float
    names: float
    labels: float
    foot_figures: float
    columns: tuple[CardColumn, ...]
    foot: tuple[CardColumn, ...]

    @property
    def width_px(self) -> int:
        return self.unit * sum(column.units for column in self.columns)

    @property
    def has_jahr_boxes(self) -> bool:
        """Return True if the card has the boxes for Jahr's method."""
        return any(column.name == "total" for column in self.columns)

    @property
    def name_offset_px(self) -> int:
        """The distance of the opponent's name from the left, in pixels."""
        names = [column.name for column in self.columns]
        return self.unit * sum(column.units for column in self.columns[: names.index("name")])


@dataclass(frozen=True, slots=True, kw_only=True)
class WrappedName:
    """A name that needs several lines: its row from 1, and its lines, in small type unless `is_full`."""

    row: int
    lines: tuple[str, ...]
    is_full: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def css_class(self) -> str:
        """The class that centres the lines on the row."""
        return f"full f{self.row}-{len(self.lines)}" if self.is_full else f"r{self.row}-{len(self.lines)}"


def _columns(**units: int) -> tuple[CardColumn, ...]:
    return tuple(CardColumn(name=name, units=count) for name, count in units.items())


_narrow = partial(CardLayout, unit=8, figures=8, names=6, labels=6, foot_figures=9)
_wide = partial(CardLayout, unit=43, figures=10.5, names=8, labels=7, foot_figures=11)
JAHR_NARROW = _narrow(
    code="jahr narrow",
    columns=_columns(
        round=2, colour=2, opponent=4, name=12, float=2, counted=4, tenth=4, result=4, points=3, auxiliary=4, total=4
    ),
    foot=_columns(place=6, points=8, total=8, exact=9, arbiter=14),
)
JAHR_WIDE = _wide(
    code="jahr wide",
    columns=_columns(
        round=1, colour=1, opponent=1, name=7, float=1, counted=1, tenth=1, result=1, points=1, auxiliary=1, total=1
    ),
    foot=_columns(place=2, points=3, total=3, exact=3, arbiter=6),
)
PLAIN_NARROW = _narrow(
    code="plain narrow",
    columns=_columns(round=2, colour=2, opponent=4, name=21, float=2, result=5, points=5, due=4),
    foot=_columns(place=6, points=7, arbiter=32),
)
PLAIN_WIDE = _wide(
    code="plain wide",
    columns=_columns(round=1, colour=1, opponent=1, name=10, float=1, result=1, points=1, due=1),
    foot=_columns(place=2, points=3, arbiter=12),
)


def box_labels(layout: CardLayout) -> tuple[str, str]:
    """Return the headings of the boxes and the foot, in the active language."""
    words = _heads(layout)
    em = _points(layout.unit) / layout.labels
    return _run(words, layout.columns, em, to_the_left=()), _run(words, layout.foot, em, to_the_left=words)


def _heads(layout: CardLayout) -> dict[str, str]:
    """Return the headings of boxes by their names, in the active language."""
    words = {
        "round": pgettext("box of a card", "Rd"),
        "colour": "○●",
        "opponent": pgettext("box of a card", "No."),
        "name": pgettext("box of a card", "Opponent"),
        "float": "↓↑",
        "counted": pgettext("box of a card", "Opp. T"),
        "tenth": "10%",
        "result": pgettext("box of a card", "Result"),
        "points": "G" if layout.has_jahr_boxes else pgettext("box of a card", "Points"),
        "auxiliary": "A",
        "total": "T",
        "due": pgettext("box of a card", "Due"),
        "exact": "E",
        "place": pgettext("box of a card", "Place"),
        "arbiter": pgettext("box of a card", "Arbiter"),
    }
    return {column.name: words[column.name] for column in (*layout.columns, *layout.foot)}


def card_legend(layout: CardLayout, second: str, wide: float) -> tuple[str, ...]:
    """Return the lines in the legend, in the active language. `wide` is their width in millimetres.

    With a `second` language, for guests, it also has the headings in that language; empty for none.
    """
    lines = [_letters()] if layout.has_jahr_boxes else []
    if not second:
        return tuple(lines)
    heads = _heads(layout).values()
    with translation.override(second):
        again = [f"{head}: {word}" for head, word in zip(heads, _heads(layout).values(), strict=True) if head != word]
        again += [_letters()] if layout.has_jahr_boxes else []
    return (*lines, *wrap_text(", ".join(again), mm_to_ems(wide, layout.labels), Typeface.CARDS, can_break_words=True))


def _letters() -> str:
    return pgettext("box of a card", "G: points, A: auxiliary points, T: total points, E: exact value")


def typeset_card_rows(
    rows: Sequence[StartCardRow], layout: CardLayout, row_high: float
) -> tuple[str, tuple[WrappedName, ...]]:
    """Return the rows on a card as text, and the names that need several lines. `row_high` is in millimetres.

    Names are all full, in up to three lines where rows are high enough, or all with initials if one does not fit. Names
    that still do not fit are in small type.
    """
    em = _points(layout.unit) / layout.figures
    room = _units_of("name", layout) * em - 2 * _SLACK
    most_lines = max_small_lines(layout, row_high)
    # In lower rows all names are small, so that descenders and accents do not collide.
    is_tight = row_high < full_size_line_height(layout)
    most_full = max_full_size_lines(layout, row_high)
    with_given = all(
        text_width(row.opponent_name) <= room or _stacked(row.opponent_name, room, most_full) for row in rows
    )
    lines, small = [], []
    for place, row in enumerate(rows, start=1):
        name = row.opponent_name or row.bye_label
        if row.opponent_name and not with_given:
            name = abbreviate_given_names(name)
        if text_width(name) > room and (stacked := _stacked(name, room, most_full)):
            small.append(WrappedName(row=place, lines=stacked, is_full=True))
            name = ""
        if text_width(name) > room or (is_tight and name):
            of_row = _small_name(row.opponent_name or row.bye_label, room * layout.figures / layout.names, most_lines)
            small.append(WrappedName(row=place, lines=of_row))
            name = ""
        lines.append(_line(row, layout, em, name))
    return "\n".join(lines), tuple(small)


def _stacked(name: str, room: float, most: int) -> tuple[str, ...]:
    """Wrap a name to at most `most` lines of `room` em. Empty if it needs one line or does not fit."""
    lines = wrap_text(name, room, Typeface.CARDS)
    return lines if 2 <= len(lines) <= most and all(text_width(line) <= room for line in lines) else ()


def max_full_size_lines(layout: CardLayout, row_high: float) -> int:
    """Return the maximum number of lines for a name at full size, for a row height in millimetres."""
    return min(3, max(1, int(row_high / full_size_line_height(layout))))


def full_size_line_height(layout: CardLayout) -> float:
    """Return the line height of a name at full size, in millimetres."""
    return layout.figures * _LEADING


def max_small_lines(layout: CardLayout, row_high: float) -> int:
    """Return the maximum number of lines for a name in small type, set tightly, for a row height in millimetres."""
    return min(4, max(1, int(row_high / (layout.names * _TIGHT))))


def small_line_height(layout: CardLayout) -> float:
    """Return the line height of a name in small type, in millimetres."""
    return layout.names * _LEADING


_LEADING = 0.353 * 1.2
"""Line height in millimetres for each point of type, with space for accents on capitals."""
_TIGHT = 0.353 * 1.08
"""Tighter line height, for names that would otherwise be cut."""


def _small_name(name: str, room: float, most_lines: int) -> tuple[str, ...]:
    """Wrap a name in lines of `room` em: full, with initials, or the family name only. Otherwise it is cut."""
    family, comma, given = name.partition(", ")
    named = (name, abbreviate_given_names(name), f"{family}{comma}{given[:1]}." if given else family)
    few = min(2, most_lines)
    for most, text in (*product((few,), named), *product((most_lines,), (*named[1:], family))):
        lines = wrap_text(text, room, Typeface.CARDS, can_break_words=most_lines > 1)
        if len(lines) <= most and all(text_width(line) <= room for line in lines):
            return lines
    return wrap_text(truncate_text(family, most_lines * room * 0.9), room, Typeface.CARDS, can_break_words=True)[
        :most_lines
    ]


def format_points(half_points: HalfPoints | None) -> str:
    """Return points as text with the whole points aligned."""
    if half_points is None:
        return ""
    whole, half = divmod(half_points, 2)
    figures = str(whole) if whole or not half else ""
    return figures.rjust(2, FIGURE_SPACE) + ("½" if half else FIGURE_SPACE + PUNCTUATION_SPACE)


def format_hundredths(value: Hundredths | None) -> str:
    """Return a value with two decimals, aligned at the decimal separator."""
    if value is None:
        return ""
    return f"{value // 100}".rjust(2, FIGURE_SPACE) + f"{get_format('DECIMAL_SEPARATOR')}{value % 100:02}"


def _line(row: StartCardRow, layout: CardLayout, em: float, name: str) -> str:
    if row.is_empty:
        return _run({"round": str(row.number).rjust(2, FIGURE_SPACE)}, layout.columns, em)
    texts = {
        "round": str(row.number).rjust(2, FIGURE_SPACE),
        "colour": COLOUR_SYMBOLS[row.colour] if row.colour else "",
        "opponent": "" if row.opponent is None else str(row.opponent).rjust(3, FIGURE_SPACE),
        "name": name,
        "float": _FLOATS[row.float_mark] if row.float_mark else "",
        "result": row.localised_symbol,
        "points": format_points(row.points),
        "due": _due(row.due_colour) if row.points is not None else "",
    }
    if row.jahr is not None:
        texts["counted"] = format_hundredths(row.jahr.counted)
        texts["tenth"] = "–" if row.jahr.tenth is None else format_hundredths(row.jahr.tenth)
        texts["auxiliary"] = format_hundredths(row.jahr.auxiliary)
        texts["total"] = format_hundredths(row.jahr.total)
    return _run(texts, layout.columns, em)


def _run(
    texts: Mapping[str, str], columns: Sequence[CardColumn], em: float, *, to_the_left: Container[str] = ("name",)
) -> str:
    """Return the texts of columns, by name, as one line. `em` is the width of a unit."""
    cells = (
        _cell(
            texts.get(column.name, ""),
            column.units * em,
            centred=column.name not in to_the_left,
            pushed=place * _PUSH,
        )
        for place, column in enumerate(columns)
    )
    return "".join(cells).rstrip(_NOTHING)


def _cell(text: str, room: float, *, centred: bool, pushed: float) -> str:
    """Return a text in its column, with the tab after it. `pushed` is the error of the tabs before, in em.

    The widest spaces fill most of the column and the tab does the rest. Every space takes time, and every tab is
    printed slightly too wide.
    """
    start = spaces_of_width((room - text_width(text)) / 2 - pushed if centred else _SLACK) if text else ""
    filled = room - text_width(start) - text_width(text) - _SLACK
    wide = int(filled / text_width(EM_SPACE))
    half = EN_SPACE if filled - wide * text_width(EM_SPACE) >= text_width(EN_SPACE) else ""
    return start + text + EM_SPACE * wide + half + CELL_SEPARATOR


_NOTHING = f"{EM_SPACE}{EN_SPACE}{FIGURE_SPACE}{PUNCTUATION_SPACE}{CELL_SEPARATOR}"
"""Characters that draw nothing at the end of a line."""


_SLACK = 0.25
"""The least width for the tab, in em: spaces of another font may be slightly wider."""

_PUSH = 0.012
"""WeasyPrint prints a tab one fortieth too wide: this is the average, in em."""


def _due(preference: ColourPreference | None) -> str:
    if preference is None:
        return ""
    piece = COLOUR_SYMBOLS[preference.colour]
    if preference.strength is PreferenceStrength.ABSOLUTE:
        return f"{piece}!"
    return f"({piece})" if preference.strength is PreferenceStrength.MILD else piece


def typeset_card_foot(result: StartCardResult | None, layout: CardLayout) -> str:
    """Return the foot of a card, which is empty until the event is over."""
    if result is None:
        return ""
    texts = {
        "place": str(result.place),
        "points": format_points(result.points).strip(),
        "total": format_hundredths(result.total),
        "exact": format_hundredths(result.exact),
    }
    em = _points(layout.unit) / layout.foot_figures
    return _run(texts, layout.foot, em)


def _units_of(name: str, layout: CardLayout) -> int:
    return next(column.units for column in layout.columns if column.name == name)


def _points(pixels: int) -> float:
    """Convert CSS pixels to points."""
    return pixels * 0.75
