"""What a round needs on paper: pairings, where everyone sits, result slips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pairing.sheets.rounds import PairingSheet, SheetBoard
from pairing.sheets.seating import Seat, seats
from pairing.typesetting.aligning import aligned
from pairing.typesetting.arranging import Cut, cut_sheets
from pairing.typesetting.fitting import MM_OF_POINT, Fitted, ems, fit, in_lines
from pairing.typesetting.making import LOGO_ON_LISTS, Wishes, code_of, margin_below, part_of
from pairing.typesetting.pdfs import Paper
from pairing.typesetting.widths import Face, width
from tournaments.models import Round

SLIPS = Cut(across=2, down=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A result slip: a board, and the QR code of the page where its result is entered."""

    board: SheetBoard
    code: str
    address: str
    white: Fitted
    black: Fitted


def pairings_paper(sheet: PairingSheet, wishes: Wishes, *, address: str = "") -> Paper:
    """The pairing of a round by boards, byes last; `address` is where phones read whether it still holds."""
    with translation.override(wishes.language):
        context = _of_round(sheet, _heading(sheet), wishes.in_second(lambda: _heading(sheet)))
        context |= {"code": code_of(address), "code_address": address}
        names = [(board.white.name, board.black.name) for board in sheet.boards]
        players = [player for board in sheet.boards for player in (board.white, board.black)]
        points = aligned([player.points for player in players])
        context["boards"] = list(zip(sheet.boards, points[::2], points[1::2], strict=True))
        context["are_many"] = any((player.tpn or 0) > 99 for player in players)
        context["body_class"] = size_of_list(_lines_of(names) + len(sheet.byes), large=22, middling=30)
        return Paper(parts=(part_of("pairings", context, wishes, "lists", wishes.upright),))


def seating_paper(sheet: PairingSheet, wishes: Wishes, *, address: str = "") -> Paper:
    """Where everyone sits, by name; `address` as for pairings."""
    with translation.override(wishes.language):
        context = _of_round(sheet, _where(sheet), wishes.in_second(lambda: _where(sheet)))
        context |= {"seats": seats(sheet), "code": code_of(address), "code_address": address}
        names = [(seat.player.name, seat.opponent.name if seat.opponent else "") for seat in context["seats"]]
        context["body_class"] = size_of_list(_lines_of(names), large=28, middling=36)
        if len(names) > MOST_IN_ONE_COLUMN:
            context["pages"] = _in_two_columns(
                context["seats"], wishes, head_high(context, wishes, _("Begins %(time)s") % {"time": ""})
            )
        return Paper(parts=(part_of("seating", context, wishes, "lists", wishes.upright),))


MOST_IN_ONE_COLUMN = 100
"""So many names stand in one column with their opponents; more in two, with board and colour alone."""


def _in_two_columns(found: Sequence[Seat], wishes: Wishes, head: float) -> list[list[list[Seat]]]:
    """Pages of two columns below a head so many millimetres high; a name of two lines takes the room of two."""
    high = wishes.size.millimetres[1] - ABOVE - margin_below(wishes.letterhead) - (9 if wishes.second else 6)
    columns: list[list[Seat]] = [[]]
    left = high - head
    for seat in found:
        lines = len(in_lines(seat.player.name, ems(_SEAT_NAME, 9), Face.TEXT, anywhere=True))
        takes = lines * _LINE + _BETWEEN
        if left < takes:
            columns.append([])
            left = high - head if len(columns) == 2 else high
        left -= takes
        columns[-1].append(seat)
    return [columns[place : place + 2] for place in range(0, len(columns), 2)]


def head_high(context: Mapping[str, Any], wishes: Wishes, lead: str, *, wide: float = 0.0) -> float:
    """How high what stands above a list is, in millimetres, with all that may stand there; `wide` is its sheet."""
    letterhead, code = wishes.letterhead, context.get("code", "")
    wide = (wide or wishes.size.millimetres[0]) - 2 * _BESIDE - (29 if code else 0)
    logo = letterhead.logo_wide(*LOGO_ON_LISTS) + 4 if letterhead.logo else 0
    beside = (
        (context["club"], 11, Face.TEXT),
        (letterhead.header, 8.5, Face.TEXT),
        (context["event"], 11, Face.TEXT_BOLD),
        (f"{context['heading']} {_('provisional')} …", 18, Face.TEXT_BOLD),
    )
    below = (
        (context.get("second_heading", ""), 12, Face.TEXT),
        (lead, 10, Face.TEXT),
        (context.get("code_address", ""), 6.5, Face.TEXT),
    )
    texts = [(each, wide - logo) for each in beside] + [
        (each, wide - (0 if context["event"] else logo)) for each in below
    ]
    lines = (
        (in_lines(text, ems(room, points), face, anywhere=True), points) for (text, points, face), room in texts if text
    )
    return max(25.0, sum(len(each) * points for each, points in lines) * 1.3 * MM_OF_POINT + 2) + _BELOW_HEAD


ABOVE, _BESIDE, _BELOW_HEAD = 14.0, 15.0, 6.0
"""What stays white on a list above and at its sides, and below its head, in millimetres."""
_LINE, _BETWEEN, _SEAT_NAME = 4.13, 1.22, 57.0
"""How high a line of a column is and how much more a row of it takes, how wide its names may be, in millimetres."""


def slips_paper(sheet: PairingSheet, wishes: Wishes, *, address_of: Callable[[int], str]) -> Paper:
    """Result slips, eight on a page; when the pile is cut and its heaps laid on one another, the boards are in order.

    `address_of` is the address of a board's page.
    """
    slips = [
        Slip(
            board=board,
            code=code_of(address_of(board.board)),
            address=_written(address_of(board.board)),
            white=_on_slip(board.white.name),
            black=_on_slip(board.black.name),
        )
        for board in sheet.boards
    ]
    with translation.override(wishes.language):
        context = _of_round(sheet, _("Round %(number)s: result slips") % {"number": sheet.number})
        context |= {
            "sheets": cut_sheets(slips, SLIPS, stacked=True),
            "marks": SLIPS.marks,
            "event_line": _event_and_state(sheet),
            "body_class": f"{wishes.size} on-8",
        }
        return Paper(parts=(part_of("slips", context, wishes, "cut", "fit", "slips", wishes.upright),))


_SLIP = 93.0
"""How wide the place for text on a slip is, in millimetres; `_BEFORE_NAME`: what piece and number take of it."""
_BEFORE_NAME = 14.0
_BESIDE_CODE = 18.0


def _event_and_state(sheet: PairingSheet) -> Fitted:
    """The event, and behind it the state of the pairing."""
    state = _("draft") if sheet.is_draft else pgettext("pairing", "provisional") if sheet.provisional_until else ""
    return event_and_club(
        sheet.event, sheet.club, ems(_SLIP - _BESIDE_CODE, 7.5), behind=f" · {state}" if state else ""
    )


def event_and_club(event: str, club: str, room: float, *, behind: str = "") -> Fitted:
    """The event, and its club where both have room whole; so many em. A long one is set smaller, in two lines."""
    both = f"{event} · {club}{behind}"
    if width(both, Face.TEXT) <= room:
        return Fitted(lines=(both,), size=100)
    return fit(event + behind, room, face=Face.TEXT, least=80, broken=80)


def _written(address: str) -> str:
    """An address as somebody types it; none where it is too long for a line, as nobody types one of two."""
    words = address.partition("://")[2] or address
    return words if width(words, Face.TEXT) <= ems(_SLIP - _BESIDE_CODE, 6) else ""


def _on_slip(name: str) -> Fitted:
    return fit(name, ems(_SLIP - _BEFORE_NAME, 11), face=Face.TEXT, least=55, broken=60)


def round_set_paper(papers: Iterable[Paper]) -> Paper:
    """Several papers as one document."""
    return Paper(parts=tuple(part for paper in papers for part in paper.parts))


def _heading(sheet: PairingSheet) -> str:
    """What a pairing list is once every game has a result and the round is finished."""
    is_over = sheet.state == Round.State.FINISHED and not sheet.open_count
    words = _("Round %(number)s: results") if is_over else _("Round %(number)s: pairings")
    return words % {"number": sheet.number}


def _where(sheet: PairingSheet) -> str:
    return _("Round %(number)s: where do I sit?") % {"number": sheet.number}


def size_of_list(lines: int, *, large: int, middling: int, tight: tuple[int, int] = (0, 0)) -> str:
    """The CSS class of the largest type in which so many lines stand on one page; `tight`: for how many that helps."""
    if lines <= large:
        return "list large"
    if lines <= middling:
        return "list middling"
    return "list tight" if tight[0] <= lines <= tight[1] else "list"


def _lines_of(rows: Sequence[tuple[str, str]]) -> int:
    """How many lines rows with two names take: a long name needs two, each rather less high than a row."""
    return len(rows) + sum(3 for row in rows if max(map(len, row)) > _LETTERS_A_LINE) // 4


_LETTERS_A_LINE = 25


def _of_round(sheet: PairingSheet, heading: str, second_heading: str = "") -> dict[str, Any]:
    return {
        "sheet": sheet,
        "heading": heading,
        "second_heading": second_heading,
        "title": f"{heading}, {sheet.event}",
        "club": sheet.club,
        "event": sheet.event,
    }
