"""How a start card's boxes are set: a row of boxes is one run of text, its columns reached by tabs.

A text run costs a PDF the same whether it fills one box or eleven, so a row a run prints a card in a fifth of the time
that a table takes (`bench/paper.py`). Tab stops stand every `unit` along the row and a column is a whole number of
units wide; each text is padded with spaces of known width to the middle of its column, always far enough to end in
the column's last unit, so that one tab leads on to the next column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pairing.engine.rules.colours import ColourPreference, PreferenceStrength
from pairing.engine.rules.field import Float
from pairing.engine.snapshot import Colour, HalfPoints
from pairing.engine.systems.jahr.totals import Hundredths
from pairing.sheets.cards import CardResult, CardRow, StartCard

FIGURE, POINT, HAIR = "\u2007", "\u2008", "\u200a"
"""Spaces as wide as a figure, as a decimal point, and the finest."""
_EM = {FIGURE: 0.572, POINT: 0.286, HAIR: 0.089, ".": 0.286, ",": 0.286, "½": 0.872, "–": 0.45, "−": 0.754, "+": 0.754}
_EM |= {"○": 0.785, "●": 0.785, "↓": 0.754, "↑": 0.754, "(": 0.351, ")": 0.351, "!": 0.361, "*": 0.45, "%": 0.855}
_EM |= dict.fromkeys("0123456789", 0.572) | dict.fromkeys("iljIfrt '|", 0.33)
_EM |= dict.fromkeys("mwMWЖШЩЮФМжшщюфм@", 0.9)
_LETTER, _CAPITAL = 0.57, 0.67
"""Widths in em of DejaVu Sans Condensed; for letters, of the usual one. Its figures are all of one width."""

PIECES = {Colour.WHITE: "○", Colour.BLACK: "●"}
_FLOATS = {Float.DOWN: "↓", Float.UP: "↑"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of boxes, `units` wide; `name` says what stands in it."""

    name: str
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLayout:
    """How the boxes of a card stand. Units are CSS pixels (1/96 inch); the sizes of type are in points.

    Its CSS class is `code`; the rules that give the type sizes named here are in `css/print/cards.css`.
    """

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
    """A card as its template prints it: runs of text. `names` are those of the opponents, one a line."""

    number: str
    name: str
    size: str
    details: str
    lines: tuple[str, ...]
    names: str
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
        "points": "G" if "total" in _names(layout.columns) else pgettext("box of a card", "Points"),
        "auxiliary": "A",
        "total": "T",
        "due": pgettext("box of a card", "Due"),
        "exact": "E",
        "place": pgettext("box of a card", "Place"),
        "arbiter": pgettext("box of a card", "Arbiter"),
    }
    em = _points(layout.unit) / layout.labels
    head = _run([(words[column.name], column.units) for column in layout.columns], em)
    foot = _run([(words[column.name], column.units) for column in layout.foot], em, centred=False)
    return head, foot


def set_card(card: StartCard, layout: CardLayout) -> SetCard:
    """A card's texts, in the language now active."""
    em = _points(layout.unit) / layout.figures
    room = next(column.units for column in layout.columns if column.name == "name") * em * 1.14
    return SetCard(
        number="" if card.number is None else str(card.number),
        name=f"{card.title} {card.name}".strip(),
        size=_size_of(f"{card.title} {card.name}".strip()),
        details=_details(card),
        lines=tuple(_line(row, layout, em) for row in card.rows),
        names="\n".join(fitted(row.opponent_name or row.bye_label, room) for row in card.rows).rstrip("\n"),
        remarks=_remarks(card),
        foot=_foot(card.result, layout),
    )


def grid_css(layout: CardLayout) -> str:
    """The upright lines of the boxes, as the background of the rows and of the foot."""
    selector = "." + layout.code.replace(" ", ".")
    return (
        f"{selector} .boxes {{ width: {layout.width}px; {_uprights(layout.columns, layout.unit, heavy='tenth')} }}\n"
        f"{selector} .foot {{ width: {layout.width}px; {_uprights(layout.foot, layout.unit)} }}\n"
        f"{selector} .names {{ left: {_left_of('name', layout)}px }}\n"
    )


def fitted(name: str, ems: float) -> str:
    """A name cut to so many em: the given names to initials first, then the end."""
    if width(name) <= ems:
        return name
    family, _comma, given = name.partition(", ")
    initials = " ".join(f"{part[0]}." for part in given.split() if part)
    if width(f"{family}, {initials}") <= ems:
        return f"{family}, {initials}"
    while family and width(family + "…") > ems:
        family = family[:-1]
    return family.rstrip(" -,.") + "…"


def width(text: str) -> float:
    """About how many em a text is wide."""
    return sum(_EM.get(sign) or (_CAPITAL if sign.isupper() else _LETTER) for sign in text)


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
        return _run([(str(row.number).rjust(2, FIGURE), 1)], em).rstrip("\t")
    texts = {
        "round": str(row.number).rjust(2, FIGURE),
        "colour": PIECES[row.colour] if row.colour else "",
        "opponent": "" if row.opponent is None else str(row.opponent).rjust(3, FIGURE),
        "name": "",
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
    return _run([(texts.get(column.name, ""), column.units) for column in layout.columns], em).rstrip("\t")


def _run(cells: Sequence[tuple[str, int]], em: float, *, centred: bool = True) -> str:
    """Texts with the width of their columns in units of so many em, as one line."""
    return "".join(_cell(text, units, em, centred=centred) for text, units in cells)


def _cell(text: str, units: int, em: float, *, centred: bool) -> str:
    if not text:
        return "\t" * units
    wide = width(text)
    before = (units * em - wide) / 2 if centred else 2 * _EM[HAIR]
    start = _spaces(before)
    end = width(start) + wide
    # The end must lie surely inside the last unit, or the tab would lead to the wrong stop.
    missing = (units - 1) * em + 0.15 - end
    return start + text + (_spaces(missing + _EM[HAIR]) if missing > 0 else "") + "\t"


def _spaces(ems: float) -> str:
    """White space about so many em wide."""
    spaces = ""
    for space in (FIGURE, POINT, HAIR):
        count = max(0, int(ems / _EM[space]))
        spaces += space * count
        ems -= count * _EM[space]
    return spaces


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
        "points": points(result.points).rstrip(FIGURE + POINT),
        "total": hundredths(result.total),
        "exact": hundredths(result.exact),
    }
    em = _points(layout.unit) / layout.foot_figures
    return _run([(texts.get(column.name, ""), column.units) for column in layout.foot], em).rstrip("\t")


def _names(columns: Sequence[Column]) -> list[str]:
    return [column.name for column in columns]


def _left_of(name: str, layout: CardLayout) -> int:
    place = _names(layout.columns).index(name)
    return layout.unit * sum(column.units for column in layout.columns[:place])


def _uprights(columns: Sequence[Column], unit: int, *, heavy: str = "") -> str:
    """Upright lines between columns, drawn as a picture that is stretched to the height of its box."""
    lines, x = [], 0
    for left, right in zip(columns, columns[1:], strict=False):
        x += left.units * unit
        thick = 1.3 if heavy and heavy in (left.name, right.name) else 0.5
        lines.append(f"M{x - thick / 2:g} 0h{thick}v100h-{thick}z")
    total = x + columns[-1].units * unit
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} 100" preserveAspectRatio="none">'
        f'<path d="{"".join(lines)}"/></svg>'
    )
    return f"background: url('data:image/svg+xml,{quote(picture)}') 0 0 / 100% 100% no-repeat;"


def _points(pixels: int) -> float:
    """CSS pixels in points."""
    return pixels * 0.75
