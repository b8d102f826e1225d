"""What a round needs on paper: pairings, where everyone sits, result slips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pairing.printing.pdf.aligning import aligned
from pairing.printing.pdf.arranging import Cut, cut_sheets
from pairing.printing.pdf.fitting import MM_OF_POINT, Cells, Fitted, Room, ems, fit, in_lines, set_rows
from pairing.printing.pdf.making import LOGO_ON_LISTS, Wishes, code_of, margin_below, part_of
from pairing.printing.pdf.pdfs import Paper
from pairing.printing.pdf.widths import Face, width
from pairing.view_models.sheets.rounds import PairingSheet, SheetBoard
from pairing.view_models.sheets.seating import Seat, seats
from tournaments.models import Round

SLIPS = Cut(across=2, down=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A result slip: a board, and the QR code of the page where its result is entered."""

    board: SheetBoard
    code: str
    link: str
    address: str
    white: Fitted
    black: Fitted


def pairings_paper(sheet: PairingSheet, wishes: Wishes, *, address: str = "") -> Paper:
    """The pairing of a round by boards, byes last; `address` is where phones read whether it still holds."""
    with translation.override(wishes.language):
        context = _of_round(sheet, _heading(sheet), wishes.in_second(lambda: _heading(sheet)))
        context |= {"code": code_of(address), "code_address": address}
        players = [player for board in sheet.boards for player in (board.white, board.black)]
        points = aligned([player.points for player in players])
        context["boards"] = list(zip(sheet.boards, points[::2], points[1::2], strict=True))
        context["body_class"] = "list"
        setting = _pairing_rows(sheet, points, wishes, _head_of_round(context, wishes))
        return Paper(
            parts=(part_of("pairing/printing/papers/pairings.html", context, wishes, "lists", wishes.upright, setting),)
        )


def _pairing_rows(sheet: PairingSheet, points: Sequence[str], wishes: Wishes, head: float) -> str:
    """The style of the rows of a pairing list below a head so many millimetres high."""
    named = [
        (f"{each.white.title} {each.white.name}", f"{each.black.title} {each.black.name}") for each in sheet.boards
    ]
    numbers = [str(player.tpn) for board in sheet.boards for player in (board.white, board.black)]

    def make_column(
        head: str, texts: Sequence[str], *, least: float = 0.0, share: float = 1.0, of: Face = Face.TEXT
    ) -> Cells:
        return Cells(heads=twice(head, wishes), texts=texts, least=least, share=share, face=of, beside=_BESIDE_PAIRED)

    number = make_column("No.", numbers, share=0.8)
    score = make_column("Pts", list(points))
    board = make_column("Board", [str(each.board) for each in sheet.boards], of=Face.TEXT_BOLD)
    result = make_column("Result", [each.result_text for each in sheet.boards], least=_RESULT)
    # Both names have as much room as the longer ones take.
    both = [max(each, key=len) for each in named]
    names = Cells(heads=(), texts=both, beside=_BESIDE_PAIRED + 0.8, breaks=True)
    columns = (board, number, names, score, result, score, names, number)
    byes = len(sheet.byes) + 1 if sheet.byes else 0
    setting = set_rows(columns, room_of_list(wishes, head, below=4.0 if byes else 0.0, lines_below=byes))
    of_board, of_number, _names, of_score, of_result, *_others = (round(each - _PADDING, 1) for each in setting.widths)
    return (
        f"{setting.css} .pairings th:nth-child(1) {{ width: {of_board}mm }}"
        f" .pairings th.number {{ width: {of_number}mm }}"
        f" .pairings th.points {{ width: {of_score}mm }} .pairings th.result {{ width: {of_result}mm }}"
    )


_BESIDE_PAIRED, _PADDING, _RESULT = 2.0, 1.6, 15.0
"""Millimetres beside a text of a pairing list, those of them that its style has, and how wide the column is in which a
result is written."""


def _head_of_round(context: Mapping[str, Any], wishes: Wishes) -> float:
    return head_high(context, wishes, _("Begins %(time)s") % {"time": ""} if context["sheet"].starts_at else "")


def twice(word: str, wishes: Wishes) -> tuple[str, str]:
    """A word of the catalogue in both languages of a paper."""
    return _(word), wishes.in_second(lambda: _(word))


def room_of_list(wishes: Wishes, head: float, *, below: float = 0.0, lines_below: int = 0) -> Room:
    """What the sheets of a list below a head so many millimetres high have for its rows."""
    wide, high = wishes.size.millimetres
    later = high - ABOVE - margin_below(wishes.letterhead) - (10 if wishes.second else 6.5)
    return Room(wide=wide - 2 * _BESIDE, first=later - head, later=later, below=below, lines_below=lines_below)


def seating_paper(sheet: PairingSheet, wishes: Wishes, *, address: str = "") -> Paper:
    """Where everyone sits, by name; `address` as for pairings."""
    with translation.override(wishes.language):
        context = _of_round(sheet, _where(sheet), wishes.in_second(lambda: _where(sheet)))
        context |= {"seats": seats(sheet), "code": code_of(address), "code_address": address}
        context["body_class"] = "list"
        head = _head_of_round(context, wishes)
        if len(context["seats"]) > MOST_IN_ONE_COLUMN:
            context["pages"] = _in_two_columns(context["seats"], wishes, head)
            return Paper(
                parts=(part_of("pairing/printing/papers/seating.html", context, wishes, "lists", wishes.upright),)
            )
        setting = _seat_rows(context["seats"], wishes, head)
        return Paper(
            parts=(part_of("pairing/printing/papers/seating.html", context, wishes, "lists", wishes.upright, setting),)
        )


def _seat_rows(found: Sequence[Seat], wishes: Wishes, head: float) -> str:
    """The style of the rows of a seating list below a head so many millimetres high."""
    colours = [max(each, key=len) for each in zip(twice("White", wishes), twice("Black", wishes), strict=True)]
    opponents = [each.opponent.name if each.opponent else "" for each in found]
    columns = (
        Cells(heads=twice("Player", wishes), texts=[each.player.name for each in found], breaks=True),
        Cells(heads=twice("No.", wishes), texts=[str(each.player.tpn) for each in found], share=0.8),
        Cells(heads=twice("Board", wishes), texts=[str(each.board) for each in found], face=Face.TEXT_BOLD),
        Cells(heads=twice("Colour", wishes), texts=[f"○ {' '.join(colours)}"] * len(found)),
        Cells(heads=twice("Opponent", wishes), texts=opponents, breaks=True),
    )
    return set_rows(columns, room_of_list(wishes, head)).css


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
    pages = [columns[place : place + 2] for place in range(0, len(columns), 2)]
    # Those of the last sheet are as long as one another, or what stands below them would go to a sheet of its own.
    left_over = [seat for column in pages[-1] for seat in column]
    half = (len(left_over) + 1) // 2
    pages[-1] = [left_over[:half], left_over[half:]]
    return pages


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
            link=address_of(board.board),
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
        return Paper(
            parts=(
                part_of("pairing/printing/papers/slips.html", context, wishes, "cut", "fit", "slips", wishes.upright),
            )
        )


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


def _of_round(sheet: PairingSheet, heading: str, second_heading: str = "") -> dict[str, Any]:
    return {
        "sheet": sheet,
        "heading": heading,
        "second_heading": second_heading,
        "title": f"{heading}, {sheet.event}",
        "club": sheet.club,
        "event": sheet.event,
    }
