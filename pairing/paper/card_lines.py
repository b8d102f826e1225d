"""How a start card's boxes are set: a row of boxes is one run of text, its columns reached by tabs.

A text run costs a PDF the same whether it fills one box or eleven, so a row a run prints a card in a fifth of the time
that a table takes (`bench/paper.py`). Tab stops stand every `unit` along the row and a column is a whole number of
units wide; each text is padded with spaces of known width to the middle of its column, always far enough to end in
the column's last unit, so that one tab leads on to the next column.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pairing.engine.rules.colours import ColourPreference, PreferenceStrength
from pairing.engine.rules.field import Float
from pairing.engine.snapshot import Colour, HalfPoints
from pairing.engine.systems.jahr.totals import Hundredths
from pairing.paper.widths import FIGURE, POINT, WIDEST, fitted, spaces, width
from pairing.sheets.cards import CardResult, CardRow, StartCard

PIECES = {Colour.WHITE: "○", Colour.BLACK: "●"}
_FLOATS = {Float.DOWN: "↓", Float.UP: "↑"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of boxes, `units` wide; `name` says what stands in it."""

    name: str
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLayout:
    """How the boxes of a card stand. Units are CSS pixels (1/96 inch); the sizes of type are in points."""

    code: str
    unit: int
    figures: float
    labels: float
    foot_figures: float
    columns: tuple[Column, ...]
    foot: tuple[Column, ...]

    @property
    def width(self) -> int:
        return self.unit * sum(column.units for column in self.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCard:
    """A card as its template prints it: runs of text."""

    number: str
    name: str
    size: str
    details: str
    rows: str
    remarks: str
    foot: str


def _columns(**units: int) -> tuple[Column, ...]:
    return tuple(Column(name=name, units=count) for name, count in units.items())


JAHR_NARROW = CardLayout(
    code="jahr narrow",
    unit=18,
    figures=8,
    labels=5.5,
    foot_figures=9,
    columns=_columns(
        round=1,
        colour=1,
        opponent=2,
        name=3,
        float=1,
        counted=2,
        tenth=2,
        result=2,
        points=2,
        auxiliary=2,
        total=2,
    ),
    foot=_columns(place=3, points=3, total=4, exact=4, arbiter=6),
)
JAHR_WIDE = CardLayout(
    code="jahr wide",
    unit=43,
    figures=10.5,
    labels=7,
    foot_figures=11,
    columns=_columns(
        round=1,
        colour=1,
        opponent=1,
        name=7,
        float=1,
        counted=1,
        tenth=1,
        result=1,
        points=1,
        auxiliary=1,
        total=1,
    ),
    foot=_columns(place=2, points=2, total=2, exact=3, arbiter=8),
)
PLAIN_NARROW = CardLayout(
    code="plain narrow",
    unit=18,
    figures=8,
    labels=5.5,
    foot_figures=9,
    columns=_columns(round=1, colour=1, opponent=2, name=9, float=1, result=2, points=2, due=2),
    foot=_columns(place=3, points=3, arbiter=14),
)
PLAIN_WIDE = CardLayout(
    code="plain wide",
    unit=43,
    figures=10.5,
    labels=7,
    foot_figures=11,
    columns=_columns(round=1, colour=1, opponent=1, name=10, float=1, result=1, points=1, due=1),
    foot=_columns(place=2, points=3, arbiter=12),
)


def labels(layout: CardLayout) -> tuple[str, str]:
    """The headings of the boxes, and those of the foot, in the language now active."""
    words = {
        "round": pgettext("box of a card", "Rd"),
        "colour": "○●",
        "opponent": pgettext("box of a card", "No."),
        "name": pgettext("box of a card", "Opponent"),
        "float": "↓↑",
        "counted": pgettext("box of a card", "Opp. T"),
        "tenth": "10%",
        "result": pgettext("box of a card", "Result"),
        "points": "G"
        if any(column.name == "total" for column in layout.columns)
        else pgettext("box of a card", "Points"),
        "auxiliary": "A",
        "total": "T",
        "due": pgettext("box of a card", "Due"),
        "exact": "E",
        "place": pgettext("box of a card", "Place"),
        "arbiter": pgettext("box of a card", "Arbiter"),
    }
    em = _points(layout.unit) / layout.labels
    return _run(words, layout.columns, em, to_the_left=()), _run(words, layout.foot, em, to_the_left=words)


def set_card(card: StartCard, layout: CardLayout) -> SetCard:
    """A card's texts, in the language now active."""
    em = _points(layout.unit) / layout.figures
    return SetCard(
        number="" if card.number is None else str(card.number),
        name=f"{card.title} {card.name}".strip(),
        size=_size_of(f"{card.title} {card.name}".strip()),
        details=_details(card),
        rows="\n".join(_line(row, layout, em) for row in card.rows),
        remarks=_remarks(card),
        foot=_foot(card.result, layout),
    )


def points(half_points: HalfPoints | None) -> str:
    """Points so that whole ones stand under one another."""
    if half_points is None:
        return ""
    whole, half = divmod(half_points, 2)
    figures = str(whole) if whole or not half else ""
    return figures.rjust(2, FIGURE) + ("½" if half else FIGURE + POINT)


def hundredths(value: Hundredths | None) -> str:
    """A value with two decimals, the decimal signs under one another."""
    if value is None:
        return ""
    return f"{value // 100}".rjust(2, FIGURE) + f"{get_format('DECIMAL_SEPARATOR')}{value % 100:02}"


def _line(row: CardRow, layout: CardLayout, em: float) -> str:
    if row.is_empty:
        return _run({"round": str(row.number).rjust(2, FIGURE)}, layout.columns, em)
    texts = {
        "round": str(row.number).rjust(2, FIGURE),
        "colour": PIECES[row.colour] if row.colour else "",
        "opponent": "" if row.opponent is None else str(row.opponent).rjust(3, FIGURE),
        "name": fitted(row.opponent_name or row.bye_label, _units_of("name", layout) * em - 2 * _SLACK),
        "float": _FLOATS[row.float_mark] if row.float_mark else "",
        "result": row.symbol,
        "points": points(row.points),
        "due": _due(row.due) if row.points is not None else "",
    }
    if row.jahr is not None:
        texts["counted"] = hundredths(row.jahr.counted)
        texts["tenth"] = "–" if row.jahr.tenth is None else hundredths(row.jahr.tenth)
        texts["auxiliary"] = hundredths(row.jahr.auxiliary)
        texts["total"] = hundredths(row.jahr.total)
    return _run(texts, layout.columns, em)


def _run(
    texts: Mapping[str, str], columns: Sequence[Column], em: float, *, to_the_left: Container[str] = ("name",)
) -> str:
    """The texts of columns, by their names, as one line; `em` are those of a unit."""
    cells = (
        _cell(
            texts.get(column.name, ""),
            column.units * em,
            centred=column.name not in to_the_left,
            pushed=place * _PUSH,
        )
        for place, column in enumerate(columns)
    )
    return "".join(cells).rstrip()


def _cell(text: str, room: float, *, centred: bool, pushed: float) -> str:
    """A text in its column and the tab behind it. `pushed` is how far the tabs before push it to the right.

    The widest spaces fill the column but for the slack and less than one of themselves, and the tab does the rest:
    every space takes time, and every tab is printed a little too wide.
    """
    start = spaces((room - width(text)) / 2 - pushed if centred else _SLACK) if text else ""
    filled = room - width(start) - width(text) - _SLACK
    return start + text + WIDEST * int(filled / width(WIDEST)) + "\t"


_SLACK = 0.25
"""What is left of a column for the tab at least, in em: another font's spaces may be a little wider."""

_PUSH = 0.017
"""WeasyPrint prints a tab a fortieth too wide, which is so many em on average."""


def _due(preference: ColourPreference | None) -> str:
    if preference is None:
        return ""
    piece = PIECES[preference.colour]
    if preference.strength is PreferenceStrength.ABSOLUTE:
        return f"{piece}!"
    return f"({piece})" if preference.strength is PreferenceStrength.MILD else piece


def _size_of(name: str) -> str:
    """The CSS class that gives a name the largest type in which it fits."""
    return "short" if len(name) <= 24 else "middling" if len(name) <= 34 else "long"


def _details(card: StartCard) -> str:
    facts = [
        _("rating %(rating)s") % {"rating": card.rating} if card.rating else "",
        card.federation,
        card.club_name,
        _("born %(year)s") % {"year": card.birth_year} if card.birth_year else "",
    ]
    return " · ".join(fact for fact in facts if fact)


def _remarks(card: StartCard) -> str:
    apart = _("not with %(numbers)s") % {"numbers": ", ".join(map(str, card.not_with))} if card.not_with else ""
    return "; ".join(part for part in (apart, card.remark) if part)


def _foot(result: CardResult | None, layout: CardLayout) -> str:
    if result is None:
        return ""
    texts = {
        "place": str(result.place),
        "points": points(result.points).strip(),
        "total": hundredths(result.total),
        "exact": hundredths(result.exact),
    }
    em = _points(layout.unit) / layout.foot_figures
    return _run(texts, layout.foot, em)


def _units_of(name: str, layout: CardLayout) -> int:
    return next(column.units for column in layout.columns if column.name == name)


def _points(pixels: int) -> float:
    """CSS pixels in points."""
    return pixels * 0.75
