"""Draws share cards as PNG, 1200 by 630 pixels: the usual size of link previews."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple, TypeVar

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from PIL import Image, ImageDraw, ImageFont

from common.text.colours import tones_for_light_background
from pairing.view_models.sheets.players_and_results import SheetPlayer
from pairing.view_models.sheets.round_pairings import SheetBoard, pairing_sheet
from pairing.view_models.sheets.standings_sheet import StandingsSheet, standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.models import Round, Tournament

SIZE = WIDTH, HEIGHT = 1200, 630
_PAGE, _INK, _SOFT, _RULE = "#ffffff", "#16201a", "#52605a", "#d6ddd8"
_HOUSE_COLOUR = "#14613f"
_MARGIN = 64
_FACES = {
    "plain": ("NotoSans-Regular.ttf", "DejaVuSans.ttf"),
    "bold": ("NotoSans-Bold.ttf", "DejaVuSans-Bold.ttf"),
    "title": ("NotoSerif-Bold.ttf", "DejaVuSerif-Bold.ttf"),
}
"""The papers' fonts; the first one found on the computer is used."""


class FontsMissingError(Exception):
    """Raised if a font is missing. Pages then have no preview images."""


class _Face(NamedTuple):
    name: str
    size: int

    @property
    def font(self) -> ImageFont.FreeTypeFont:
        return _font(self.name, self.size)


_OVER, _TITLE, _ABOUT = _Face("plain", 30), _Face("title", 60), _Face("plain", 30)
_LINE, _STRONG, _LARGE, _SCORE = _Face("plain", 34), _Face("bold", 34), _Face("bold", 52), _Face("bold", 76)


def can_draw_share_cards() -> bool:
    """Return True if the fonts are installed."""
    try:
        for name in _FACES:
            _font(name, 30)
    except FontsMissingError:
        return False
    return True


def draw_share_card(card: ShareCard) -> bytes:
    """Draw the card as PNG. Raises FontsMissingError if a font is missing."""
    picture = Image.new("RGB", SIZE, _PAGE)
    pen = ImageDraw.Draw(picture)
    accent = tones_for_light_background(card.colour).accent if card.colour else _HOUSE_COLOUR
    pen.rectangle((0, 0, WIDTH, 16), fill=card.colour or accent)
    wide = WIDTH - 2 * _MARGIN
    _write(pen, (_MARGIN, 92), f"{card.club} · {card.event}", _OVER, wide, fill=_SOFT)
    _write(pen, (_MARGIN, 166), card.title, _TITLE, wide, fill=accent)
    if card.is_one_board:
        _draw_board(pen, card.lines[0])
    else:
        for place, line in enumerate(card.lines):
            _draw_line(pen, line, 204 + 57 * place)
    _write(pen, (_MARGIN, HEIGHT - 28), card.about, _ABOUT, wide, fill=_SOFT)
    # A few colours are enough for text, and need a third of the bytes.
    small = BytesIO()
    picture.quantize(64).save(small, "PNG", optimize=True)
    return small.getvalue()


def _draw_line(pen: ImageDraw.ImageDraw, line: ShareCardLine, top: int) -> None:
    """Draw a board or a place of the table on a line 57 pixels high."""
    base, left = top + 41, _MARGIN + 70
    pen.line((_MARGIN, top, WIDTH - _MARGIN, top), fill=_RULE, width=2)
    pen.text((_MARGIN + 44, base), line.number, font=_LINE.font, fill=_SOFT, anchor="rs")
    if not line.black:
        pen.text((WIDTH - _MARGIN, base), line.result, font=_STRONG.font, fill=_INK, anchor="rs")
        _write(pen, (left, base), line.white, _LINE, WIDTH - _MARGIN - left - 120)
        return
    middle = (left + WIDTH - _MARGIN) // 2
    room = middle - left - 70 - 44
    _piece(pen, left + 13, base - 12, is_black=False)
    _write(pen, (left + 40, base), line.white, _LINE, room)
    pen.text((middle, base), line.result or "–", font=_STRONG.font, fill=_INK if line.result else _SOFT, anchor="ms")
    _piece(pen, middle + 83, base - 12, is_black=True)
    _write(pen, (middle + 110, base), line.black, _LINE, room)


def _draw_board(pen: ImageDraw.ImageDraw, line: ShareCardLine) -> None:
    """Draw two names, one below the other, with the result beside them."""
    room = WIDTH - 2 * _MARGIN - 80 - (260 if line.result else 0)
    for name, base, is_black in ((line.white, 330, False), (line.black, 450, True)):
        _piece(pen, _MARGIN + 24, base - 18, is_black=is_black, radius=22)
        _write(pen, (_MARGIN + 80, base), name, _LARGE, room)
    if line.result:
        pen.text((WIDTH - _MARGIN, 398), line.result, font=_SCORE.font, fill=_INK, anchor="rs")


def _piece(pen: ImageDraw.ImageDraw, x: int, y: int, *, is_black: bool, radius: int = 13) -> None:
    box = (x - radius, y - radius, x + radius, y + radius)
    pen.ellipse(box, fill=_INK if is_black else _PAGE, outline=_INK, width=3)


def _write(
    pen: ImageDraw.ImageDraw, at: tuple[int, int], text: str, face: _Face, room: int, *, fill: str = _INK
) -> None:
    """Write a text from its left end, smaller or shortened if it is too long."""
    for smaller in range(face.size, face.size * 3 // 4, -2):
        if _Face(face.name, smaller).font.getlength(text) <= room:
            pen.text(at, text, font=_Face(face.name, smaller).font, fill=fill, anchor="ls")
            return
    font = _Face(face.name, face.size * 3 // 4).font
    while text and font.getlength(f"{text}…") > room:
        text = text[:-1]
    pen.text(at, f"{text.rstrip()}…", font=font, fill=fill, anchor="ls")


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    for file in _FACES[name]:
        try:
            return ImageFont.truetype(file, size)
        except OSError:
            continue
    raise FontsMissingError


MAX_CARD_LINES = 6

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareCardLine:
    """A board, or a place in the table if `black` is empty."""

    number: str
    white: str
    black: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareCard:
    """The content of a preview image.

    `lines` are at most `MAX_CARD_LINES`; a single board is one line, drawn large.
    """

    club: str
    event: str
    title: str
    about: str
    colour: str
    is_one_board: bool
    lines: tuple[ShareCardLine, ...]

    @property
    def content_hash(self) -> str:
        """A hash of the content, so that the image's address changes with it."""
        return sha256(repr(asdict(self)).encode()).hexdigest()[:12]


def round_share_card(this_round: Round) -> ShareCard:
    """Return the card for a published round, with its first boards."""
    return _in_the_clubs_words(this_round.tournament, lambda: _card_of_round(this_round))


def board_share_card(this_round: Round, board: int) -> ShareCard | None:
    """Return the card for one board in a published round, or None if there is no such board."""
    return _in_the_clubs_words(this_round.tournament, lambda: _card_of_board(this_round, board))


def standings_share_card(tournament: Tournament, after: int | None = None) -> ShareCard:
    """Return the card for the table after a published round, by default the latest.

    Raises ArbiterProblem if a tie-break is unknown.
    """
    return _in_the_clubs_words(tournament, lambda: _card_of_table(tournament, after))


def round_title(this_round: Round) -> str:
    return _("Round %(n)s of %(of)s") % {"n": this_round.number, "of": this_round.tournament.rounds_announced}


def board_title(this_round: Round, board: int) -> str:
    return _("Board %(board)s, round %(number)s") % {"board": board, "number": this_round.number}


def standings_title(sheet: StandingsSheet) -> str:
    if not sheet.after_round:
        return _("Starting list")
    if sheet.after_round == sheet.rounds_announced and not sheet.is_provisional:
        return _("Final standings")
    return _("Standings after round %(number)s") % {"number": sheet.after_round}


def format_round_date(this_round: Round) -> str:
    """Return the date of a round. Empty if it is not known."""
    return date_format(localtime(this_round.starts_at), "DATE_FORMAT") if this_round.starts_at else ""


def _in_the_clubs_words(tournament: Tournament, make: Callable[[], Made]) -> Made:
    """Make a card in the club's language, because the language of the program that fetches the image means nothing."""
    with override(tournament.club.language):
        return make()


def _card_of_round(this_round: Round) -> ShareCard:
    sheet = pairing_sheet(this_round, last=MAX_CARD_LINES)
    left = sheet.board_count - len(sheet.boards)
    more = ngettext("and %(n)s more board", "and %(n)s more boards", left) % {"n": left} if left else ""
    return _card(
        this_round.tournament,
        title=round_title(this_round),
        about=" · ".join(each for each in (format_round_date(this_round), more) if each),
        lines=[_line(board) for board in sheet.boards],
    )


def _card_of_board(this_round: Round, board: int) -> ShareCard | None:
    found = pairing_sheet(this_round, first=board, last=board).boards
    if not found:
        return None
    return _card(
        this_round.tournament,
        title=board_title(this_round, board),
        about=format_round_date(this_round),
        lines=[_line(found[0])],
        is_one_board=True,
    )


def _card_of_table(tournament: Tournament, after: int | None) -> ShareCard:
    table = get_event_standings(tournament, after)
    sheet = standings_sheet(table, rows=table.rows[:MAX_CARD_LINES])
    players = ngettext("%(n)s player", "%(n)s players", sheet.player_count) % {"n": sheet.player_count}
    lines = [
        ShareCardLine(
            number=str(line.place),
            white=_name(line.player),
            result=str(line.values[0]) if sheet.after_round else str(line.player.rating or ""),
        )
        for line in sheet.lines
    ]
    return _card(tournament, title=standings_title(sheet), about=players, lines=lines)


def _card(
    tournament: Tournament, *, title: str, about: str, lines: list[ShareCardLine], is_one_board: bool = False
) -> ShareCard:
    return ShareCard(
        club=tournament.club.name,
        event=tournament.name,
        title=title,
        about=about,
        colour=tournament.club.colour,
        is_one_board=is_one_board,
        lines=tuple(lines),
    )


def _line(board: SheetBoard) -> ShareCardLine:
    return ShareCardLine(
        number=str(board.board), white=_name(board.white), black=_name(board.black), result=board.result_text
    )


def _name(player: SheetPlayer) -> str:
    return f"{player.title} {player.name}" if player.title else player.name
